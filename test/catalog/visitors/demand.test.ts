import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import {
  createDemandBuffer,
  forgetDemand,
  readDemand,
} from "../../../src/catalog/visitors/demand.ts";
import { absentDb } from "../../support/api.ts";
import { createTestClock } from "../../support/clock.ts";
import { openedForAll } from "../../support/opened.ts";
import { createTestDb } from "../../support/postgres.ts";

const dayMs = 86_400_000;
const test = openedForAll(createTestDb);
beforeEach(() => test.db.execute(sql`truncate demand`));

const clock = createTestClock();
const scores = (ids: number[]) => readDemand(test.db, ids, clock.now());

describe("demand", () => {
  it("counts what is shown less the lower it stands, and what is opened more than that", async () => {
    const demand = createDemandBuffer(test.db, clock);
    demand.shown([1, 2, 3]);
    demand.shown([4], 20);
    demand.opened(5);
    demand.opened(6, 3);
    await demand.flush();
    const seen = await scores([1, 2, 3, 4, 5, 6, 7]);
    const inOrder = [4, 3, 2, 1, 5, 6].map((id) => seen.get(id) ?? 0);
    expect(inOrder).toEqual(inOrder.toSorted((a, b) => a - b));
    expect(seen.get(1)).toBeCloseTo(0.1);
    expect(seen.get(6)).toBe(3);
    expect(seen.has(7)).toBe(false);
  });

  it("fades by half a week, adding up as if every look had faded by itself", async () => {
    const demand = createDemandBuffer(test.db, clock);
    demand.opened(1, 8);
    await demand.flush();
    await clock.advance(7 * dayMs);
    expect((await scores([1])).get(1)).toBeCloseTo(4);
    demand.opened(1, 2);
    await demand.flush();
    await clock.advance(7 * dayMs);
    expect((await scores([1])).get(1)).toBeCloseTo(3);
  });

  it("adds up what several processes saw at once, without deadlock", async () => {
    const buffers = Array.from({ length: 8 }, () => createDemandBuffer(test.db, clock));
    for (let round = 0; round < 5; round += 1) {
      for (const [i, demand] of buffers.entries()) {
        const ids = Array.from({ length: 200 }, (_, n) => n + 1);
        for (const id of i % 2 === 0 ? ids : ids.toReversed()) demand.opened(id);
      }
      await Promise.all(buffers.map((demand) => demand.flush()));
    }
    const seen = await scores([1, 200]);
    expect(seen.get(1)).toBeCloseTo(40);
    expect(seen.get(200)).toBeCloseTo(40);
  });

  it("costs a search microseconds, whatever the database does", async () => {
    const demand = createDemandBuffer(absentDb(), clock);
    const page = Array.from({ length: 100 }, (_, i) => i);
    const startedMs = performance.now();
    for (let i = 0; i < 10_000; i += 1) demand.shown(page.map((id) => id + i * 100));
    expect((performance.now() - startedMs) / 10_000).toBeLessThan(1);
    await expect(demand.flush()).rejects.toThrow();
    // What could not be written is lost, and nothing piles up: the next flush has nothing to write.
    await demand.flush();
  });

  it("is forgotten when it has faded away", async () => {
    const demand = createDemandBuffer(test.db, clock);
    demand.opened(1);
    demand.opened(2, 20);
    await demand.flush();
    await clock.advance(60 * dayMs);
    await forgetDemand(test.db, clock.now());
    expect([...(await scores([1, 2])).keys()]).toEqual([2]);
    await clock.advance(40 * dayMs);
    await forgetDemand(test.db, clock.now());
    const [left] = await test.db.execute(sql`select count(*) as n from demand`);
    expect(left).toEqual({ n: 0 });
  });
});
