import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { must } from "../../src/lib/must.ts";
import { killStarted } from "../support/processes.ts";
import {
  maxLagSeconds,
  openReplicatedApi,
  readsOf,
  type Answer,
} from "../support/replicated-api.ts";
import type { PostgresServer } from "../support/streaming-replica.ts";
import { until } from "../support/until.ts";

const cleanups: (() => Promise<unknown>)[] = [];
let primary: PostgresServer;
let replica: PostgresServer;
let api: string;
const { search, searchFor, priceOfProduct, readFrom, metric } = readsOf(() => api);

async function open(): Promise<void> {
  ({ primary, replica, api } = await openReplicatedApi(cleanups));
}
async function close(): Promise<void> {
  await killStarted();
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
}

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
