import { randomBytes } from "node:crypto";
import { afterEach, describe, expect, inject, it, onTestFinished } from "vitest";
import { migrateDb } from "../../src/db/migrate.ts";
import { connect, databaseBefore, emptyDatabase } from "../support/database-before.ts";
import { until } from "../support/until.ts";
import { openTransaction } from "../support/open-transaction.ts";
import { createTestDb, openPool } from "../support/postgres.ts";
import { itLong } from "../support/it-long.ts";
import { killStarted, spawnKurabe, type TestProcess } from "../support/processes.ts";

afterEach(killStarted);

function kurabe(command: string, databaseUrl: string, level = "warn"): TestProcess {
  const meili = inject("meili");
  return spawnKurabe([command], {
    env: {
      DATABASE_URL: databaseUrl,
      MEILI_HOST: meili.host,
      MEILI_API_KEY: meili.apiKey,
      PORT: "0",
      DATA_DIR: `${inject("runDir")}/${randomBytes(6).toString("hex")}`,
      LOG_LEVEL: level,
    },
  });
}

describe("migration", () => {
  itLong("planning state is the same after it has moved to a table of its own", async () => {
    const url = await databaseBefore("product_schedule");
    const client = connect(url);
    await client`
      insert into shop (shop_id, shop_name, shop_url, first_seen_at, checked_at)
      select 'shop-' || s, '店', 'https://example.com/', '2026-01-01', '2026-01-02' from generate_series(0, 3) s`;
    await client`
      insert into product (item_id, shop_id, ver, state, title, detail, price, stock, visible, list_order, images,
        variations, categories, modified, first_seen_at, checked_at, changed_at, price_since, due_at, rate_changes,
        rate_days, weight, order_rank, query_id, last_call_id, gone_at, gone_call_id)
      select i, 'shop-' || i % 4, 1, (array['live', 'missing', 'gone'])[1 + i % 3], '革財布 ' || i, '', 1, 1, 1, 1,
        '[]', '[]', '[]', 1, t, t + i * interval '1 min', t, t, t + i * interval '1 h', i / 8.0, i % 5, 1 + i / 3.0,
        nullif(i % 6, 0), nullif(i % 4, 0), 1, case when i % 3 = 2 then t end, case when i % 3 = 2 then 1 end
      from generate_series(1, 300) i, (values ('2026-01-01'::timestamptz)) x(t)`;
    const read = async (from: string) => [
      await client.unsafe(`
        select item_id, shop_id, checked_at, due_at, rate_changes, rate_days, weight, query_id, ${from}`),
      await client`select item_id, order_rank, popularity from product order by 1`,
      await client`select * from analytics.shop_volatility order by 1`,
      await client`
        select item_id, state, case when state <> 'gone' then changes_per_day end as changes_per_day
        from analytics.products order by 1`,
    ];
    const before = await read(
      "state = 'missing' as suspected from product where state <> 'gone' order by 1",
    );
    expect(before[0]).toHaveLength(200);
    await migrateDb(url);
    expect(await read("suspected from product_schedule order by 1")).toEqual(before);
    const columns = await client`
      select column_name as name from information_schema.columns where table_schema = 'public'
        and table_name = 'product' and column_name in ('due_at', 'rate_changes', 'rate_days', 'weight', 'query_id')`;
    expect([...columns]).toEqual([]);
  });

  itLong("what keywords have yielded is the same under its new names", async () => {
    const url = await databaseBefore("words");
    const client = connect(url);
    await client`
      insert into crawl_query (q, source, created_at, walked_at, sweep_days, poor_looks, newest_yield)
      values ('財布', 'seed', '2026-01-01', '2026-01-02', 3, 2,
        '{"worth": 4, "worthByLaw": 5, "pages": 6, "newsByLaw": 7}'), ('器', 'seed', '2026-01-01', null, 1, 0, null)`;
    await client`insert into vain_query (q, times, last_at) values ('瓶', 3, '2026-01-03')`;
    const walked = await client`select keyword, walked_at from analytics.keyword_yield order by 1`;
    await migrateDb(url);
    expect([
      ...(await client`
        select q, scanned_at, failed_trials, newest_yield from crawl_query order by id`),
    ]).toEqual([
      {
        q: "財布",
        scanned_at: new Date("2026-01-02T00:00:00Z"),
        failed_trials: 2,
        newest_yield: { value: 4, valueByLaw: 5, pages: 6, newsByLaw: 7 },
      },
      {
        q: "器",
        scanned_at: null,
        failed_trials: 0,
        newest_yield: null,
      },
    ]);
    expect([...(await client`select q, times from zero_result_query`)]).toHaveLength(1);
    expect(await client`select keyword, walked_at from analytics.keyword_yield order by 1`).toEqual(
      walked,
    );
  });

  itLong("versions of the mirror and deletions are the same under their new names", async () => {
    const url = await databaseBefore("versions_and_deletions");
    const client = connect(url);
    await client`
      insert into shop (shop_id, shop_name, shop_url, first_seen_at, checked_at)
      values ('shop-1', '店', 'https://example.com/', '2026-01-01', '2026-01-02')`;
    await client`
      insert into product (item_id, shop_id, ver, state, title, detail, price, stock, visible, list_order, images,
        variations, categories, modified, first_seen_at, checked_at, changed_at, price_since, last_call_id, gone_at, gone_call_id)
      values (1, 'shop-1', 1, 'gone', '革財布', '', 1, 1, 1, 1, '[]', '[]', '[]', 1, '2026-01-01', '2026-01-01',
        '2026-01-01', '2026-01-01', 7, '2026-01-02', 7)`;
    await client`
      insert into mirror (index_uid, item_id, want, done, dirty_since, next_at)
      values ('products', 1, 3, 2, '2026-01-01', '2026-01-01')`;
    await client`insert into crawl_query (q, source, created_at) values ('財布', 'vain', '2026-01-01')`;
    const goneAt = await client`select gone_at from analytics.products`;
    await migrateDb(url);
    await client`
      insert into mirror_index (index_uid, state, epoch, settings_hash, created_at)
      values ('products', 'serving', gen_random_uuid(), '', '2026-01-01')`;
    await client`select mirror_mark_dirty(array[1]::bigint[])`;
    expect([...(await client`select desired_version, indexed_version from mirror`)]).toEqual([
      { desired_version: "4", indexed_version: "2" },
    ]);
    expect([...(await client`select deleted_at, deleted_call_id from product`)]).toEqual([
      { deleted_at: new Date("2026-01-02T00:00:00Z"), deleted_call_id: "7" },
    ]);
    expect([...(await client`select source from crawl_query`)]).toEqual([
      { source: "zero_results" },
    ]);
    expect(await client`select gone_at from analytics.products`).toEqual(goneAt);
  });

  itLong("D9: many processes at once make one schema, each migration applied once", async () => {
    const url = await emptyDatabase();
    const processes = Array.from({ length: inject("long") ? 20 : 2 }, () => kurabe("migrate", url));
    const ends = await Promise.all(processes.map(async (one) => [await one.ended, one.stderr()]));
    expect(ends).toEqual(processes.map(() => [0, ""]));
    const rows = await connect(url)`
      select count(*)::int as n, count(distinct hash)::int as hashes from drizzle.__drizzle_migrations`;
    expect(rows[0]?.n).toBeGreaterThan(5);
    expect(rows[0]?.hashes).toBe(rows[0]?.n);
  });

  itLong(
    "P1, P3: ends with its process, killed or stopped, while it waits for somebody's long transaction",
    async () => {
      const url = await databaseBefore("groups_live_again");
      const client = connect(url);
      const { db, close } = openPool(url, { maxConnections: 1 });
      onTestFinished(close);
      const leave = await openTransaction(db, (tx) =>
        tx.execute("lock table group_change in row exclusive mode"),
      );
      const waiting = () => client`
      select from pg_stat_activity where application_name = 'kurabe:migrate' and datname = current_database()
        and wait_event_type = 'Lock'`;
      const waits = async (is: boolean) =>
        until(async () => (await waiting()).length > 0 === is, {
          what: `a migration that waits: ${is}`,
        });
      const killed = kurabe("migrate", url, "info");
      await waits(true);
      const second = kurabe("migrate", url, "info");
      await second.says("another process migrates the database");
      killed.kill("SIGKILL");
      await second.says("migrating the database");
      second.kill("SIGTERM");
      await second.ended;
      await waits(false);
      await leave();
      expect(await kurabe("migrate", url).ended).toBe(0);
      const invalid = await client`select from pg_index where not indisvalid`;
      expect([...invalid]).toEqual([]);
    },
  );

  it("makes its tables in public, also where a schema has the role's name", async () => {
    const url = await emptyDatabase();
    const client = connect(url);
    await client`create schema authorization current_user`;
    await migrateDb(url);
    const schemas =
      await client`select distinct schemaname from pg_tables where tablename in ('product', 'setting')`;
    expect([...schemas]).toEqual([{ schemaname: "public" }]);
  });

  it("refuses a database of another encoding before it makes anything", async () => {
    const url = await emptyDatabase("encoding 'LATIN1' template template0 locale 'C'");
    await expect(migrateDb(url)).rejects.toThrow("needs a database with the encoding UTF8");
    const [made] = await connect(url)`select to_regclass('public.product') as product`;
    expect(made).toEqual({ product: null });
  });

  it("D10: an older build refuses a database that a newer one has migrated, and writes nothing", async () => {
    const test = await createTestDb();
    onTestFinished(test.close);
    const client = connect(test.url);
    await client`
      insert into drizzle.__drizzle_migrations (hash, created_at) values ('newer', 9999999999999)`;
    await expect(migrateDb(test.url)).rejects.toThrow("newer Kurabe");
    const refused = kurabe("start", test.url);
    expect(await refused.ended).toBe(1);
    expect(refused.stderr()).toContain("newer Kurabe");
    const [row] = await client`
      select (select count(*) from job)::int as jobs, (select count(*) from setting)::int as settings`;
    expect(row).toEqual({ jobs: 0, settings: 0 });
  });
});
