import { bigint, date, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";

/** Clicks that led visitors to shops, by day of the marketplace's calendar. Nothing tells who clicked. */
export const click = pgTable(
  "click",
  {
    day: date("day", { mode: "string" }).notNull(),
    /** The API key that the request came with; 0: none. */
    keyId: bigint("key_id", { mode: "number" }).notNull(),
    /** The page's own label; empty: none. Of too many on one day, the later ones are `other`. */
    src: text("src").notNull(),
    itemId: bigint("item_id", { mode: "number" }).notNull(),
    clicks: integer("clicks").notNull(),
  },
  (t) => [primaryKey({ columns: [t.day, t.keyId, t.src, t.itemId] })],
);
