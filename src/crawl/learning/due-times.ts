import { sql } from "drizzle-orm";
import { anyId, anyText } from "../../db/lists.ts";
import type { Tx } from "../../db/open.ts";
import { fromDays } from "../scoring/days.ts";
import { lockShops } from "./statistics.ts";
import { HORIZON_DAYS } from "../scoring/freshness-value.ts";

/** Needs a transaction if there are several: shops are locked in one order before they are written. */
export async function setShopDue(
  tx: Tx,
  shops: readonly { shopId: string; dueAt: number }[],
): Promise<void> {
  if (shops.length === 0) return;
  await lockShops(
    tx,
    shops.map((shop) => shop.shopId),
  );
  const rows = shops.map(({ shopId, dueAt }) => ({
    shop_id: shopId,
    due_at: fromDays(dueAt).toISOString(),
  }));
  await tx.execute(sql`
    update shop s set due_at = x.due_at
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as x(shop_id text, due_at timestamptz)
    where s.shop_id = x.shop_id and s.shop_id = ${anyText(shops.map((shop) => shop.shopId))}`);
}

/** Shops that are to be valued now, and not when it was expected. */
export async function bringForward(tx: Tx, shopIds: readonly string[], at: Date): Promise<void> {
  if (shopIds.length === 0) return;
  await lockShops(tx, shopIds);
  await tx.execute(sql`
    update shop set due_at = least(due_at, ${at.toISOString()})
    where shop_id = ${anyText(shopIds)}`);
}

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
      where c.item_id = ${anyId(items.map((item) => item.itemId))} order by item_id for no key update of c
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
