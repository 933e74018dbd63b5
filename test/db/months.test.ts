import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { reserveCall } from "../../src/crawl/budget/budget.ts";
import { settleCall } from "../../src/crawl/budget/call-log.ts";
import { makeMonths, monthStart, readPartitions } from "../../src/db/months.ts";
import { must } from "../../src/lib/must.ts";
import { clockAt } from "../support/api.ts";
import { intent } from "../support/budgets.ts";
import { storeItems } from "../support/catalog.ts";
import { openTransaction } from "../support/open-transaction.ts";
import { openedForEach } from "../support/opened.ts";
import { createTestDb } from "../support/postgres.ts";
import { searchItem } from "../support/products.ts";

const tables = ["price_interval", "api_call"] as const;
const rules = {
  dailyLimit: 100,
  timezone: "Asia/Tokyo",
  maxCallsPerSecond: 1000,
  flightMs: 0,
  skewMs: 0,
};

const test = openedForEach(createTestDb);
/** When the partition ends that every new database has. */
let start: Date;
beforeEach(async () => {
  start = new Date((await readPartitions(test.db, "price_interval"))[0]?.until ?? "");
});

const monthsOn = (months: number) => new Date(monthStart(start, months));
const names = async (table: (typeof tables)[number]) =>
  (await readPartitions(test.db, table)).map(({ name }) => name.slice(table.length + 1));
const label = (months: number) => monthsOn(months).toISOString().slice(0, 7).replace("-", "_");

async function makeCall(at: Date): Promise<number> {
  const reservation = await reserveCall(test.db, clockAt(at.toISOString()), rules, intent);
  if (!reservation) throw new Error("the call was not granted");
  const result = { outcome: "ok", finishedAt: at, durationMs: 1 };
  const settle = () => test.db.transaction((tx) => settleCall(tx, reservation.callId, result));
  expect([await settle(), await settle()]).toEqual([true, false]);
  return reservation.callId;
}

describe("months", () => {
  it("are made three ahead, once", async () => {
    await makeMonths(test.db, monthsOn(0));
    await makeMonths(test.db, monthsOn(0));
    for (const table of tables)
      expect(await names(table)).toEqual(["first", ...[0, 1, 2, 3].map(label), "later"]);
    await makeMonths(test.db, monthsOn(1));
    expect(await names("api_call")).toEqual(["first", ...[0, 1, 2, 3, 4].map(label), "later"]);
  });

  it("that nobody made stop neither calls nor answers, and are made up for without moving a row", async () => {
    const ids: number[] = [];
    for (const months of [-40, 2, 7, 20]) {
      const at = new Date(monthsOn(months).getTime() + 86_400_000);
      ids.push(await makeCall(at));
      await storeItems(test.db, at.toISOString(), [searchItem(1, { price: 1000 + months })]);
    }
    expect(new Set(ids).size).toBe(4);
    const moved = () =>
      test.db.execute(sql`
        select i.first_seen, f.relfilenode from price_interval i
        join pg_class f on f.oid = i.tableoid order by 1`);
    const before = await moved();
    await makeMonths(test.db, monthsOn(20));
    expect(await moved()).toEqual(before);
    for (const table of tables)
      expect(await names(table)).toEqual(["first", label(0), ...[21, 22, 23].map(label), "later"]);
    const [ledger] = await test.db.execute<{ used: number; calls: number }>(sql`
      select (select sum(used) from budget_day)::int as used, count(*)::int as calls from api_call`);
    expect(ledger).toEqual({ used: 4, calls: 4 });
  });

  it("hold up a write for 1.5 s at most while somebody reads for long, and then wait for another day", async () => {
    const leave = await openTransaction(test.db, (tx) =>
      tx.execute(sql`select from price_interval limit 1`),
    );
    const failed = expect(makeMonths(test.db, monthsOn(0))).rejects.toThrow();
    const began = performance.now();
    await storeItems(test.db, monthsOn(0).toISOString(), [searchItem(1)]);
    expect(performance.now() - began).toBeLessThan(5000);
    await failed;
    await leave();
    await makeMonths(test.db, monthsOn(0));
    expect((await names("price_interval")).at(-2)).toBe(label(3));
  });

  it("are read from the newest on: an answer about the last calls opens no older one", async () => {
    await makeMonths(test.db, monthsOn(0));
    await makeCall(monthsOn(1));
    await storeItems(test.db, monthsOn(1).toISOString(), [searchItem(1)]);
    const plans = await Promise.all(
      [
        sql`select 1 from price_interval where item_id = 1 order by first_seen desc limit 1`,
        sql`select 1 from price_interval where item_id = 1 and first_seen > ${monthsOn(2).toISOString()}::timestamptz`,
      ].map((query) => test.db.execute<{ "QUERY PLAN": string }>(sql`explain ${query}`)),
    );
    const [newest, since] = plans.map((rows) => rows.map((row) => row["QUERY PLAN"]).join("\n"));
    expect(newest).toContain("Append");
    expect(newest).not.toContain("Merge Append");
    expect(must(since, "a plan")).not.toContain("price_interval_first");
  });
});
