import { boolean, index, integer, pgTable, primaryKey, serial, text } from "drizzle-orm/pg-core";
import { instant } from "./columns.ts";

/** The search hosts of `MEILI_HOST`, if it names several; empty otherwise. */
export const searchHost = pgTable("search_host", {
  host: serial("host").primaryKey(),
  /** Without credentials. */
  url: text("url").notNull().unique(),
  /** false: no longer in `MEILI_HOST`; it serves until others have its buckets, then its rows go. */
  wanted: boolean("wanted").notNull(),
  addedAt: instant("added_at").notNull(),
});

/**
 * Which hosts have the products of a bucket (`search_bucket`). Only `serving` ones are searched; `filling`
 * means not proven to be complete yet, `leaving` that the documents are about to be deleted.
 */
export const searchPlacement = pgTable(
  "search_placement",
  {
    bucket: integer("bucket").notNull(),
    host: integer("host").notNull(),
    state: text("state", { enum: ["filling", "serving", "leaving"] }).notNull(),
    changedAt: instant("changed_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.bucket, t.host] }), index("search_placement_host").on(t.host)],
);
