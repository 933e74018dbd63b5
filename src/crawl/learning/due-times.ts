import { sql } from "drizzle-orm";
import { anyId, anyText } from "../../db/lists.ts";
import type { Tx } from "../../db/open.ts";
import { fromDays } from "../scoring/days.ts";
import { HORIZON_DAYS } from "../scoring/freshness-value.ts";

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
    from free f join json_to_recordset(${JSON.stringify(rows)}::text::json)
      as x(shop_id text, due_at timestamptz) using (shop_id)
    where s.shop_id = f.shop_id and s.shop_id = ${anyText(ids)}`);
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
      from json_to_recordset(${JSON.stringify(rows)}::text::json) as x(item_id bigint, due_at timestamptz)
      join product_schedule c using (item_id)
      where c.item_id = ${anyId(items.map((item) => item.itemId))} for no key update of c skip locked
    )
    update product_schedule c set due_at = d.due_at from due d where c.item_id = d.item_id`);
}

/** If all products of a shop are under way or back off, it is due again after so many days. */
const ALL_BUSY_DAYS = 1 / 96;

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
    dueAt: at + (row.has_products ? ALL_BUSY_DAYS : HORIZON_DAYS),
  }));
  await setShopDue(tx, due);
}
