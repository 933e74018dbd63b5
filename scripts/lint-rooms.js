import { dirname, join, relative, sep } from "node:path";

const wordsOf = (lists) =>
  Object.fromEntries(
    Object.entries(lists).map(([name, list]) => [
      name,
      list.split(" ").filter((one) => one !== ""),
    ]),
  );

/**
 * The rooms of `src/` and what each may import beside itself and its own folders: `a` stands for the
 * room and all rooms below it, `a/` for the files of that folder alone. The order is the direction of
 * a product through Kurabe, so that each room knows only rooms above it.
 */
const crawlTables = "crawl/scoring crawl/budget crawl/learning crawl/safety";
const matchingParts = "matching/titles matching/comparing matching/groups";
const wireItems = "storefront/product.ts storefront/raw-items.ts";
const searchParts = "search/index search/engine search/mirror search/query";
const written = "lib db catalog search/index search/engine";
const searched = "lib db catalog matching search";
const consoleReads = `${searched} crawl keys alerts api/http api/ops web/shared`;
const consoleTab = `${consoleReads} web/ops/chart web/ops/shared web/ops/access`;
const known = {
  lib: "",
  db: "lib",
  storefront: "lib",
  embedded: "lib",
  sandbox: "lib storefront/wire.ts",
  "catalog/upkeep": "lib db catalog/",
  "catalog/unit-price": "lib db catalog/ catalog/upkeep",
  "catalog/observing": `lib db ${wireItems} catalog/ catalog/unit-price`,
  "catalog/history": "lib db catalog/",
  "catalog/changes": "lib db catalog/",
  "catalog/visitors": "lib db catalog/",
  "catalog/status": "lib db catalog/",
  "catalog/": `lib db ${wireItems}`,

  "matching/titles": "lib catalog",
  "matching/comparing": "lib catalog matching/titles",
  "matching/groups": "lib db catalog",
  "matching/review": "lib db catalog matching/comparing",
  "matching/upkeep/stored": `lib db ${matchingParts}`,
  "matching/upkeep": `lib db catalog ${matchingParts}`,
  matching: "lib db catalog",

  "crawl/scoring": "lib/collect.ts db/schema.ts",
  "crawl/budget": "lib db storefront catalog crawl/scoring",
  "crawl/safety": "lib db storefront catalog crawl/scoring crawl/budget",
  "crawl/learning": `lib db storefront catalog ${crawlTables}`,
  "crawl/keywords": `lib db storefront catalog ${crawlTables}`,
  "crawl/products": `lib db storefront catalog ${crawlTables}`,
  crawl: "lib db storefront catalog",

  "search/index": "lib catalog",
  "search/engine": "lib",
  "search/mirror/indexes": "lib db search/index search/engine",
  "search/mirror/writes": `${written} search/mirror/indexes`,
  "search/mirror/proof": `${written} search/mirror/indexes search/mirror/writes`,
  "search/mirror": "lib db catalog matching search/index search/engine",
  "search/cluster": "lib db catalog search/index search/engine search/mirror",
  "search/query/words": "lib db search/index",
  "search/query/sql": "lib db catalog search/index search/query/ search/query/words",
  "search/query/relaxed":
    "lib db search/index search/engine search/mirror search/query/ search/query/words search/query/sql",
  "search/query": "lib db catalog matching search/index search/engine search/mirror",
  "search/suggest": `lib db catalog matching ${searchParts}`,
  "search/instantsearch": `lib db catalog matching ${searchParts}`,
  search: "lib db catalog matching",

  // Of the search: how it folds texts and reads words, and what is reduced.
  "alerts/judging":
    "lib db catalog search/index/document.ts search/index/fold.ts search/index/japanese-forms.ts search/index/numerals.ts search/index/words.ts search/query/words/query-words.ts search/query/words/word-frequencies.ts search/query/words/word-sql.ts",

  alerts: "lib db catalog/changes/change-order.ts",
  "alerts/delivery": "lib db alerts/owners.ts",
  "alerts/mail": "lib db alerts/owners.ts alerts/event-text.ts",

  export: "lib db",
  keys: "lib db",

  "api/http": `${searched} crawl/budget keys alerts/delivery/addresses.ts`,
  "api/products": `${searched} crawl/products/refresh-requests.ts api/http`,
  "api/instantsearch": `${searched} api/http api/products`,
  "api/status": `${searched} crawl alerts api/http api/products`,
  "api/ops": `${searched} crawl export/manifest.ts keys alerts api/http api/products api/alerts`,
  "api/alerts": "lib db catalog search alerts keys api/http api/products",
  api: `${searched} crawl export/manifest.ts`,

  "web/shared": `${searched} api/http api/ops/token-gate.ts`,
  "web/search": "lib catalog matching search api/http api/products web/shared",
  "web/product": `${searched} api/http api/products web/shared`,
  "web/ops/chart": "web/shared",
  "web/ops/messages": consoleReads,
  "web/ops/shared": `${consoleReads} web/ops/messages`,
  "web/ops/access": `${consoleReads} web/ops/messages web/ops/shared`,
  ...Object.fromEntries(
    ["alerts", "calls", "keywords", "matches", "mirror", "plan", "schedule"].map((tab) => [
      `web/ops/${tab}`,
      consoleTab,
    ]),
  ),
  "web/ops/today": `${consoleTab} web/ops/calls`,
  "web/ops": consoleReads,
  "web/alerts": "lib db alerts api/http api/alerts web/shared",
  "web/home": "lib catalog api/http web/shared web/browse",
  "web/browse": "lib catalog api/http web/shared",
  "web/compare": "lib db catalog api/http api/products web/shared web/product",
  web: "lib api",

  client: "",

  bench: "lib db storefront catalog crawl alerts search/query/words/word-frequencies.ts",
  "bench/scale":
    "lib db storefront catalog crawl search keys alerts service/worker/maintenance.ts service/worker/schedule.ts web",
  service:
    "lib db storefront embedded sandbox catalog matching crawl search keys alerts export api web config.ts",
  cli: "lib db embedded sandbox catalog matching alerts/mail/smtp.ts crawl search export bench service config.ts",
};

