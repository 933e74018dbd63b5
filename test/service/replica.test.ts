import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import { must } from "../../src/lib/must.ts";
import { startSandbox } from "../../src/sandbox/server.ts";
import { createDataDir } from "../support/data-dir.ts";
import type { FaultProxy } from "../support/fault-proxy.ts";
import { itLong } from "../support/it-long.ts";
import { killStarted, spawnKurabe } from "../support/processes.ts";
import {
  maxLagSeconds,
  openReplicatedApi,
  readsOf,
  through,
  type ReplicatedApi,
} from "../support/replicated-api.ts";
import { pauseReplay, type PostgresServer } from "../support/streaming-replica.ts";
import { until } from "../support/until.ts";

const cleanups: (() => Promise<unknown>)[] = [];
let primary: PostgresServer;
let replica: PostgresServer;
let toReplica: FaultProxy;
let toPrimary: FaultProxy;
let startApi: ReplicatedApi["startApi"];
let store: ReplicatedApi["store"];
let api: string;
const { search, searchFor, priceOfProduct, readFrom, metric } = readsOf(() => api);

async function open(): Promise<void> {
  ({ primary, replica, toReplica, toPrimary, startApi, store, api } =
    await openReplicatedApi(cleanups));
}
async function close(): Promise<void> {
  await killStarted();
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
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
