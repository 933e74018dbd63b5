import { sql } from "drizzle-orm";
import { assignments, differs, idList, type RowOf, rowsOf } from "../../db/rows.ts";
import type { Tx } from "../../db/open.ts";
import type { product } from "../../db/schema.ts";
import type { Rewriting } from "../upkeep/slices.ts";
import { rankOf, toUnitPrice } from "./unit-price.ts";

/** Raised whenever titles are read differently: all products are then read again. */
const readingVersion = 2;

const columns = ["content", "unit", "amount"];

type Product = RowOf<
  Pick<typeof product.$inferSelect, "itemId" | "title" | "price" | "variations">
>;

/** Writes what the products cost by the unit. Call it in the transaction that writes or locks them. */
export async function storeUnitPrices(tx: Tx, products: readonly Product[]): Promise<void> {
  if (products.length === 0) return;
  const rows = products.flatMap((product) => {
    const quantity = toUnitPrice(product)?.quantity;
    if (!quantity) return [];
    const amount = rankOf(product.price, quantity);
    return [{ item_id: product.item_id, content: quantity.value, unit: quantity.unit, amount }];
  });
  const known = new Set(rows.map((row) => row.item_id));
  const unknown = products.map((product) => product.item_id).filter((id) => !known.has(id));
  if (unknown.length > 0) {
    await tx.execute(sql`delete from unit_price where item_id in ${idList(unknown)}`);
  }
  if (rows.length === 0) return;
  await tx.execute(sql`
    insert into unit_price as u (item_id, content, unit, amount)
    select item_id, content, unit, amount from ${rowsOf("unit_price", rows)}
    on conflict (item_id) do update set ${assignments(columns)} where ${differs(columns, "u")}`);
}

/** What products cost by the unit. */
export const unitPrices: Rewriting = {
  key: "unit_prices",
  version: readingVersion,
  async rewrite(tx, ids) {
    const products = await tx.execute<Product>(sql`
      select item_id, title, price, variations from product where item_id in ${idList(ids)}`);
    await storeUnitPrices(tx, products);
  },
};
