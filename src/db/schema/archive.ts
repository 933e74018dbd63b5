import { pgTable } from "drizzle-orm/pg-core";
import { id, instant } from "./columns.ts";

/** The lowest price of each product among the archived intervals; written before they are dropped. */
export const archivedLow = pgTable("archived_low", {
  itemId: id("item_id").primaryKey(),
  /** Above 0. */
  price: id("price").notNull(),
  firstSeen: instant("first_seen").notNull(),
});
