import { setTimeout as pause } from "node:timers/promises";
import postgres from "postgres";
import { must } from "../../../src/lib/must.ts";
import type { Fault } from "../../support/fault-proxy.ts";
import { spawnKurabe } from "../../support/processes.ts";
import { until } from "../../support/until.ts";
import type { Wire } from "../crash-points.ts";
import { openFullEngine } from "../full-engine.ts";
import { tamperWithEngine } from "./engine-tamper.ts";
import type { ProbedCase, ProbeName, Site } from "./service-case.ts";

const visitorsOnly: readonly ProbeName[] = ["searches", "products", "pages", "ops", "health"];
const beyondTheEngine: readonly ProbeName[] = [...visitorsOnly, "answers stored"];
const beyondTheUpstream: readonly ProbeName[] = [
  "engine searches",
  "products",
  "ops",
  "documents synced",
];
const everything: readonly ProbeName[] = [...beyondTheUpstream, "answers stored"];
/** Leases of 6 s and 15 s run out before another process takes over. */
const takeOverSeconds = 18;

/** One wire of some processes stays broken. */
function brokenWire(
  ids: readonly string[],
  wire: Wire,
  whose: "worker-1" | "all",
  fault: Fault,
  how: string,
): ProbedCase {
  const probes =
    whose === "worker-1" ? everything : wire === "engine" ? beyondTheEngine : beyondTheUpstream;
  return {
    ids,
    what: `${wire} ${how}`,
    subject: whose === "all" ? `the ${wire}` : whose,
    probes,
    warmSeconds: whose === "all" ? 3 : takeOverSeconds,
    async apply({ world }) {
      const struck = world.fleet.slots.filter((slot) => whose === "all" || slot.name === whose);
      for (const slot of struck) await slot.setFault(wire, fault);
      return async () => {
        for (const slot of struck) {
          // What the wire has swallowed is noticed as a broken connection.
          await slot.setFault(wire, { mode: "refuse" });
          await slot.setFault(wire, { mode: "pass" });
        }
      };
    },
  };
}

/** A transaction of somebody else that stays open. */
function openTransaction(
  ids: readonly string[],
  what: string,
  statement: (site: Site) => string,
): ProbedCase {
  return {
    ids,
    what,
    subject: "a session of somebody else",
    probes: everything,
    warmSeconds: 5,
    async apply(site) {
      const sql = postgres(site.world.servers.databaseUrl, { max: 1, onnotice: () => {} });
      const over = new AbortController();
      let hasBegun = false;
      const holding = sql.begin(async (tx) => {
        await tx.unsafe(statement(site));
        hasBegun = true;
        while (!over.signal.aborted) await pause(100);
      });
      await until(() => hasBegun, { what: "the transaction to begin" });
      return async () => {
        over.abort();
        await holding;
        await sql.end();
      };
    },
  };
}

async function everySecond(work: () => Promise<unknown>): Promise<() => Promise<void>> {
  const over = new AbortController();
  const working = (async () => {
    while (!over.signal.aborted) {
      await Promise.allSettled([work()]);
      await pause(1000);
    }
  })();
  return async () => {
    over.abort();
    await working;
  };
}

