import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { runPromoted } from "../../src/cli/backup.ts";
import { readBudget } from "../../src/crawl/budget/budget-today.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { freePort } from "../support/free-port.ts";
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
  expect(await runPromoted(args, contextOf(test.url, stdout))).toBe(0);
  return said;
}

const contextOf = (url: string, stdout = { write: (_text: string) => {} }) => ({
  env: { DATABASE_URL: url },
  stdout,
  stderr: stdout,
  signal: new AbortController().signal,
});

it("a promoted Postgres makes no call of today unless told how many were made, and its readers begin anew", async () => {
  const before = await timeline();
  expect(await promoted("--calls-today", "120")).toContain(
    "at least 120 calls of today count as made",
  );
  expect(await usedToday()).toBe(120);
  // Fewer than it knows of cannot be right.
  await promoted("--calls-today", "7");
  expect(await usedToday()).toBe(120);
  expect(await promoted()).toContain("today's calls count as made");
  expect(await usedToday()).toBe(10_000);
  expect(await timeline()).not.toEqual(before);
});

it("says that the database is away, or of a newer version, before it changes anything", async () => {
  const url = `postgres://kurabe:canary@127.0.0.1:${await freePort()}/kurabe`;
  await expect(runPromoted([], contextOf(url))).rejects.toThrow(
    /^the database cannot be used: connect ECONNREFUSED .*; kurabe doctor checks it$/,
  );
  await test.db.execute(sql`
    insert into drizzle.__drizzle_migrations (hash, created_at) values ('', 9000000000000)`);
  await expect(runPromoted([], contextOf(test.url))).rejects.toThrow("by a newer Kurabe");
  expect(await usedToday()).toBe(0);
});

it("numbers that readers have seen in the lost transactions are not given again", async () => {
  const told = () =>
    test.db.execute(sql`
      insert into alert_event (owner_id, saved_search_id, item_id, kind, ver, data, is_quiet, changed_at)
      select 1, 1, 1, 'gone', coalesce(max(ver), 0) + 1, '{}', false, now() from alert_event returning event_id as id`);
  const grouped = () =>
    test.db.execute(sql`
      insert into group_change (at, kind, group_id, item_ids) values (now(), 'created', 1, '{1}') returning id`);
  const ids = async () => {
    const [[event], [change]] = [await told(), await grouped()];
    return [Number(event?.id), Number(change?.id)];
  };
  let before = await ids();
  // Twice: what came after the first loss may be lost too.
  for (let i = 0; i < 2; i += 1) {
    await promoted();
    const after = await ids();
    after.forEach((id, which) => expect(id).toBeGreaterThan((before[which] ?? NaN) + 1));
    before = after;
  }
});
