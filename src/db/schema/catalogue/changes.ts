import { sql } from "drizzle-orm";
import { check, index, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { id, instant } from "../columns.ts";
import type { ProductFacts } from "../alerts/alerts.ts";

/** What is told of a change, before and after it has its position. Price and stock before are null for a new product. */
const told = () => ({
  itemId: id("item_id").notNull(),
  /** Of the product after the change. */
  ver: id("ver").notNull(),
  /** returned: shown again after it was deleted. A shop's new name or address is `changed` for each of its products. */
  kind: text("kind", { enum: ["added", "changed", "deleted", "returned"] }).notNull(),
  price: id("price").notNull(),
  stock: id("stock").notNull(),
  prevPrice: id("prev_price"),
  prevStock: id("prev_stock"),
  /** When it was written, by the database's clock. */
  at: instant("at")
    .notNull()
    .default(sql`clock_timestamp()`),
});

/** Changes that have no position yet; written by triggers, in the transaction that changes the product. */
export const pendingChange = pgTable("pending_change", (t) => ({
  /** Rises for each product, because its row is locked when this is taken. */
  id: t.bigserial("id", { mode: "number" }).primaryKey(),
  ...told(),
  /** For alerts; null, both: there are no saved searches. Before: null for a new product. After: null for a deleted one. */
  before: t.jsonb("before").$type<ProductFacts>(),
  after: t.jsonb("after").$type<ProductFacts>(),
}));

/** Changes in an order that only grows at its end: a transaction that commits late has a late position. */
export const productChange = pgTable(
  "product_change",
  { position: id("position").primaryKey(), ...told() },
  (t) => [index("product_change_item").on(t.itemId, t.position)],
);

/** One row. Whoever gives positions locks it. */
export const changeHead = pgTable(
  "change_head",
  (t) => ({
    singleton: t.boolean("singleton").primaryKey().default(true),
    /** Names this order of changes. A restored database begins another one, so that no cursor of the old one fits. */
    epoch: t
      .text("epoch")
      .notNull()
      .default(sql`left(replace(gen_random_uuid()::text, '-', ''), 12)`),
    /** The last position given; 0: none. */
    position: id("position").notNull().default(0),
    /** Up to here each product has at most one change left. */
    thinnedTo: id("thinned_to").notNull().default(0),
  }),
  (t) => [check("change_head_one_row", sql`${t.singleton}`)],
);

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
export const countChange = pgTable("count_change", (t) => ({
  id: t.bigserial("id", { mode: "number" }).primaryKey(),
  ...counted(),
}));

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
  (t) => ({
    singleton: t.boolean("singleton").primaryKey().default(true),
    /** Products up to this id are counted; null: all are. */
    countedTo: id("counted_to"),
  }),
  (t) => [check("count_head_one_row", sql`${t.singleton}`)],
);