const rooms = wordsOf(known);

/** These files call the upstream, so nothing that answers visitors may import them. */
const crawlers = [
  "crawl/run.ts",
  "crawl/planner.ts",
  "crawl/safety/failure-policy.ts",
  "crawl/products/revalidation.ts",
  "crawl/products/on-demand.ts",
];

/** Packages that only one room may import. */
const owners = wordsOf({
  "@hono/node-server": "sandbox service",
  "@hono/zod-openapi": "api",
  "drizzle-orm": "db catalog matching crawl search export keys alerts api service cli bench",
  hono: "sandbox api web service",
  "hyparquet-writer": "export",
  "ipaddr.js": "lib alerts",
  "lru-cache": "lib api matching",
  meilisearch: "search",
  "openapi-fetch": "client",
  nodemailer: "alerts",
  "node-cron": "service lib",
  pino: "lib",
  postgres: "db sandbox embedded service cli bench",
  "prom-client": "api service bench/scale",
  wanakana: "search",
});

const roomNames = Object.keys(rooms).toSorted((a, b) => b.length - a.length);
const isWithin = (path, place) =>
  place.endsWith("/")
    ? `${dirname(path)}/` === place
    : path === place || path.startsWith(`${place}/`);
const roomOf = (path) => roomNames.find((room) => isWithin(path, room));

/** Why the file may not import what; null where it may. Paths are relative to `src`, with `/`. */
export function refusal(file, specifier) {
  const room = roomOf(file);
  if (!specifier.startsWith(".")) {
    const name = Object.keys(owners).find((owned) => isWithin(specifier, owned));
    if (name === undefined || room === undefined) return null;
    if (owners[name].some((owner) => isWithin(room, owner))) return null;
    return `src/${room} may not import ${name}: it belongs to src/${owners[name].join(", src/")}`;
  }
  const target = join(dirname(file), specifier).split(sep).join("/");
  if (room === undefined || target.startsWith("..")) return null;
  if (isWithin(room, "api") || isWithin(room, "web")) {
    if (crawlers.includes(target)) return `src/${room} never crawls: src/${target} does`;
  }
  const mayImport = [...rooms[room], ...(isWithin(target, room) ? [room] : [])];
  if (mayImport.some((place) => isWithin(target, place))) return null;
  return `src/${room} may not import src/${target}: it knows only ${[room, ...rooms[room]].join(", ")}`;
}

const direction = {
  create(context) {
    const file = relative("src", relative(context.cwd, context.filename)).split(sep).join("/");
    if (file.startsWith("..") || /\.test\.tsx?$/.test(file)) return {};
    const check = (node) => {
      const specifier = node.source?.value;
      const message = typeof specifier === "string" ? refusal(file, specifier) : null;
      if (message !== null) context.report({ node, message });
    };
    return {
      ImportDeclaration: check,
      ImportExpression: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
    };
  },
};

export default { meta: { name: "rooms" }, rules: { direction } };
