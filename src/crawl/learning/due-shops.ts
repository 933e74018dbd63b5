import { sql, type SQL } from "drizzle-orm";
import type { Db, Tx } from "../../db/open.ts";
import { unreadable } from "../safety/backoff.ts";
import { toDays, fromDays } from "../scoring/days.ts";
import type { ItemStats, ShopStats } from "../scoring/scoring.ts";
import {
  itemColumns,
  shopColumns,
  toItemStats,
  toShopStats,
  type ItemRow,
  type ReadContext,
  type ShopRow,
} from "./statistics.ts";
import { anyId, anyText, idList, rowsOf, textList } from "../../db/rows.ts";
import { horizonDays } from "../scoring/freshness-value.ts";

export interface DueItem extends ItemStats {
  /** Not due before, except to fill a batch of its shop. */
  dueAt: number;
}

export interface DueShop {
  shopId: string;
  dueAt: number;
  /** Its most overdue items that do not back off, limited; after a failed call only the half that is requested next. */
  items: DueItem[];
  /** Of its items that back off because they cannot be read, the one that was asked for longest ago; null: none does. */
  unread: number | null;
  /** When one of them may be asked for with a call of its own; Infinity: none does. */
  triesAt: number;
  /** When the first of its items stops to back off; Infinity: none of them does. */
  resumesAt: number;
  /** Only a part of its products is requested, because its calls have failed. */
  isPart: boolean;
  /** Its last call failed. */
  hasFailed: boolean;
}

interface Want {
  /** Of each shop. */
  items: number;
  /** Items of calls under way. */
  busy: Iterable<number>;
  now: Date;
}

/**
 * The shops that are due first and do not back off, each with its most overdue items. Index reads only,
 * whatever the size.
 */
export async function readDueShops(
  db: Db,
  want: Want & { shops: number; skip: readonly string[]; leaveFailed: boolean },
  context: ReadContext,
): Promise<DueShop[]> {
  const at = want.now.toISOString();
  return readShops(
    db,
    sql`select * from shop
      where shop_id not in ${textList(want.skip)}
        and shop_id not in (
          select key from backoff where kind = 'shop' and (retry_at > ${at} or ${want.leaveFailed}))
      order by due_at limit ${want.shops}`,
    want,
    context,
  );
}

/** One shop with its most overdue items; null: there is no such shop. */
export async function readDueShop(
  db: Db | Tx,
  shopId: string,
  want: Want,
  context: ReadContext,
): Promise<DueShop | null> {
  const shops = sql`select * from shop where shop_id = ${shopId}`;
  const [shop] = await readShops(db, shops, want, context);
  return shop ?? null;
}

/** What cannot be read is asked for with others of its shop after so many days; one of it alone, if none of them can be read. */
const apartDays = { withOthers: 0.25, alone: 1 };

async function readShops(
  db: Db | Tx,
  shops: SQL,
  want: Want,
  context: ReadContext,
): Promise<DueShop[]> {
  const statement = sql`
    select ${shopColumns}, s.due_at as shop_due_at, b.part is not null as is_part,
      b.key is not null as has_failed, w.retry_at as item_retry_at,
      case when w.code = ${unreadable} then w.failed_at end as unread_at, ${itemColumns}
    from (${shops}) s
    left join backoff b on b.kind = 'shop' and b.key = s.shop_id
    left join lateral (
      select * from product_schedule c
      where c.shop_id = s.shop_id and c.item_id not in ${idList([...want.busy])}
        and c.item_id not in (select key::bigint from backoff where isolated)
        and (b.part is null or c.item_id in (
          select x::bigint from jsonb_array_elements_text(b.part) as t(x)))
      order by c.due_at limit ${want.items}
    ) c on true
    left join backoff w on w.kind = 'product' and w.key = c.item_id::text
      and w.retry_at > ${want.now.toISOString()}
    order by s.due_at, s.shop_id`;
  const rows = await db.transaction(async (tx) => {
    // Else Postgres, which knows only the usual size of a shop, reads and sorts all products of a large one.
    await tx.execute(sql`set local enable_bitmapscan = off`);
    const found = await tx.execute<
      Partial<ItemRow> &
        ShopRow & {
          shop_due_at: string;
          is_part: boolean;
          has_failed: boolean;
          item_retry_at: string | null;
          unread_at: string | null;
        }
    >(statement);
    await tx.execute(sql`set local enable_bitmapscan = on`);
    return found;
  });
  const longAgo = toDays(want.now) - apartDays.withOthers;
  const noteUnread = (shop: DueShop & { unreadAt: number }, itemId: number, failedAt: string) => {
    const unreadAt = toDays(new Date(failedAt));
    const triesAt = unreadAt + apartDays.alone;
    shop.triesAt = Number.isFinite(shop.triesAt) ? Math.max(shop.triesAt, triesAt) : triesAt;
    if (unreadAt >= Math.min(shop.unreadAt, longAgo)) return;
    shop.unread = itemId;
    shop.unreadAt = unreadAt;
  };
  const found = new Map<string, DueShop & { stats: ShopStats; unreadAt: number }>();
  for (const row of rows) {
    let shop = found.get(row.shop_id);
    if (!shop) {
      shop = {
        shopId: row.shop_id,
        dueAt: toDays(new Date(row.shop_due_at)),
        items: [],
        unread: null,
        unreadAt: Infinity,
        triesAt: Infinity,
        resumesAt: Infinity,
        isPart: row.is_part,
        hasFailed: row.has_failed,
        stats: toShopStats(row, context.totals),
      };
      found.set(row.shop_id, shop);
    }
    if (row.item_retry_at !== null) {
      shop.resumesAt = Math.min(shop.resumesAt, toDays(new Date(row.item_retry_at)));
      if (isItemRow(row) && row.unread_at !== null) noteUnread(shop, row.item_id, row.unread_at);
    } else if (isItemRow(row)) {
      const dueAt = toDays(new Date(row.due_at));
      shop.items.push({ dueAt, ...toItemStats(row, shop.stats, context.keywords) });
    }
  }
  return [...found.values()];
}

