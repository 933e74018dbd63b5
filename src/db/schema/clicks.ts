import { date, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { id } from "./columns.ts";

/** Clicks that led visitors to shops, by day of the marketplace's calendar. Nothing tells who clicked. */
export const click = pgTable(
  "click",
  {
    day: date("day", { mode: "string" }).notNull(),
    /** The API key that the request came with; 0: none. */
    keyId: id("key_id").notNull(),
    /** The page's own label; empty: none. Of too many on one day, the later ones are `other`. */
    src: text("src").notNull(),
    itemId: id("item_id").notNull(),
    clicks: integer("clicks").notNull(),
  },
  (t) => [primaryKey({ columns: [t.day, t.keyId, t.src, t.itemId] })],
);
