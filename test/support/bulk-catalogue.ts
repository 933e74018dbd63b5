import { sql } from "drizzle-orm";
import type { Db } from "../../src/db/open.ts";
import { scheduleProducts } from "./catalog.ts";

/**
 * Fills an empty catalogue with `shops` shops of `each` products, all seen at `at`: shop `s-1` has the
 * ids 1 to `each`, and so on. Without search texts and confirmations, which these tests do not need.
 */
export async function fillCatalogue(
  db: Db,
  { shops, each, at }: { shops: number; each: number; at: Date },
): Promise<void> {
  const seenAt = at.toISOString();
  await db.transaction(async (tx) => {
    for (const trigger of ["product_inserted", "product_first_checked"]) {
      await tx.execute(sql`alter table product disable trigger ${sql.identifier(trigger)}`);
    }
    await tx.execute(sql`
      insert into shop (shop_id, shop_name, shop_url, first_seen_at, checked_at)
      select 's-' || n, 'shop ' || n, 'https://shop.example/', ${seenAt}, ${seenAt} from generate_series(1, ${shops}::int) n`);
    await tx.execute(sql`
      insert into product (item_id, shop_id, ver, state, title, detail, price, stock, visible, list_order, images,
        variations, categories, modified, first_seen_at, checked_at, changed_at, price_since, last_call_id)
      select n, 's-' || ((n - 1) / ${each}::int + 1), 1, 'live', 'product ' || n, '', 100, 1, 1, 0, '[]', '[]', '[]', 1,
        ${seenAt}, ${seenAt}, ${seenAt}, ${seenAt}, 1
      from generate_series(1, ${shops * each}::int) n`);
    await scheduleProducts(tx);
    for (const trigger of ["product_inserted", "product_first_checked"]) {
      await tx.execute(sql`alter table product enable trigger ${sql.identifier(trigger)}`);
    }
  });
  await db.execute(sql`analyze product, product_schedule`);
}

export function idsOf(shop: number, each: number): number[] {
  return Array.from({ length: each }, (_, i) => (shop - 1) * each + i + 1);
}
