import { isDeepStrictEqual } from "node:util";
import { violation, type Evidence, type Finding } from "./evidence.ts";
import { belongs, servingIndexes } from "./index-content.ts";

const opsPages = [
  "budget",
  "calls?limit=200",
  "jobs",
  "queries",
  "plan",
  "mirror",
  "quarantine",
  "deletions",
];
const publicPages = [
  "/v1/status",
  "/metrics",
  "/v1/shops",
  "/v1/products?q=%E8%B2%A1%E5%B8%83",
  "/v1/products?price_min=x",
  "/v1/products/0",
  "/nowhere",
];

/** No credential in any log, page, metric or row. */
export async function checkSecrets({ sql, page, logs, secrets }: Evidence): Promise<Finding> {
  const texts = new Map([["the logs", logs]]);
  for (const path of opsPages) texts.set(path, (await page(`/ops/v1/${path}`, { ops: true })).text);
  for (const path of publicPages) texts.set(path, (await page(path)).text);
  const needles = secrets.flatMap((secret) => [
    secret,
    encodeURIComponent(secret),
    Buffer.from(secret).toString("base64").replace(/=+$/, ""),
  ]);
  const leaks = [...texts].filter(([, text]) => needles.some((needle) => text.includes(needle)));
  const tables = await sql<{ name: string }[]>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`;
  const pattern = needles.map((needle) => needle.replace(/[^\w-]/g, "\\$&")).join("|");
  const rows: string[] = [];
  for (const { name } of tables) {
    const found = await sql.unsafe<{ n: string }[]>(
      `select count(*) as n from ${name} t where to_jsonb(t)::text ~ $1`,
      [pattern],
    );
    if (Number(found[0]?.n) > 0) rows.push(name);
  }
  return {
    violations: [
      ...violation(
        "places that show a credential",
        leaks.map(([place]) => place),
      ),
      ...violation("tables that hold a credential", rows),
    ],
    seen: `${texts.size - 1} pages, ${Math.round(logs.length / 1024)} KiB of logs, ${tables.length} tables`,
  };
}

interface Shown {
  item_id: number;
  title: string;
  detail: string;
  price: number;
  proper_price: number | null;
  stock: number;
  modified: number;
  categories: string[];
  shop: { shop_id: string };
}

type Stored = Omit<Shown, "shop"> & { shop_id: string };

const words = ["財布", "バッグ", "革", "陶器", "手作り", "ピアス"];

/** Users see what is stored, and only what they asked for. */
export async function checkOutside(evidence: Evidence): Promise<Finding> {
  const { sql, page } = evidence;
  const rows = await sql<{ product: Stored }[]>`
    select to_jsonb(p) as product from product p where state <> 'gone' order by random() limit 20`;
  const differing: unknown[] = [];
  for (const { product } of rows) {
    const { status, text } = await page(`/v1/products/${product.item_id}`);
    if (status !== 200 || !isShown(product, JSON.parse(text))) differing.push(product.item_id);
  }
  const unfit: unknown[] = [];
  let hits = 0;
  for (const word of words) {
    const query = new URLSearchParams({
      q: word,
      price_max: "5000",
      in_stock: "true",
      per_page: "100",
    });
    const { status, text } = await page(`/v1/products?${query.toString()}`);
    if (status !== 200) {
      unfit.push({ word, status });
      continue;
    }
    const { items } = JSON.parse(text) as { items: Shown[] };
    hits += items.length;
    const ids = JSON.stringify(items.map((item) => item.item_id));
    const known = await sql<{ item_id: string }[]>`
      select item_id from product where state <> 'gone' and price <= 5000 and stock > 0
        and item_id in (select x::bigint from json_array_elements_text(${ids}::text::json) x)`;
    const fits = new Set(known.map((row) => Number(row.item_id)));
    unfit.push(...items.filter((item) => !fits.has(item.item_id)).map((item) => item.item_id));
  }
  return {
    violations: [
      ...violation("products shown otherwise than stored", differing),
      ...violation("hits that do not fit the question", unfit),
      ...(await checkIndexesThemselves(evidence)),
    ],
    seen: `${rows.length} products and ${hits} hits compared`,
  };
}

function isShown(stored: Stored, shown: Shown): boolean {
  const names = [
    "title",
    "detail",
    "price",
    "proper_price",
    "stock",
    "modified",
    "categories",
  ] as const;
  return (
    shown.shop.shop_id === stored.shop_id &&
    names.every((name) => isDeepStrictEqual(shown[name], stored[name]))
  );
}

/** Settings are those an index had at first, whatever it lost since; and it holds as many documents as products. */
async function checkIndexesThemselves(evidence: Evidence): Promise<string[]> {
  const { sql, engine, memory } = evidence;
  const indexes = await servingIndexes(evidence);
  const faults = indexes.length === 0 ? ["no index is serving"] : [];
  for (const { uid, url, host } of indexes) {
    const settings = JSON.stringify(await engine<unknown>(url, `/indexes/${uid}/settings`));
    const first = memory.settings.get(uid) ?? settings;
    memory.settings.set(uid, first);
    if (first !== settings) faults.push(`the settings of ${uid} are not what they were`);
    const [live] = await sql<{ n: string }[]>`
      select count(*) as n from product p where state <> 'gone' and ${belongs(sql, host)}`;
    const stats = await engine<{ numberOfDocuments: number }>(url, `/indexes/${uid}/stats`);
    if (Number(live?.n) !== stats.numberOfDocuments)
      faults.push(`${live?.n} products, ${stats.numberOfDocuments} documents in ${uid}`);
  }
  return faults;
}
