import { expect, it } from "vitest";
import { migrateDb } from "../../src/db/migrate.ts";
import { connect, databaseBefore } from "../support/database-before.ts";

it("what the quarantine held once for every answer is held once, and counted", async () => {
  const url = await databaseBefore("quarantine_once");
  const client = connect(url);
  await client`
    insert into quarantine (call_id, item_id, reason, raw, seen_at)
    select n, nullif(n % 3, 0), 'no price', 'text ' || n % 2, timestamptz '2026-01-01' + n * interval '1 h'
    from generate_series(1, 12) n`;
  await migrateDb(url);
  const rows = await client`
    select call_id::int, item_id::int, times, extract(hour from first_seen_at at time zone 'UTC')::int as first
    from quarantine order by id`;
  expect([...rows]).toEqual([
    { call_id: 9, item_id: null, times: 2, first: 3 },
    { call_id: 10, item_id: 1, times: 4, first: 1 },
    { call_id: 11, item_id: 2, times: 4, first: 2 },
    { call_id: 12, item_id: null, times: 2, first: 6 },
  ]);
  const [count] = await client`
    select sum(n)::int as n from (
      select n from kept_count where key = 'quarantine' union all select n from count_change where key = 'quarantine') c`;
  expect(count).toEqual({ n: 4 });
});
