import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import { must } from "../../src/lib/must.ts";
import { startSandbox } from "../../src/sandbox/server.ts";
import { storeItems } from "../support/catalog.ts";
import { createDataDir } from "../support/data-dir.ts";
import { openFaultProxy, type FaultProxy } from "../support/fault-proxy.ts";
import { killStarted, spawnKurabe } from "../support/processes.ts";
import { searchItem } from "../support/products.ts";
import { openReplicated, pauseReplay, type PostgresServer } from "../support/streaming-replica.ts";
import { until } from "../support/until.ts";
import { itLong } from "../support/it-long.ts";

const cleanups: (() => Promise<unknown>)[] = [];
/** The smallest that can be set. */
const maxLagSeconds = 3;
let primary: PostgresServer;
let replica: PostgresServer;
/** Between the API and the replica, and between the API and the primary. */
let toReplica: FaultProxy;
let toPrimary: FaultProxy;
let api: string;

async function open(): Promise<void> {
  ({ primary, replica } = await openReplicated(cleanups));
  toReplica = await proxyOf(replica);
  toPrimary = await proxyOf(primary);
  await store(1, 1000);
  api = await startApi();
  await readFrom("replica");
}
async function close(): Promise<void> {
  await killStarted();
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
}

async function proxyOf({ port }: PostgresServer): Promise<FaultProxy> {
  const proxy = await openFaultProxy({ host: "127.0.0.1", port });
  cleanups.push(proxy.close);
  return proxy;
}

function through({ port }: FaultProxy, { url }: PostgresServer): string {
  const address = new URL(url);
  address.port = String(port);
  return address.href;
}

async function startApi(env: Record<string, string> = {}): Promise<string> {
  const dir = await createDataDir();
  cleanups.push(dir.remove);
  const meili = inject("meili");
  const kurabe = spawnKurabe(["api"], {
    env: {
      DATABASE_URL: through(toPrimary, primary),
      DATABASE_REPLICA_URL: through(toReplica, replica),
      REPLICA_MAX_LAG_S: String(maxLagSeconds),
      MEILI_HOST: meili.host,
      MEILI_API_KEY: meili.apiKey,
      DATA_DIR: dir.path,
      PORT: "0",
      ...env,
    },
  });
  const output = await kurabe.says("kurabe is running");
  return must(/"url":"(http:[^"]+)"/.exec(output)?.[1], "the address");
}

const store = (itemId: number, price: number) =>
  storeItems(primary.db, new Date().toISOString(), [
    searchItem(itemId, { title: "革の鞄", price }),
  ]);

interface Answer {
  status: number;
  tookMs: number;
  price: number | null;
  readFrom: string | undefined;
  lagSeconds: number | null | undefined;
}

async function search(base = api): Promise<Answer> {
  const startedMs = performance.now();
  const response = await fetch(`${base}/v1/products?q=${encodeURIComponent("革")}`);
  const body = (await response.json()) as {
    items?: { price: number }[];
    freshness?: { read_from?: string; replica_lag_s?: number | null };
  };
  return {
    status: response.status,
    tookMs: performance.now() - startedMs,
    price: body.items?.[0]?.price ?? null,
    readFrom: body.freshness?.read_from,
    lagSeconds: body.freshness?.replica_lag_s,
  };
}

/** Searches twenty times a second for as long as that. */
async function searchFor(ms: number, see: (answer: Answer) => unknown): Promise<void> {
  const sinceMs = performance.now();
  while (performance.now() - sinceMs < ms) {
    await see(await search());
    await systemClock.sleep(50);
  }
}

async function priceOfProduct(): Promise<number> {
  const response = await fetch(`${api}/v1/products/1`);
  expect(response.status).toBe(200);
  return ((await response.json()) as { price: number }).price;
}

const readFrom = (source: "primary" | "replica", base = api) =>
  until(async () => (await search(base)).readFrom === source, {
    timeoutMs: 30_000,
    what: `reads to go to the ${source}`,
  });

