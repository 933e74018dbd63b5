import { expect, it } from "vitest";
import { toDays } from "../../src/crawl/scoring/days.ts";
import { noteUnanswered } from "../../src/crawl/safety/backoff.ts";
import { openedForAll } from "../support/opened.ts";
import { createTestDb } from "../support/postgres.ts";

const test = openedForAll(createTestDb);

it("B10: a product that answers say nothing usable of waits twice as long every time, up to 16 days, however often that was", async () => {
  const at = new Date("2026-01-01T00:00:00Z");
  const waits: number[] = [];
  for (let callId = 1; callId <= 40; callId += 1) {
    const note = { code: "unreadable", reason: "its data cannot be read", callId, at };
    const due = await test.db.transaction((tx) => noteUnanswered(tx, [1], note));
    waits.push(...due.map(({ dueAt }) => dueAt - toDays(at)));
  }
  expect(waits.slice(0, 8)).toEqual([0.25, 0.5, 1, 2, 4, 8, 16, 16]);
  expect(waits.slice(8)).toEqual(Array.from({ length: 32 }, () => 16));
});
