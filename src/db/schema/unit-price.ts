import { doublePrecision, pgTable, text } from "drizzle-orm/pg-core";
import { id } from "./columns.ts";

/**
 * Products whose content is known. Made from title, variations and price, which stay in `product`, and
 * written with them. No index by amount: a search by Postgres counts, so it reads all matches.
 */
export const unitPrice = pgTable("unit_price", {
  itemId: id("item_id").primaryKey(),
  /** In g, ml or pieces. */
  content: doublePrecision("content").notNull(),
  unit: text("unit", { enum: ["g", "ml", "piece"] }).notNull(),
  /** Price of 100 g, 100 ml or 1 piece: the order of search results. */
  amount: doublePrecision("amount").notNull(),
});