async function metric(name: string): Promise<number | null> {
  const text = await (await fetch(`${api}/metrics`)).text();
  const value = new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1];
  return value === undefined ? null : Number(value);
}

/** How often the API has read the table of products on this server. */
async function productReads({ db }: PostgresServer): Promise<number> {
  const [row] = await db.execute<{ n: number }>(sql`
    select coalesce(idx_scan, 0) + seq_scan as n from pg_stat_user_tables where relname = 'product'`);
  return must(row, "the statistics of products").n;
}

describe("reads with a streaming replica", () => {
  beforeAll(open, 120_000);
  afterAll(close);

  it("go to the replica, and say how far behind it may be", async () => {
    await readFrom("replica");
    const before = await productReads(primary);
    const beforeOfReplica = await productReads(replica);
    for (let n = 0; n < 200; n += 1) expect(await priceOfProduct()).toBe(1000);
    await until(async () => (await productReads(replica)) >= beforeOfReplica + 200, {
      timeoutMs: 20_000,
      what: "the reads to be counted by the replica",
    });
    // Statistics come late: these are of searches before the replica was used.
    expect((await productReads(primary)) - before).toBeLessThan(100);
    const { lagSeconds } = await search();
    expect(lagSeconds).toBeGreaterThanOrEqual(0);
    expect(lagSeconds).toBeLessThan(maxLagSeconds);
    expect(await metric("kurabe_replica_in_use")).toBe(1);
    expect(await metric("kurabe_replica_lag_seconds")).toBeLessThan(maxLagSeconds);
  }, 120_000);

  it("leave a replica that falls behind within the bound, and come back once it has caught up", async () => {
    await readFrom("replica");
    await pauseReplay(replica.db);
    await store(1, 2000);
    const writtenMs = performance.now();
    // An answer says of itself how old it may be: one without the change is never older than the bound.
    for (;;) {
      const askedMs = performance.now();
      const { price, lagSeconds } = await search();
      // An answer that began at the replica and ended at the primary says that it is of the replica.
      if (price === 2000) break;
      expect(askedMs - writtenMs).toBeLessThan(maxLagSeconds * 1000);
      expect(must(lagSeconds, "the lag") * 1000).toBeGreaterThan(askedMs - writtenMs - 100);
      await systemClock.sleep(20);
    }
    expect(await search()).toMatchObject({ price: 2000, readFrom: "primary" });
    expect(await priceOfProduct()).toBe(2000);
    expect(await metric("kurabe_replica_in_use")).toBe(0);
    await replica.db.execute(sql`select pg_wal_replay_resume()`);
    await readFrom("replica");
    expect(await search()).toMatchObject({ price: 2000 });
  }, 120_000);

  itLong(
    "do not leave a replica because nothing is written",
    async () => {
      await readFrom("replica");
      await searchFor(5000, ({ readFrom: source, lagSeconds }) => {
        expect(source).toBe("replica");
        expect(lagSeconds).toBeLessThan(maxLagSeconds);
      });
    },
    120_000,
  );

  itLong(
    "do not wait for a replica that hangs, and come back",
    async () => {
      await readFrom("replica");
      await toReplica.set({ mode: "hang" });
      const first = await Promise.all(Array.from({ length: 10 }, () => search()));
      for (const { status, tookMs } of first) {
        expect(status).toBe(200);
        expect(tookMs).toBeLessThan(4000);
      }
      const later = await search();
      expect(later).toMatchObject({ status: 200, readFrom: "primary" });
      expect(later.tookMs).toBeLessThan(1500);
      expect((await fetch(`${api}/readyz`)).status).toBe(200);
      await toReplica.set({ mode: "pass" });
      await readFrom("replica");
    },
    120_000,
  );

  itLong(
    "show a refresh to whoever asked for it, at every API, while the replica does not follow",
    async () => {
      const upstream = await startSandbox({ clock: systemClock, live: false, products: 20 });
      cleanups.push(upstream.close);
      const dir = await createDataDir();
      cleanups.push(dir.remove);
      spawnKurabe(["worker"], {
        env: {
          DATABASE_URL: primary.url,
          DATA_DIR: dir.path,
          STOREFRONT_BASE_URL: upstream.url,
          CRAWL_KEYWORDS: upstream.keywords.join(","),
          CRAWL_PACING: "burst",
        },
      });
      const id = Number(must(upstream.control.items()[0], "an item")["item_id"]);
      const product = `${api}/v1/products/${id}`;
      const other = await startApi();
      await until(async () => (await fetch(product)).ok, { what: "the product to be found" });
      await readFrom("replica");
      await readFrom("replica", other);
      await pauseReplay(replica.db);
      upstream.control.edit(id, { price: 4321 }, { silent: true });
      const refreshed = async () => {
        const answer = await fetch(`${product}/refresh?min_age_s=1`, { method: "POST" });
        // 202: the call is still waiting.
        // The crawl may have checked it a moment before the edit.
        return answer.status === 200 && ((await answer.json()) as { price: number }).price === 4321;
      };
      await until(refreshed, { what: "the refresh" });
      for (let n = 0; n < 5; n += 1) {
        const { price } = (await (await fetch(`${other}/v1/products/${id}`)).json()) as {
          price: number;
        };
        expect(price).toBe(4321);
        expect(await (await fetch(product)).json()).toMatchObject({ price: 4321 });
      }
      await replica.db.execute(sql`select pg_wal_replay_resume()`);
      await readFrom("replica");
      expect(await (await fetch(product)).json()).toMatchObject({ price: 4321 });
    },
    120_000,
  );

  itLong(
    "go to the primary where the address is not that of its replica",
    async () => {
      const other = await startApi({ DATABASE_REPLICA_URL: through(toPrimary, primary) });
      api = other;
      await searchFor(5000, (answer) =>
        expect(answer).toMatchObject({ status: 200, readFrom: "primary" }),
      );
    },
    120_000,
  );
});

