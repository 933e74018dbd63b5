import { bigint, pgTable, timestamp } from "drizzle-orm/pg-core";

/** The lowest price of each product among the archived intervals; written before they are dropped. */
export const archivedLow = pgTable("archived_low", {
  itemId: bigint("item_id", { mode: "number" }).primaryKey(),
  /** Above 0. */
  price: bigint("price", { mode: "number" }).notNull(),
  firstSeen: timestamp("first_seen", { withTimezone: true, precision: 3 }).notNull(),
});
