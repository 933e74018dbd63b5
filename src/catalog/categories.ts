import { sql } from "drizzle-orm";
import type { Db } from "../db/open.ts";

export interface CategoryRecord {
  category: string;
  /** Products not proven deleted; one product may be in several categories. */
  products: number;
  inStock: number;
}

/** Every category that a product is in, those with most products first. Reads the whole catalogue. */
export async function readCategories(db: Db): Promise<CategoryRecord[]> {
  const rows = await db.execute<{ category: string; products: number; in_stock: number }>(sql`
    select category, count(*) as products, count(*) filter (where stock > 0) as in_stock
    from (
      select distinct p.item_id, p.stock, c.category
      from product p, jsonb_array_elements_text(p.categories) as c(category) where p.state <> 'gone') p
    group by category order by products desc, category`);
  return rows.map((row) => ({
    category: row.category,
    products: row.products,
    inStock: row.in_stock,
  }));
}
