import { systemClock } from "../../src/lib/clock.ts";
import { must } from "../../src/lib/must.ts";
import { startSandbox, type RunningSandbox } from "../../src/sandbox/server.ts";
import { openFaultProxy } from "../support/fault-proxy.ts";
import { withNaive, type Control } from "./arena.ts";
import { engineControls } from "./engine-controls.ts";

const countThenInsert: Control = {
  name: "the budget: count the calls made, then make one (8 at once, limit 100)",
  fails: (arena) =>
    withNaive(arena, 8, async (sql) => {
      await sql`create table call (id bigserial primary key)`;
      const mayCall = async () => {
        const [made] = await sql<{ n: string }[]>`select count(*) as n from call`;
        return Number(made?.n) < 100;
      };
      // In step, as chance would have it sooner or later: all count, then all who may make a call.
      for (;;) {
        const granted = await Promise.all(Array.from({ length: 8 }, mayCall));
        if (!granted.includes(true)) break;
        await Promise.all(granted.filter(Boolean).map(() => sql`insert into call default values`));
      }
      const [made] = await sql<{ n: string }[]>`select count(*) as n from call`;
      return Number(made?.n) > 100 ? `${made?.n} calls instead of 100` : null;
    }),
};

const ask = (sandbox: RunningSandbox, base: string, path: string) => {
  const { clientId, clientSecret } = sandbox.credentials;
  return fetch(`${base}${path}&client_id=${clientId}&client_secret=${clientSecret}`, {
    signal: AbortSignal.timeout(60_000),
  });
};

async function withSandbox<T>(work: (sandbox: RunningSandbox) => Promise<T>): Promise<T> {
  const sandbox = await startSandbox({ clock: systemClock, live: false, products: 60 });
  try {
    return await work(sandbox);
  } finally {
    await sandbox.close();
  }
}

const refund: Control = {
  name: "the budget: hand a call back when no answer came (limit 10)",
  fails: () =>
    withSandbox(async (sandbox) => {
      const { hostname: host, port } = new URL(sandbox.url);
      const proxy = await openFaultProxy({ host, port: Number(port) });
      await proxy.set({ mode: "reset", afterBytes: 0 });
      let used = 0;
      for (let attempt = 0; attempt < 15 && used < 10; attempt += 1) {
        used += 1;
        try {
          await ask(sandbox, `http://127.0.0.1:${proxy.port}`, "/1/search?q=x");
        } catch {
          used -= 1;
        }
      }
      await proxy.close();
      const arrived = sandbox.control.calls.all().length;
      return arrived > 10 ? `${arrived} calls arrived instead of 10` : null;
    }),
};

const believeEmpty: Control = {
  name: "deletion: believe a wholly empty answer at once",
  fails: () =>
    withSandbox(async (sandbox) => {
      const first = must(sandbox.control.items()[0], "an item");
      const known = sandbox.control.items().filter((item) => item["shop_id"] === first["shop_id"]);
      sandbox.control.faults.fail("empty_refresh");
      const ids = known.map((item) => item["item_id"]).join(",");
      const path = `/1/search/refresh?shop_id=${String(first["shop_id"])}&item_id=${ids}`;
      const { items } = (await (await ask(sandbox, sandbox.url, path)).json()) as {
        items: { item_id: number }[];
      };
      const returned = new Set(items.map((item) => item.item_id));
      const dropped = known.filter((item) => !returned.has(Number(item["item_id"])));
      return dropped.length > 0 ? `${dropped.length} products dropped that are still sold` : null;
    }),
};

const progressFirst: Control = {
  name: "the crawl: commit how far it got apart from what was found, session killed in between",
  fails: (arena) =>
    withNaive(arena, 2, async (sql) => {
      await sql`create table progress (page int)`;
      await sql`create table item (id int primary key)`;
      await sql`insert into progress values (0)`;
      const page = (n: number) => Array.from({ length: 50 }, (_, i) => n * 50 + i);
      for (let attempt = 0; attempt < 4; attempt += 1) {
        const [at] = await sql<{ page: number }[]>`select page from progress`;
        const number = Number(at?.page);
        if (number === 3) break;
        await sql`update progress set page = page + 1`;
        try {
          await sql.begin(async (tx) => {
            for (const id of page(number)) await tx`insert into item values (${id})`;
            if (attempt === 1) await tx`select pg_terminate_backend(pg_backend_pid())`;
          });
        } catch (error) {
          if (attempt !== 1) throw error;
        }
      }
      const [stored] = await sql<{ n: string }[]>`select count(*) as n from item`;
      return Number(stored?.n) < 150 ? `${150 - Number(stored?.n)} of 150 items lost` : null;
    }),
};

const cursor: Control = {
  name: "the mirror: read the changes after the last number seen",
  fails: (arena) =>
    withNaive(arena, 2, async (sql) => {
      await sql`create table change (seq bigserial primary key, id int)`;
      const seen: number[] = [];
      let last = 0;
      const read = async () => {
        const rows = await sql<{ seq: string; id: number }[]>`
          select seq, id from change where seq > ${last} order by seq`;
        for (const row of rows) {
          last = Number(row.seq);
          seen.push(row.id);
        }
      };
      await sql.begin(async (slow) => {
        await slow`insert into change (id) values (1)`;
        await sql`insert into change (id) values (2)`;
        await read();
      });
      await read();
      return seen.includes(1) ? null : "the change that committed later was never seen";
    }),
};

const migrateAtOnce: Control = {
  name: "migrations: create what does not exist, by 12 at once",
  fails: (arena) =>
    withNaive(arena, 12, async (sql) => {
      for (let attempt = 0; attempt < 500; attempt += 1) {
        const table = sql(`table_${attempt}`);
        const results = await Promise.allSettled(
          Array.from({ length: 12 }, async () => sql`create table if not exists ${table} (id int)`),
        );
        const failed = results.filter((result) => result.status === "rejected");
        if (failed.length > 0) return `${failed.length} of 12 failed`;
      }
      return null;
    }),
};

export const controls: readonly Control[] = [
  countThenInsert,
  refund,
  believeEmpty,
  progressFirst,
  cursor,
  migrateAtOnce,
  ...engineControls,
];
