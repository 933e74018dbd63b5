import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import { runLoop } from "../../src/lib/loop.ts";
import { silentLogger as logger } from "../../src/lib/logger.ts";
import { createMatching } from "../../src/matching/upkeep/step.ts";
import { storeItems } from "../support/catalog.ts";
import { groupOf, matchAll, offer, readGroups } from "../support/matching.ts";
import { openedForEach } from "../support/opened.ts";
import { createTestDb } from "../support/postgres.ts";
import { until } from "../support/until.ts";

const test = openedForEach(createTestDb);

const sony = (itemId: number) => offer(itemId, "Sony WH-1000XM4 wireless headphones");
const bose = (itemId: number) => offer(itemId, "Bose QC45-8669 comfort headphones");

it("a changed title is in its new group within 5 s of its observation, while the worker's loop runs", async () => {
  const stop = new AbortController();
  const running = runLoop({
    name: "matching",
    clock: systemClock,
    logger,
    signal: stop.signal,
    step: createMatching({ db: test.db, clock: systemClock, logger }),
  });
  await storeItems(test.db, "2026-01-01T01:00:00Z", [sony(1), sony(2), bose(3), bose(4)]);
  await until(async () => (await readGroups(test.db)).length === 2, { what: "two groups" });
  await storeItems(test.db, "2026-01-01T02:00:00Z", [bose(2)]);
  await until(async () => (await groupOf(test.db, 2)) === (await groupOf(test.db, 3)), {
    timeoutMs: 5000,
    what: "its new group",
  });
  stop.abort();
  await running;
  expect(await readGroups(test.db)).toEqual([[2, 3, 4]]);
});

it("P8: what became due before the clock of Postgres was set back is matched at once, and what had failed too", async () => {
  await storeItems(test.db, "2026-01-01T01:00:00Z", [sony(1), sony(2), bose(3), bose(4)]);
  await test.db.execute(sql`update match_due set next_at = now() + interval '9 hours'`);
  await test.db.execute(sql`update match_due set attempts = 3 where item_id > 2`);
  await matchAll(test.db);
  expect(await readGroups(test.db)).toEqual([
    [1, 2],
    [3, 4],
  ]);
});