async function toEngine({ world }: Site, method: string, path: string, body?: unknown) {
  const { host, apiKey } = world.servers.engine;
  return fetch(`${host}${path}`, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

const sqlOf = ({ world }: Site, text: string) => world.servers.sql((sql) => sql.unsafe(text));

/** Servers, wires and processes that stay wrong. */
export const serverCases: readonly ProbedCase[] = [
  brokenWire(["U1"], "upstream", "all", { mode: "refuse" }, "refuses every connection"),
  brokenWire(["U3"], "upstream", "all", { mode: "hang" }, "accepts and never answers"),
  brokenWire(["U2"], "upstream", "all", { mode: "reset", afterBytes: 100 }, "resets every answer"),
  brokenWire(["U1"], "upstream", "worker-1", { mode: "refuse" }, "is out of one worker's reach"),
  brokenWire(["M1"], "engine", "all", { mode: "refuse" }, "is down"),
  brokenWire(["M1"], "engine", "all", { mode: "hang" }, "accepts and never answers"),
  brokenWire(["M1"], "engine", "all", { mode: "latency", delayMs: 2500 }, "takes 2.5 s an answer"),
  brokenWire(["D7"], "database", "worker-1", { mode: "half-open" }, "is half-open for one worker"),
  brokenWire(["D6"], "database", "worker-1", { mode: "reset", afterBytes: 0 }, "ends one worker's sessions"),
  {
    ids: ["M4", "M5", "N6"],
    what: "one document fails every task it is in",
    subject: "one product",
    probes: ["engine searches", "documents synced"],
    warmSeconds: 2,
    async apply(site) {
      const id = must(site.itemIds[11], "a product");
      const stop = await tamperWithEngine(site.world, (method, path, body) =>
        method !== "GET" && /\/documents(\?|$)/.test(path) && body.includes(`"id":${id},`)
          ? { body: body.replace(`"id":${id},`, '"id":"no id at all !",') }
          : {},
      );
      const stopTouching = await everySecond(() =>
        sqlOf(site, `update product set stock = stock + 1, ver = ver + 1 where item_id = ${id}`),
      );
      return async () => {
        await stopTouching();
        await stop();
        await sqlOf(site, `update product set ver = ver + 1 where item_id = ${id}`);
      };
    },
  },
  {
    ids: ["M10", "M11"],
    what: "the engine's disk is full",
    subject: "the engine's writes",
    probes: ["engine searches", "products", "ops", "answers stored"],
    async apply({ world }) {
      const { hostname, port } = new URL(world.servers.engine.host);
      const full = await openFullEngine(world.servers.engine.host);
      await world.fleet.setEngine(full.target);
      return async () => {
        await world.fleet.setEngine({ host: hostname, port: Number(port) });
        await full.close();
      };
    },
  },
  {
    ids: ["M8"],
    what: "the engine refuses the key for writing",
    subject: "the engine's writes",
    probes: ["engine searches", "products", "ops", "answers stored"],
    apply: ({ world }) =>
      tamperWithEngine(world, (method, path) =>
        method !== "GET" && /\/(documents|settings|indexes)(\?|$|\/delete)/.test(path)
          ? { status: 403 }
          : {},
      ),
  },
  {
    ids: ["M1", "B20"],
    what: "one search in ten takes the engine 20 s",
    subject: "searches that meet it",
    probes: ["searches", "products", "pages", "ops"],
    warmSeconds: 3,
    apply({ world }) {
      let n = 0;
      return tamperWithEngine(world, (_, path) => {
        const isSearch = /search/.test(path);
        if (isSearch) n += 1;
        return isSearch && n % 10 === 0 ? { delayMs: 20_000 } : {};
      });
    },
  },
  {
    ids: ["M7"],
    what: "somebody changes the index's settings every second",
    subject: "the settings",
    probes: ["engine searches", "products", "ops"],
    async apply(site) {
      const { results } = (await (await toEngine(site, "GET", "/indexes")).json()) as {
        results: { uid: string }[];
      };
      const uid = must(results.find((index) => index.uid.startsWith("products"))?.uid, "an index");
      let n = 0;
      return everySecond(() => {
        n += 1;
        const synonyms = { [`word${n}`]: ["other"] };
        return toEngine(site, "PATCH", `/indexes/${uid}/settings`, { synonyms });
      });
    },
  },
  {
    ids: ["B17", "B29", "M6", "M12"],
    what: "the index is lost again as soon as it is back",
    subject: "the index",
    probes: beyondTheEngine,
    warmSeconds: 3,
    async apply(site) {
      return everySecond(async () => {
        const { results } = (await (await toEngine(site, "GET", "/indexes")).json()) as {
          results: { uid: string }[];
        };
        for (const { uid } of results) await toEngine(site, "DELETE", `/indexes/${uid}`);
        await pause(4000);
      });
    },
  },
  {
    ids: ["D4"],
    what: "no room for new products in Postgres (53100)",
    subject: "writes of products",
    probes: ["engine searches", "products", "pages", "ops"],
    async apply(site) {
      await sqlOf(
        site,
        `create function lasting_full() returns trigger language plpgsql as $$
         begin raise exception 'No space left on device' using errcode = '53100'; end $$;
         create trigger lasting_full before insert or update on product
         for each statement execute function lasting_full()`,
      );
      return async () => void (await sqlOf(site, "drop function lasting_full cascade"));
    },
  },
  {
    ids: ["D6"],
    what: "Postgres is read-only",
    subject: "every write",
    probes: ["engine searches", "products", "pages", "health"],
    warmSeconds: 2,
    async apply(site) {
      const set = async (value: "on" | "off") => {
        await sqlOf(site, `alter system set default_transaction_read_only = ${value}`);
        await sqlOf(site, "select pg_reload_conf()");
      };
      await set("on");
      return () => set("off");
    },
  },
  openTransaction(
    ["D5", "B2"],
    "one product's row is locked",
    ({ itemIds }) => `select from product where item_id = ${itemIds[5]} for update`,
  ),
  openTransaction(
    ["D11"],
    "a transaction stays open that has written",
    () => "create temporary table lasting (n int) on commit drop; insert into lasting values (1)",
  ),
  {
    ids: ["D8", "D6"],
    what: "sessions of Kurabe are ended, one every second",
    subject: "one session at a time",
    probes: ["engine searches", "products", "ops", "answers stored"],
    apply: (site) =>
      everySecond(() =>
        sqlOf(
          site,
          `select pg_terminate_backend(pid) from (select pid from pg_stat_activity
           where application_name like 'kurabe:%' order by random() limit 1) s`,
        ),
      ),
  },
  {
    ids: ["P4"],
    what: "a worker is paused",
    subject: "the worker that crawls",
    probes: everything,
    warmSeconds: takeOverSeconds,
    async apply({ world }) {
      const leader = (await world.leader("crawl")) ?? must(world.fleet.workers()[0], "a worker");
      const process = leader.process();
      process.kill("SIGSTOP");
      return async () => process.kill("SIGCONT");
    },
  },
  {
    ids: ["P1", "P7"],
    what: "a worker is killed as soon as it is back",
    subject: "worker-1",
    probes: everything,
    warmSeconds: 3,
    async apply({ world }) {
      const victim = must(world.fleet.workers()[0], "a worker");
      return everySecond(async () => victim.kill());
    },
  },
  {
    ids: ["P8", "U23"],
    what: "a worker's clock is ten minutes ahead",
    subject: "a third worker",
    probes: everything,
    warmSeconds: 6,
    async apply({ world }) {
      const { servers, sandbox, fleet } = world;
      const ahead = `const Real = Date; const ahead = 600_000;
        globalThis.Date = class extends Real {
          constructor(...given) { given.length === 0 ? super(Real.now() + ahead) : super(...given); }
          static now() { return Real.now() + ahead; }
        };`;
      const odd = spawnKurabe(["worker"], {
        env: {
          ...fleet.env,
          NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(ahead)}`,
          DATA_DIR: `${fleet.env["DATA_DIR"]}/odd`,
          DATABASE_URL: servers.databaseUrl,
          MEILI_HOST: servers.engine.host,
          STOREFRONT_BASE_URL: sandbox.url,
        },
        detached: true,
      });
      await odd.says("kurabe is running");
      // It leads from now on.
      for (const slot of fleet.workers()) slot.kill();
      return async () => {
        odd.kill("SIGTERM");
        await odd.ended;
      };
    },
  },
  {
    ids: ["P5"],
    what: "a worker's event loop stands still most of the time",
    subject: "a third worker",
    probes: everything,
    warmSeconds: 10,
    async apply({ world }) {
      const { servers, sandbox, fleet } = world;
      const busy = `setInterval(() => { const end = performance.now() + 1500;
        while (performance.now() < end) Math.sqrt(2); }, 2000)`;
      const slow = spawnKurabe(["worker"], {
        env: {
          ...fleet.env,
          NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(busy)}`,
          DATA_DIR: `${fleet.env["DATA_DIR"]}/busy`,
          DATABASE_URL: servers.databaseUrl,
          MEILI_HOST: servers.engine.host,
          STOREFRONT_BASE_URL: sandbox.url,
        },
        detached: true,
      });
      return async () => {
        slow.kill("SIGKILL");
        await slow.ended;
      };
    },
  },
];
