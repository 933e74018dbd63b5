import { sql, type SQL } from "drizzle-orm";
import type { Db, Tx } from "../../db/open.ts";
import { toDays } from "../scoring/days.ts";
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

export interface DueItem extends ItemStats {
  /** Not due before, except to fill a batch of its shop. */
  dueAt: number;
}

export interface DueShop {
  shopId: string;
  dueAt: number;
  /** Its most overdue items that do not back off, limited; after a failed call only the half that is requested next. */
  items: DueItem[];
  /** When the first of its items stops to back off; Infinity: none of them does. */
  resumesAt: number;
  /** Only a part of its products is requested, because its calls have failed. */
  isPart: boolean;
  /** Its last call failed. */
  hasFailed: boolean;
}

/**
 * The shops that are due first and do not back off, each with its most overdue items. Index reads only,
 * whatever the size.
 */
export async function readDueShops(
  db: Db,
  want: { shops: number; skip: readonly string[]; items: number; now: Date; leaveFailed: boolean },
  context: ReadContext,
): Promise<DueShop[]> {
  const at = want.now.toISOString();
  return readShops(
    db,
    sql`select * from shop
      where shop_id not in (select json_array_elements_text(${JSON.stringify(want.skip)}::text::json))
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
  want: { items: number; now: Date },
  context: ReadContext,
): Promise<DueShop | null> {
  const [shop] = await readShops(
    db,
    sql`select * from shop where shop_id = ${shopId}`,
    want,
    context,
  );
  return shop ?? null;
}

async function readShops(
  db: Db | Tx,
  shops: SQL,
  want: { items: number; now: Date },
  context: ReadContext,
): Promise<DueShop[]> {
  const statement = sql`
    select ${shopColumns}, s.due_at as shop_due_at, b.part is not null as is_part,
      b.key is not null as has_failed, w.retry_at as item_retry_at, ${itemColumns}
    from (${shops}) s
    left join backoff b on b.kind = 'shop' and b.key = s.shop_id
    left join lateral (
      select * from product_schedule c
      where c.shop_id = s.shop_id and c.item_id not in (
        select x::bigint from json_array_elements_text(${JSON.stringify([...context.busy])}::text::json) as t(x))
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
        }
    >(statement);
    await tx.execute(sql`set local enable_bitmapscan = on`);
    return found;
  });
  const found = new Map<string, DueShop & { stats: ShopStats }>();
  for (const row of rows) {
    let shop = found.get(row.shop_id);
    if (!shop) {
      shop = {
        shopId: row.shop_id,
        dueAt: toDays(new Date(row.shop_due_at)),
        items: [],
        resumesAt: Infinity,
        isPart: row.is_part,
        hasFailed: row.has_failed,
        stats: toShopStats(row, context.totals),
      };
      found.set(row.shop_id, shop);
    }
    if (row.item_retry_at !== null) {
      shop.resumesAt = Math.min(shop.resumesAt, toDays(new Date(row.item_retry_at)));
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