function isItemRow(row: Partial<ItemRow> & ShopRow): row is ItemRow {
  return row.item_id !== undefined && row.item_id !== null;
}

/** These shops, except those whose row somebody holds: the planner must not wait, and values them again. */
const freeShops = (shopIds: readonly string[]) => sql`
  select shop_id from shop where shop_id = ${anyText(shopIds)} for no key update skip locked`;

export async function setShopDue(
  tx: Tx,
  shops: readonly { shopId: string; dueAt: number }[],
): Promise<void> {
  if (shops.length === 0) return;
  const rows = shops.map(({ shopId, dueAt }) => ({
    shop_id: shopId,
    due_at: fromDays(dueAt).toISOString(),
  }));
  const ids = shops.map((shop) => shop.shopId);
  await tx.execute(sql`
    with free as (${freeShops(ids)})
    update shop s set due_at = x.due_at
    from free f join ${rowsOf("shop", rows)} x using (shop_id)
    where s.shop_id = f.shop_id and s.shop_id = ${anyText(ids)}`);
}

/** A refresh has shown most of the products that it asked for: the shop is not emptied. */
export async function noteLiving(tx: Tx, shopId: string): Promise<void> {
  await tx.execute(sql`
    with free as (${freeShops([shopId])})
    update shop s set emptied_at = null
    from free f where s.shop_id = f.shop_id and s.emptied_at is not null`);
}

/** Shops that are to be valued now, and not when it was expected. */
export async function bringForward(tx: Tx, shopIds: readonly string[], at: Date): Promise<void> {
  if (shopIds.length === 0) return;
  await tx.execute(sql`
    with free as (${freeShops(shopIds)})
    update shop s set due_at = least(s.due_at, ${at.toISOString()})
    from free f where s.shop_id = f.shop_id and s.shop_id = ${anyText(shopIds)}`);
}

/** Like `setShopDue`, without rows that somebody holds. */
export async function setItemDue(
  tx: Tx,
  items: readonly { itemId: number; dueAt: number }[],
): Promise<void> {
  if (items.length === 0) return;
  const rows = items.map(({ itemId, dueAt }) => ({
    item_id: itemId,
    due_at: fromDays(dueAt).toISOString(),
  }));
  await tx.execute(sql`
    with due as (
      select x.item_id, x.due_at
      from ${rowsOf("product_schedule", rows)} x join product_schedule c using (item_id)
      where c.item_id = ${anyId(items.map((item) => item.itemId))} for no key update of c skip locked
    )
    update product_schedule c set due_at = d.due_at from due d where c.item_id = d.item_id`);
}

/** If all products of a shop are under way or back off, it is due again after so many days. */
const allBusyDays = 1 / 96;

/** A shop without products leaves the queue; the next product found in it makes it due again. */
export async function postponeEmptyShops(
  tx: Tx,
  shopIds: readonly string[],
  at: number,
): Promise<void> {
  if (shopIds.length === 0) return;
  const rows = await tx.execute<{ shop_id: string; has_products: boolean }>(sql`
    select shop_id, exists (
      select from product_schedule c where c.shop_id = s.shop_id) as has_products
    from shop s where shop_id = ${anyText(shopIds)}`);
  const due = rows.map((row) => ({
    shopId: row.shop_id,
    dueAt: at + (row.has_products ? allBusyDays : horizonDays),
  }));
  await setShopDue(tx, due);
}
