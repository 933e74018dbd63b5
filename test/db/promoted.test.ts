import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { runPromoted } from "../../src/cli/backup.ts";
import { readBudget } from "../../src/crawl/budget/budget-today.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { must } from "../../src/lib/must.ts";
import { openedForEach } from "../support/opened.ts";
import { createTestDb } from "../support/postgres.ts";

const test = openedForEach(createTestDb);

const rules = { dailyLimit: 10_000, timezone: "Asia/Tokyo" };
const usedToday = async () => (await readBudget(test.db, systemClock.now(), rules)).used;
const timeline = async () => (await test.db.execute(sql`select epoch from change_head`))[0];

/** `kurabe promoted` in this process; what it has said. */
async function promoted(...args: string[]): Promise<string> {
  let said = "";
  const stdout = { write: (text: string) => void (said += text) };
  const context = {
    env: { DATABASE_URL: test.url },
    stdout,
    stderr: stdout,
    signal: new AbortController().signal,
  };
  expect(await runPromoted(args, context)).toBe(0);
  return said;
}

it("a promoted Postgres makes no call of today unless told how many were made, and its readers begin anew", async () => {
  const before = await timeline();
  expect(await promoted("--calls-today", "120")).toContain("120 calls of today count as made");
  expect(await usedToday()).toBe(120);
  // Fewer than it knows of cannot be right.
  await promoted("--calls-today", "7");
  expect(await usedToday()).toBe(120);
  expect(await promoted()).toContain("today's calls count as made");
  expect(await usedToday()).toBe(10_000);
  expect(await timeline()).not.toEqual(before);
});

it("no event and no message gets a number that its reader may have seen of another one", async () => {
  const next = async () => {
    const [numbers] = await test.db.execute<{ event: number; message: number }>(sql`
      select nextval('alert_event_event_id_seq') as event,
        nextval('webhook_delivery_delivery_id_seq') as message`);
    return must(numbers, "the next numbers");
  };
  const before = await next();
  await promoted();
  const after = await next();
  expect(after.event).toBeGreaterThan(before.event + 1_000_000);
  expect(after.message).toBeGreaterThan(before.message + 1_000_000);
});
