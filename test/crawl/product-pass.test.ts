import { sql } from "drizzle-orm";
import { afterEach, describe, expect, it } from "vitest";
import { readCalls } from "../support/calls.ts";
import { readLastRuns, startRun } from "../../src/crawl/budget/jobs.ts";
import { noteBatchFailure } from "../../src/crawl/safety/product-backoffs.ts";
import { systemClock, type Clock } from "../../src/lib/clock.ts";
import { must } from "../../src/lib/must.ts";
import type { StorefrontClient } from "../../src/storefront/client.ts";
import { NoConnection } from "../../src/storefront/errors.ts";
import { createTestApi } from "../support/api.ts";
import { failureAt } from "../support/backoffs.ts";
import { createTestCrawl, type TestCrawl } from "../support/crawl.ts";
import { until } from "../support/until.ts";
import { itLong } from "../support/it-long.ts";

let crawl: TestCrawl;
let aheadMs = 0;
const clock: Clock = {
  ...systemClock,
  now: () => new Date(systemClock.now().getTime() + aheadMs),
};
const lanes = 2;

/** Refreshes wait while the gate is closed. */
function createGate() {
  let room = Infinity;
  const held: (() => void)[] = [];
  return {
    closeAfter(refreshes: number) {
      room = refreshes;
    },
    open() {
      room = Infinity;
      for (const go of held.splice(0)) go();
    },
    held: () => held.length,
    through: (client: StorefrontClient): StorefrontClient => ({
      ...client,
      async refresh(...asked) {
        if (room > 0) room -= 1;
        else await new Promise<void>((go) => held.push(go));
        return client.refresh(...asked);
      },
    }),
  };
}
let gate: ReturnType<typeof createGate>;

afterEach(() => {
  gate.open();
  return crawl.close();
});

/** A pass under way: some refreshes are answered, and each lane of the process waits for one more. */
async function openPass(answered: number): Promise<void> {
  aheadMs = 0;
  gate = createGate();
  crawl = await createTestCrawl({ discovered: true, clock, through: gate.through });
  gate.closeAfter(answered);
  await startRun(crawl.db, "revalidate", "manual", clock.now());
  await until(() => gate.held() === lanes, { what: "every lane waits at the gate" });
}

const stop = () => createTestApi(crawl.db, { clock }).ops("POST", "/ops/v1/jobs/revalidate/stop");
const refreshes = () =>
  crawl.sandbox.control.calls.all().filter((call) => call.operation === "refresh");
const isSettled = async () =>
  (await readCalls(crawl.db, { limit: 1000, status: "unknown" })).length === 0;
const lastRun = async () =>
  must((await readLastRuns(crawl.db, "revalidate")).last, "a run that ended");

