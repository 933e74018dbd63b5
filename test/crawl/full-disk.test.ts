import { sql } from "drizzle-orm";
import { afterEach, describe, expect, it } from "vitest";
import { readCalls } from "../support/calls.ts";
import { startRun } from "../../src/crawl/budget/jobs.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { createTestCrawl, type TestCrawl } from "../support/crawl.ts";
import { until } from "../support/until.ts";
import { itLong } from "../support/it-long.ts";

let crawl: TestCrawl;
afterEach(() => crawl.close());

const calls = () => crawl.sandbox.control.calls.all().length;

/**
 * Postgres refuses statements that need space, with the error code of a full disk; small updates still
 * succeed.
 */
async function fill(): Promise<void> {
  await crawl.db.execute(sql`
    create function disk_full() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`);
  await crawl.db.execute(sql`
    create trigger disk_full before insert on product for each statement execute function disk_full()`);
}

async function untilEverythingIsFound(): Promise<void> {
  const live = crawl.sandbox.control.items().filter((item) => item.visible === 1).length;
  await until(
    async () => {
      const [row] = await crawl.db.execute<{ n: number }>(sql`select count(*) as n from product`);
      return row?.n === live;
    },
    { what: "everything to be found" },
  );
}

describe("a full disk", () => {
  it("D4: stops the spending of calls at once, and what was answered is stored when there is room", async () => {
    crawl = await createTestCrawl();
    await fill();
    await startRun(crawl.db, "discover", "manual", systemClock.now());
    await until(() => calls() > 0, { what: "a first call" });
    await new Promise((resolve) => setTimeout(resolve, 2500));
    // Two lanes: each may have had a call under way.
    expect(calls()).toBeLessThanOrEqual(2);
    const spent = calls();
    await crawl.db.execute(sql`drop trigger disk_full on product`);
    await untilEverythingIsFound();
    const ledger = await readCalls(crawl.db, { limit: 1000 });
    expect(ledger.slice(-spent).map((call) => call.outcome)).toEqual(
      Array.from({ length: spent }, () => "ok"),
    );
  });

  itLong(
    "D4: a call that could not be reserved is planned again, and keeps its keyword from nothing",
    async () => {
      crawl = await createTestCrawl({ sandbox: { products: 300 } });
      // Counts outside transactions, so that refused ones count too.
      await crawl.db.execute(sql`create sequence attempts minvalue 0 start 0`);
      await crawl.db.execute(sql`
      create function no_reservation() returns trigger language plpgsql as $$
      begin
        perform nextval('attempts');
        raise exception 'No space left on device' using errcode = '53100';
      end $$`);
      await crawl.db.execute(sql`
      create trigger no_reservation before insert on api_call
      for each statement execute function no_reservation()`);
      await startRun(crawl.db, "discover", "manual", systemClock.now());
      await until(
        async () => {
          const [row] = await crawl.db.execute<{ n: number }>(
            sql`select last_value as n from attempts`,
          );
          return (row?.n ?? 0) >= 3;
        },
        { what: "attempts to reserve" },
      );
      expect(calls()).toBe(0);
      await crawl.db.execute(sql`drop trigger no_reservation on api_call`);
      await untilEverythingIsFound();
    },
  );
});
