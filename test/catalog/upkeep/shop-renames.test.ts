import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, inject, it } from "vitest";
import { observeSearch } from "../../../src/catalog/observing/observe.ts";
import { readProduct } from "../../../src/catalog/products.ts";
import { followShopRename } from "../../../src/catalog/upkeep/shop-renames.ts";
import type { Db, Tx } from "../../../src/db/open.ts";
import { readLagSeconds } from "../../../src/search/mirror/status.ts";
import { must } from "../../../src/lib/must.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import type { SearchItem } from "../../../src/storefront/product.ts";
import { createLogger } from "../../../src/lib/logger.ts";
import { openedForEach } from "../../support/opened.ts";
import { searchItem } from "../../support/products.ts";
import { createTestDb } from "../../support/postgres.ts";
import { until } from "../../support/until.ts";
import { itLong } from "../../support/it-long.ts";

const SHOP = inject("long") ? 25_000 : 2000;

const test = openedForEach(createTestDb);
beforeEach(async () => {
  await test.db.execute(sql`
    insert into mirror_index (index_uid, state, epoch, settings_hash, created_at)
    values ('products_v1', 'serving', gen_random_uuid(), '', now())`);
});

/** Products as a crawl has stored and the mirror has sent them, without the time that takes. */
async function fillShop(shopId: string, from: number, to: number): Promise<void> {
  await test.db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.execute(sql`
      insert into shop (shop_id, shop_name, shop_url, first_seen_at, checked_at)
      values (${shopId}, '古い店', 'https://example.com/', '2026-01-01', '2026-01-01')`);
    await tx.execute(sql`
      insert into product (item_id, shop_id, ver, state, title, detail, price, stock, visible, list_order,
        images, variations, categories, modified, first_seen_at, checked_at, changed_at, price_since, last_call_id)
      select i, ${shopId}, 1, 'live', '革財布', '', 1, 1, 1, 1, '[]', '[]', '[]', 1,
        '2026-01-01', '2026-01-01', '2026-01-01', '2026-01-01', 1
      from generate_series(${from}::bigint, ${to}::bigint) i`);
    await tx.execute(sql`
      insert into product_text (item_id, body, words, title_length, in_stock, popularity)
      select item_id, '革財布 / 古い店', '{}', 3, stock > 0, popularity from product where shop_id = ${shopId}`);
    await tx.execute(sql`
      insert into mirror (index_uid, item_id, desired_version, indexed_version, dirty_since, next_at)
      select 'products_v1', item_id, 1, 1, now(), now() from product where shop_id = ${shopId}`);
  });
  await test.db.execute(sql`analyze product, product_text, mirror`);
}

/** Stores an answer that shows one product of the shop under a name, as a crawl does. */
async function store(
  tx: Tx,
  shopId: string,
  itemId: number,
  shopName: string,
  sentAt = new Date(),
): Promise<void> {
  const sighting = { callId: itemId, sentAt };
  const items = [searchItem(itemId, { shopId, shopName })];
  await observeSearch(tx, sighting, { items, broken: [] });
}

const rename = (db: Db, shopId: string, itemId: number, shopName: string) =>
  db.transaction((tx) => store(tx, shopId, itemId, shopName));

/** Its errors, for what a failure of a test says. */
let logged = "";
const logger = createLogger(
  { level: "error", format: "json" },
  { write: (line: string) => void (logged += line) },
);

const follow = () => followShopRename({ db: test.db, clock: systemClock, logger });

/** Until nothing is due; the number of steps. */
async function followAll(): Promise<number> {
  let steps = 0;
  while ((await follow()) === 0) steps += 1;
  return steps;
}

async function countText(shopName: string): Promise<number> {
  const rows = await test.db.execute(sql`
    select from product_text where body like ${`%${shopName}`}`);
  return rows.length;
}

async function countDirty(): Promise<number> {
  return (await test.db.execute(sql`select from mirror where desired_version > indexed_version`))
    .length;
}

/** Statements of this database that wait for somebody's lock. */
async function countWaiting(): Promise<number> {
  const rows = await test.db.execute(sql`
    select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`);
  return rows.length;
}

/** Rows that this transaction has written so far, by table. */
async function readWritten(tx: Tx): Promise<Map<string, number>> {
  const rows = await tx.execute<{ relname: string; written: number }>(sql`
    select relname, n_tup_ins + n_tup_upd as written from pg_stat_xact_user_tables`);
  return new Map(rows.map((row) => [row.relname, row.written]));
}