describe("a pass over all products started by hand", () => {
  itLong(
    "B1: also looks at shops whose calls failed before it began, half by half, and ends",
    async () => {
      aheadMs = 0;
      gate = createGate();
      crawl = await createTestCrawl({ discovered: true, clock });
      const shops = await crawl.db.execute<{ shop_id: string; ids: number[] }>(sql`
      select shop_id, json_agg(item_id order by item_id) as ids from product
      group by 1 having count(*) > 2 limit 3`);
      expect(shops).toHaveLength(3);
      const [late, ...due] = shops;
      await crawl.db.transaction(async (tx) => {
        const hourAgo = new Date(clock.now().getTime() - 3_600_000);
        for (const { shop_id: shopId, ids: itemIds } of due)
          await noteBatchFailure(tx, { shopId, itemIds }, failureAt(hourAgo));
        const { shop_id: shopId, ids: itemIds } = must(late, "a shop");
        await noteBatchFailure(tx, { shopId, itemIds }, failureAt(clock.now()));
        await tx.execute(sql`
        update backoff set retry_at = now() + interval '1 hour' where key = ${shopId}`);
      });
      await crawl.run("revalidate");
      const asked = refreshes().flatMap((call) => call.asked);
      const left = must(late, "a shop").ids;
      const visible = crawl.sandbox.control.items().filter((item) => item.visible === 1);
      const wanted = visible.map((item) => Number(item.item_id)).filter((id) => !left.includes(id));
      expect(new Set(asked)).toEqual(new Set(wanted));
      expect(asked).toHaveLength(wanted.length);
    },
  );

  itLong("also looks at the products of a call that found no connection", async () => {
    aheadMs = 0;
    gate = createGate();
    let asked = 0;
    crawl = await createTestCrawl({
      discovered: true,
      clock,
      through: (client) => ({
        ...client,
        async refresh(...params) {
          if ((asked += 1) === 1) throw new NoConnection("network", "unreachable");
          return client.refresh(...params);
        },
      }),
    });
    await crawl.run("revalidate");
    const { startedAt } = await lastRun();
    const unchecked = await crawl.db.execute(sql`
      select from product where state <> 'gone' and checked_at < ${startedAt.toISOString()}`);
    expect(await readCalls(crawl.db, { limit: 10, outcome: "network" })).toHaveLength(1);
    expect(unchecked).toHaveLength(0);
  });

  itLong(
    "B9: can be stopped: calls under way are finished, and none is made after them",
    async () => {
      await openPass(1);
      const answer = await stop();
      expect(answer.status).toBe(200);
      expect(await answer.json()).toMatchObject({ job: "revalidate", outcome: "stopped" });
      gate.open();
      await until(isSettled, { what: "calls under way are settled" });
      await crawl.run("feed");
      expect(refreshes()).toHaveLength(1 + lanes);
      expect(await lastRun()).toMatchObject({ outcome: "stopped", calls: 1 + lanes });
      expect((await stop()).status).toBe(409);
    },
  );

  itLong("B9: a call that is being chosen when ops stop the pass is not made", async () => {
    await openPass(0);
    aheadMs += 10_000;
    await crawl.db.transaction(async (tx) => {
      await tx.execute(sql`lock table crawl_query in access exclusive mode`);
      gate.open();
      const choosing = async () =>
        (
          await tx.execute(sql`
          select from pg_locks where not granted and relation = 'crawl_query'::regclass`)
        ).length > 0;
      await until(choosing, { what: "the next call is being chosen" });
      expect((await stop()).status).toBe(200);
    });
    await crawl.run("feed");
    expect(refreshes()).toHaveLength(lanes);
  });

  it("B9: goes on at its position in another process after a restart", async () => {
    await openPass(3);
    const stopped = crawl.first.stop();
    gate.open();
    await stopped;
    const before = refreshes();
    expect(before).toHaveLength(3 + lanes);
    const [run] = await crawl.db.execute<{ shopId: string; itemId: number }>(sql`
      select position ->> 'shopId' as "shopId", (position ->> 'itemId')::bigint as "itemId"
      from job_run where job = 'revalidate' and finished_at is null`);
    const { shopId, itemId } = must(run, "the run, still active");
    expect(before.flatMap((call) => call.asked)).toContain(itemId);
    crawl.addProcess();
    const isOver = async () => (await readLastRuns(crawl.db, "revalidate")).active === null;
    await until(isOver, { what: "the pass is over" });
    const after = refreshes().slice(before.length);
    const [behind] = await crawl.db.execute<{ n: number }>(sql`
      select count(*) as n from product
      where item_id in (select x::bigint from json_array_elements_text(
          ${JSON.stringify(after.flatMap((call) => call.asked))}::text::json) as t(x))
        and (shop_id, item_id) <= (${shopId}, ${itemId})`);
    expect(behind).toEqual({ n: 0 });
    const asked = [...before, ...after].flatMap((call) => call.asked);
    const visible = crawl.sandbox.control.items().filter((item) => item.visible === 1);
    expect(asked).toHaveLength(visible.length);
    expect(new Set(asked).size).toBe(visible.length);
    expect(await lastRun()).toMatchObject({ outcome: "done", calls: before.length + after.length });
  });
});
