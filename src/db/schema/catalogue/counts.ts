import { sql } from "drizzle-orm";
import { bigserial, boolean, check, index, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { id } from "../columns.ts";

/** What is counted, of which value, and how many: see `catalog/counts.ts`. */
const counted = () => ({
  name: text("name").notNull(),
  key: text("key").notNull(),
  n: id("n").notNull(),
});

/**
 * Changes of counts, written by triggers in the transaction that changes the rows. Writers only append, so none
 * waits for another.
 */
export const countChange = pgTable("count_change", {
  id: bigserial("id", { mode: "number" }).primaryKey(),
  ...counted(),
});

/** The sums of the changes that were taken out of `count_change`. A count is the sum of both. */
export const keptCount = pgTable("kept_count", counted(), (t) => [
  // Keys may be longer than an index takes.
  uniqueIndex("kept_count_key").on(t.name, sql`md5(key)`),
  index("kept_count_most")
    .on(t.name, t.n.desc(), sql`left(key, 200) collate "C"`)
    .where(sql`name in ('shop', 'category')`),
]);

/** One row. Whoever adds changes to the sums locks it. */
export const countHead = pgTable(
  "count_head",
  {
    singleton: boolean("singleton").primaryKey().default(true),
    /** Products up to this id are counted; null: all are. */
    countedTo: id("counted_to"),
  },
  (t) => [check("count_head_one_row", sql`${t.singleton}`)],
);