if (inject("long")) {
  describe("reads when a server is lost", () => {
    beforeEach(open, 120_000);
    afterEach(close);

    it("are answered by the primary, at their usual pace, while the replica is dead", async () => {
      await readFrom("replica");
      await replica.kill();
      const answers: Answer[] = [];
      await searchFor(6000, async (answer) => {
        answers.push(answer);
        expect(await priceOfProduct()).toBe(1000);
        expect((await fetch(`${api}/readyz`)).status).toBe(200);
      });
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      expect(Math.max(...answers.map(({ tookMs }) => tookMs))).toBeLessThan(2000);
      expect(answers.at(-1)).toMatchObject({ price: 1000, readFrom: "primary" });
      expect(await metric("kurabe_replica_in_use")).toBe(0);
    }, 120_000);

    it("stay on the replica while the primary is dead and when it is promoted, and say how old they may be", async () => {
      await readFrom("replica");
      await primary.kill();
      let oldest = 0;
      await until(
        async () => {
          const { status, price, readFrom: source, lagSeconds } = await search();
          expect({ status, price, source }).toEqual({
            status: 200,
            price: 1000,
            source: "replica",
          });
          expect(lagSeconds).toBeGreaterThanOrEqual(oldest - 1);
          oldest = must(lagSeconds, "the lag");
          expect(await priceOfProduct()).toBe(1000);
          return oldest > 2 * maxLagSeconds;
        },
        { timeoutMs: 30_000, what: "the stated age to grow beyond the bound" },
      );
      expect((await fetch(`${api}/readyz`)).status).toBe(200);
      await replica.db.execute(sql`select pg_promote()`);
      await searchFor(4000, (answer) =>
        expect(answer).toMatchObject({ status: 200, price: 1000, readFrom: "replica" }),
      );
    }, 120_000);
  });
}
