import type postgres from "postgres";
import { describe, expect, it } from "vitest";
import { migrateDb } from "../../src/db/migrate.ts";
import { connect, databaseBefore } from "../support/database-before.ts";
import { until } from "../support/until.ts";

const products = 100_000;
/** What a write may wait: the migration's 1.5 s for a lock, and room for a busy machine. */
const longestWaitMs = 4000;

/** Products with three intervals each, and calls, without what triggers derive of them. */
async function fill(client: postgres.Sql): Promise<void> {
  await client.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`
      insert into shop (shop_id, shop_name, shop_url, first_seen_at, checked_at)
      values ('shop-1', '店', 'https://example.com/', '2026-01-01', '2026-01-02')`;
    await tx`
      insert into product (item_id, shop_id, ver, state, title, detail, price, stock, visible, list_order, images,
        variations, categories, modified, first_seen_at, checked_at, changed_at, price_since, last_call_id)
      select i, 'shop-1', 1, 'live', '革財布 ' || i, '', 3000, 1, 1, 1, '[]', '[]', '[]', 1, '2026-01-01',
        '2026-03-01', '2026-03-01', '2026-03-01', 1 from generate_series(1, ${products}) i`;
    await tx`
      insert into price_interval (item_id, first_seen, price, stock, prev_confirmed_at, prev_price, prev_stock, call_id)
      select i, make_timestamptz(2026, m, 1, 0, 0, 0), m * 1000, 1,
        case when m > 1 then make_timestamptz(2026, m, 1, 0, 0, 0) - interval '1 day' end,
        nullif((m - 1) * 1000, 0), case when m > 1 then 1 end, 1
      from generate_series(1, ${products}) i, generate_series(1, 3) m`;
    await tx`
      insert into api_call (day, purpose, operation, job, params, reserved_at, finished_at, outcome, changed)
      select '2026-01-01'::date + n / 300, 'discovery', 'search', 'discover', '{}', '2026-01-01', '2026-01-01', 'ok', 1
      from generate_series(1, 20000) n`;
  });
}

interface Load {
  /** The longest of all writes and reads so far, in milliseconds. */
  longestMs(): number;
  writes(): number;
  /** Waits for so many more writes; rejects with the error of the load if it ended. */
  goOn(writes: number, what: string): Promise<void>;
  stop(): Promise<void>;
}

/** What the crawler and the API of the release before do, one after another, until it is stopped. */
function startLoad(client: postgres.Sql): Load {
  let going = true;
  let longest = 0;
  let writes = 0;
  const timed = async (work: () => Promise<unknown>) => {
    const began = performance.now();
    await work();
    longest = Math.max(longest, performance.now() - began);
  };
  // A call is booked before it is made, and settled together with what it answered.
  const write = async () => {
    const [call] = await client<{ id: string }[]>`
      insert into api_call (day, purpose, operation, job, params, reserved_at)
      values (now()::date, 'revalidation', 'refresh', 'revalidate', '{}', now()) returning id`;
    const item = 1 + (writes % products);
    await client.begin(async (tx) => {
      await tx`
        insert into price_interval (item_id, first_seen, price, stock, prev_price, prev_stock, call_id)
        values (${item}, clock_timestamp(), 500, 1, 3000, 1, ${call?.id ?? 0})`;
      await tx`update product set price = 500, price_since = now() where item_id = ${item}`;
      await tx`update api_call set outcome = 'ok', finished_at = now() where id = ${call?.id ?? 0}`;
    });
    writes += 1;
  };
  const read = async () => {
    await client`select * from analytics.price_history where item_id = ${1 + (writes % products)}`;
    await client`select id from api_call order by id desc limit 1`;
  };
  const repeat = async (work: () => Promise<unknown>) => {
    while (going) await timed(work);
  };
  const running = Promise.all([repeat(write), repeat(read)]);
  // Reported by `stop`, not as unhandled.
  running.catch(() => {});
  return {
    longestMs: () => longest,
    writes: () => writes,
    async goOn(more, what) {
      const enough = writes + more;
      await Promise.race([until(() => writes >= enough, { what, timeoutMs: 60_000 }), running]);
    },
    async stop() {
      going = false;
      await running;
    },
  };
}

/** Opens the table for reading, as an analyst's long query does. Returns the end of it. */
async function holdOpen(client: postgres.Sql): Promise<() => Promise<void>> {
  let enter = () => {};
  let leave = () => {};
  const entered = new Promise<void>((resolve) => (enter = resolve));
  const left = new Promise<void>((resolve) => (leave = resolve));
  const reading = client.begin(async (tx) => {
    await tx`select from price_interval limit 1`;
    enter();
    await left;
  });
  await entered;
  return async () => {
    leave();
    await reading;
  };
}

const lockWait = { what: "somebody who waits for a lock" };
const waitsForLock = async (client: postgres.Sql) => {
  const rows = await client`
    select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
  return rows.length > 0;
};

describe("the upgrade of a large database in use", () => {
  it("lets writers and readers go on, also behind somebody who reads for long, and loses nothing", async () => {
    const url = await databaseBefore("months");
    const client = connect(url);
    await fill(client);
    const before = connect(url);
    const load = startLoad(before);
    const leave = await holdOpen(connect(url));
    const migrated = migrateDb(url);
    await until(() => waitsForLock(client), lockWait);
    await load.goOn(30, "writes beside the reader");
    await leave();
    await migrated;
    await load.goOn(10, "writes afterwards");
    await load.stop();
    expect(load.longestMs()).toBeLessThan(longestWaitMs);
    const [row] = await client`
      select (select count(*) from price_interval)::int as intervals, (select count(*) from api_call)::int as calls,
        (select count(distinct id) from api_call)::int as ids,
        (select count(*) from price_interval_first)::int as attached,
        (select count(*) from analytics.price_history where item_id = 7)::int as history`;
    expect(row).toEqual({
      intervals: 3 * products + load.writes(),
      attached: 3 * products + load.writes(),
      calls: 20_000 + load.writes(),
      ids: 20_000 + load.writes(),
      history: load.writes() >= 7 ? 4 : 3,
    });
    await expect(client`update price_interval set price = 1 where item_id = 1`).rejects.toThrow(
      "append-only",
    );
  }, 120_000);

  it("would stop every write behind that reader if it waited for its lock (control)", async () => {
    const url = await databaseBefore("months");
    const client = connect(url);
    const leave = await holdOpen(connect(url));
    const naive = connect(url);
    const altered = naive
      .unsafe("alter table price_interval add constraint naive check (true)")
      .execute();
    await until(() => waitsForLock(client), lockWait);
    const write = client.begin(async (tx) => {
      await tx`set local lock_timeout = '2s'`;
      await tx`insert into price_interval (item_id, first_seen, price, stock, call_id) values (1, now(), 1, 1, 1)`;
    });
    await expect(write).rejects.toMatchObject({ code: "55P03" });
    await leave();
    await altered;
  });
});