describe(`a shop with ${SHOP} products that is renamed`, () => {
  it("B2: costs the transaction that stores the answer a handful of rows, and answers show the new name at once", async () => {
    await fillShop("shop-1", 1, SHOP);
    const written = await test.db.transaction(async (tx) => {
      const before = await readWritten(tx);
      await store(tx, "shop-1", 7, "新しい店");
      const after = await readWritten(tx);
      return (table: string) => (after.get(table) ?? 0) - (before.get(table) ?? 0);
    });
    expect(written("mirror")).toBe(1);
    expect(written("product_text")).toBe(1);
    expect(written("shop_rename")).toBe(1);
    expect((await readProduct(test.db, SHOP))?.shop.shopName).toBe("新しい店");
    expect(await countText("新しい店")).toBe(1);
  });

  it("B2: is followed by search text and index entries in slices, from where a crash has left it", async () => {
    await fillShop("shop-1", 1, SHOP);
    await rename(test.db, "shop-1", 7, "新しい店");
    for (let i = 0; i < 3; i += 1) await follow();
    expect(await countText("新しい店")).toBe(1500);
    expect(await countDirty()).toBe(1500);
    // All that a process knows of it is in Postgres, so any other goes on.
    expect(await followAll()).toBe(SHOP / 500 - 3 + 1);
    expect(await countText("新しい店")).toBe(SHOP);
    expect(await countDirty()).toBe(SHOP);
    expect(await test.db.execute(sql`select from shop_rename`)).toHaveLength(0);
  });

  itLong("B2: keeps no answer of the shop waiting while a slice is stuck", async () => {
    await fillShop("shop-1", 1, SHOP);
    await rename(test.db, "shop-1", 7, "新しい店");
    let stuck: Promise<number> | undefined;
    await test.db.transaction(async (other) => {
      await other.execute(sql`select from product_text where item_id = 400 for update`);
      stuck = follow();
      await until(async () => (await countWaiting()) === 1, {
        what: "the slice to wait",
        timeoutMs: 20_000,
      });
      await test.db.transaction(async (tx) => {
        await tx.execute(sql`set local lock_timeout = '500ms'`);
        for (let itemId = 1001; itemId < 1020; itemId += 1) {
          await store(tx, "shop-1", itemId, "新しい店");
        }
      });
      expect(await countWaiting()).toBe(1);
    });
    await stuck;
    await followAll();
    expect(await countText("新しい店")).toBe(SHOP);
  });

  it("an answer that is stored while a slice follows the new name keeps its text", async () => {
    await fillShop("shop-1", 1, 2);
    // Without an index the slice waits for nothing before it writes texts.
    await test.db.execute(sql`delete from mirror_index`);
    await rename(test.db, "shop-1", 2, "新しい店");
    let slice: Promise<number> | undefined;
    await test.db.transaction(async (tx) => {
      const shown = { shopId: "shop-1", shopName: "新しい店", title: "青い靴" };
      const sighting = { callId: 3, sentAt: new Date() };
      await observeSearch(tx, sighting, { items: [searchItem(1, shown)], broken: [] });
      slice = follow();
      await until(async () => (await countWaiting()) === 1, { what: "the slice to wait" });
    });
    await slice;
    await followAll();
    const [text] = await test.db.execute(sql`select body from product_text where item_id = 1`);
    expect(text?.body).toContain("青い靴");
  });

  it("B2: a name that changes with every answer reaches the last product, and is followed every six hours at most", async () => {
    await fillShop("shop-1", 1, 1500);
    const others = sql`select from pending_change where item_id <> 7`;
    const countChanges = async () => (await test.db.execute(others)).length;
    let answers = 0;
    for (; answers < 10; answers += 1) {
      await rename(test.db, "shop-1", 7, `店 ${answers}`);
      await (answers < 5 ? follow() : followAll());
    }
    expect(await countChanges()).toBe(1499);
    expect(await readLagSeconds(test.db, "products_v1")).toBeLessThan(60);
    await test.db.execute(sql`
      update shop_rename set next_at = next_at - interval '6 h'`);
    await followAll();
    expect([await countChanges(), await countText(`店 ${answers - 1}`)]).toEqual([2 * 1499, 1500]);
  });

  itLong(
    "B2: a shop that the upstream shows now under one name, now under another, is renamed every six hours at most",
    async () => {
      await fillShop("shop-1", 1, 700);
      await rename(test.db, "shop-1", 7, "古い店");
      await followAll();
      await test.db.execute(sql`update shop set renamed_at = renamed_at - interval '7 h'`);
      const began = Date.now();
      const shown: string[] = [];
      let passes = 0;
      for (let minutes = 0; minutes <= 500; minutes += 20) {
        const name = minutes % 40 === 0 ? "新しい店" : "古い店";
        const at = new Date(began + minutes * 60_000);
        await test.db.transaction((tx) => store(tx, "shop-1", 7, name, at));
        if ((await test.db.execute(sql`select from shop_rename`)).length > 0) passes += 1;
        await followAll();
        shown.push(must(await readProduct(test.db, 1), "a product").shop.shopName);
      }
      expect(passes).toBe(2);
      // 380 minutes are the first that are more than six hours and end with the old name.
      expect(shown.indexOf("古い店")).toBe(380 / 20);
      expect(new Set(shown.slice(19))).toEqual(new Set(["古い店"]));
      // Another name is taken at once.
      const later = new Date(began + 510 * 60_000);
      await test.db.transaction((tx) => store(tx, "shop-1", 7, "第三の店", later));
      expect((await readProduct(test.db, 1))?.shop.shopName).toBe("第三の店");
    },
  );

  it("keeps its name and address where an answer, or an item of it, leaves them empty", async () => {
    const shop = { shopId: "shop-1", shopName: "新しい店" };
    const see = (hour: number, ...items: Partial<SearchItem>[]) =>
      test.db.transaction((tx) => {
        const sighting = { callId: hour, sentAt: new Date(Date.UTC(2026, 0, 2, hour)) };
        const shown = items.map((over, i) => searchItem(i + 1, { ...shop, ...over }));
        return observeSearch(tx, sighting, { items: shown, broken: [] });
      });
    const stored = async () =>
      (await test.db.execute(sql`select shop_name, shop_url, renamed_at from shop`))[0];
    const whole = {
      shop_name: "新しい店",
      shop_url: "https://shop-1.example.com/",
      renamed_at: null,
    };
    await see(1, {}, { shopName: "", shopUrl: " " });
    expect(await stored()).toEqual(whole);
    await see(2, { shopName: "　" }, { shopUrl: "" });
    expect(await stored()).toEqual(whole);
    await see(3, { shopName: "" });
    expect(await stored()).toEqual(whole);
  });

  it("is stored after a clock that was nine hours ahead is set right, the first time and later", async () => {
    const hours = [9, 10, 1, 2];
    for (const [i, name] of ["古い店", "新しい店", "古い店", "第三の店"].entries()) {
      const at = new Date(Date.UTC(2026, 0, 2, hours[i]));
      await test.db.transaction((tx) => store(tx, "shop-1", 7, name, at));
      expect((await readProduct(test.db, 7))?.shop.shopName).toBe(name);
    }
  });

  it("is followed at once where the database's clock was an hour ahead and is right again", async () => {
    await fillShop("shop-1", 1, 3);
    await rename(test.db, "shop-1", 2, "新しい店");
    await test.db.execute(sql`update shop_rename set next_at = next_at + interval '1 h'`);
    await followAll();
    expect(await countText("新しい店")).toBe(3);
  });

  it("B2: a shop that search cannot follow waits alone, each time longer, and is followed once it can be", async () => {
    await fillShop("shop-1", 1, 700);
    await fillShop("shop-2", 1001, 1700);
    await test.db.execute(sql`
      create function refuse() returns trigger language plpgsql as $$
      begin raise exception 'refused'; end $$`);
    await test.db.execute(sql`
      create trigger refuse before update on product_text for each row when (old.item_id = 650) execute function refuse()`);
    /** After one more failure: how many there were, and whether the wait that began with it takes so long. */
    async function failOnce(waitS: number) {
      const [before] = await test.db.execute(sql`select clock_timestamp()::text as at`);
      expect(await follow()).toBe(0);
      const [row] = await test.db.execute(sql`
        select attempts, next_at >= ${before?.at}::timestamptz + ${waitS}::int * interval '1 s' as waits
        from shop_rename where shop_id = 'shop-1'`);
      return row;
    }
    await rename(test.db, "shop-1", 7, "新しい店");
    await follow();
    expect(await failOnce(1)).toEqual({ attempts: 1, waits: true });
    // The wait becomes so long that it is not tried again meanwhile.
    await test.db.execute(
      sql`update shop_rename set attempts = 9, next_at = now() - interval '1 min'`,
    );
    expect(await failOnce(512)).toEqual({ attempts: 10, waits: true });
    await rename(test.db, "shop-2", 1007, "新しい店");
    await followAll();
    expect(await countText("新しい店")).toBe(500 + 700);

    await test.db.execute(sql`drop trigger refuse on product_text`);
    await test.db.execute(sql`update shop_rename set next_at = now() - interval '1 min'`);
    logged = "";
    await followAll();
    expect([await countText("新しい店"), logged]).toEqual([1400, ""]);
  });
});
