import { isDeepStrictEqual } from "node:util";
import { sql } from "drizzle-orm";
import { orderChanges } from "../../src/catalog/changes/change-order.ts";
import { settleAbsences } from "../../src/catalog/observing/deletions.ts";
import { observeSearch } from "../../src/catalog/observing/observe.ts";
import { readProducts } from "../../src/catalog/products.ts";
import { followShopRename } from "../../src/catalog/upkeep/shop-renames.ts";
import { createMarket, defaultMarket } from "../../src/catalog/market.ts";
import { toProduct } from "../../src/api/products/to-product.ts";
import type { Db, Tx } from "../../src/db/open.ts";
import { transact } from "../../src/db/transact.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { silentLogger as logger } from "../../src/lib/logger.ts";
import { comparable, type CopiedProduct } from "./follower.ts";
import { openTransaction } from "./open-transaction.ts";
import { searchItem } from "./products.ts";

const SHOPS = 12;
const PER_SHOP = 100;
const PER_CALL = 20;
const boundless = { count: Infinity, share: Infinity, burstCount: Infinity, burstShare: Infinity };

let ms = Date.UTC(2026, 0, 1);
let callId = 0;
const sighting = () => ({ callId: (callId += 1), sentAt: new Date((ms += 10)) });
const some = (n: number) => Math.floor(Math.random() * n);

/** What a search shows of a shop: products with new values, some of them new or back, and a new name at times. */
async function show(tx: Tx, shop: number): Promise<void> {
  const ids = Array.from({ length: PER_CALL }, () => shop * PER_SHOP + 1 + some(PER_SHOP));
  const seen = sighting();
  const shopName = some(30) === 0 ? `店 ${some(1000)}` : undefined;
  const items = ids.map((id) =>
    searchItem(id, {
      price: 100 + some(5000),
      stock: some(5),
      shopId: `shop-${shop}`,
      ...(shopName === undefined ? {} : { shopName }),
    }),
  );
  await observeSearch(tx, seen, { items, broken: [] });
}

/** What a refresh proves deleted. */
async function remove(tx: Tx, shop: number): Promise<void> {
  const asked = [...new Set(Array.from({ length: 4 }, () => shop * PER_SHOP + 1 + some(PER_SHOP)))];
  const answer = {
    asked: [0, ...asked],
    returned: [0],
    anonymous: false,
    confirmsEmpty: false,
  };
  await settleAbsences(tx, sighting(), { ...answer, shopId: `shop-${shop}` }, boundless);
}

export interface Busy {
  /** Writes until that many changes have happened, a part of it by transactions that commit late. */
  run(changes: number): Promise<void>;
  /** Gives positions and carries shop names on, until nothing waits. */
  settle(): Promise<void>;
}

/** A catalogue on which several transactions work at the same time. */
export function createBusyCatalogue(db: Db): Busy {
  let done = 0;

  async function writeSome(until: number): Promise<void> {
    while (done < until) {
      const shop = some(SHOPS);
      const isLate = some(10) === 0;
      await transact(db, systemClock, async (tx) => {
        await show(tx, shop);
        // All that delete wait for one another, so the late ones do not.
        if (isLate) await systemClock.sleep(20 + some(80));
        else if (some(3) === 0) await remove(tx, shop);
      });
      const [row] = await db.execute<{ n: number }>(sql`
        select h.position + (select count(*) from pending_change) as n from change_head h`);
      done = row?.n ?? 0;
    }
  }

  return {
    async run(changes) {
      const until = done + changes;
      const stop = new AbortController();
      const order = async () => {
        while (!stop.signal.aborted) {
          await orderChanges(db, systemClock, 100);
          await followShopRename({ db, clock: systemClock, logger }, 30);
          await systemClock.sleep(some(20));
        }
      };
      const ordering = Promise.all([order(), order()]);
      await Promise.all(Array.from({ length: 3 }, () => writeSome(until)));
      stop.abort();
      await ordering;
    },
    async settle() {
      const isIdle = async () =>
        (await db.execute(sql`select from shop_rename union all select from pending_change`))
          .length === 0;
      while (!(await isIdle())) {
        // A further name of a shop waits for hours, which pass here.
        await db.execute(sql`update shop_rename set next_at = least(next_at, clock_timestamp())`);
        await followShopRename({ db, clock: systemClock, logger });
        await orderChanges(db, systemClock);
      }
    },
  };
}

/** A transaction that stays open until the result commits it, with a product and a shop of its own. */
export function openProduct(db: Db, itemId: number): Promise<() => Promise<void>> {
  const items = [searchItem(itemId, { shopId: `shop-of-${itemId}` })];
  return openTransaction(db, (tx) => observeSearch(tx, sighting(), { items, broken: [] }));
}

/** Products that the copy lacks, has too much, or has otherwise than the API shows them. */
export async function findDifferences(
  db: Db,
  copied: ReadonlyMap<number, CopiedProduct>,
): Promise<number[]> {
  const truth = await readCatalogue(db);
  const ids = [...new Set([...copied.keys(), ...truth.keys()])];
  return ids.filter((id) => !isDeepStrictEqual(copied.get(id), truth.get(id)));
}

/** Everything that lives, as the API shows it. */
export async function readCatalogue(db: Db): Promise<Map<number, CopiedProduct>> {
  const rows = await db.execute<{ item_id: number }>(
    sql`select item_id from product where state <> 'gone' order by item_id`,
  );
  const records = await readProducts(
    db,
    rows.map((row) => row.item_id),
  );
  return new Map(
    [...records].map(([id, record]) => [
      id,
      comparable({ ...toProduct(record, createMarket(defaultMarket), new Date()) }),
    ]),
  );
}
