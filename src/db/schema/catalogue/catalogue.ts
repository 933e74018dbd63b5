import { sql } from "drizzle-orm";
import { check, index, pgTable, primaryKey } from "drizzle-orm/pg-core";
import { id, instant, tsvector } from "../columns.ts";

// The catalogue: what the upstream's shops sell, as last observed.

/** One image slot as sent by the upstream: size name to URL; a size may be missing. */
export type ImageSlot = Record<string, string>;

export interface VariationRow {
  variation_id: number;
  variation: string;
  variation_stock: number;
  variation_identifier: string | null;
  barcode: string | null;
}

export const shop = pgTable(
  "shop",
  (t) => ({
    shopId: t.text("shop_id").primaryKey(),
    shopName: t.text("shop_name").notNull(),
    shopUrl: t.text("shop_url").notNull(),
    firstSeenAt: instant("first_seen_at").notNull(),
    checkedAt: instant("checked_at").notNull(),
    /** Name and address before the last change of either; null: it had no others. */
    renamedFrom: t.text("renamed_from").array(),
    renamedAt: instant("renamed_at"),
    /** When the value of a refresh of its best batch reaches the threshold of a call. */
    dueAt: instant("due_at").notNull().defaultNow(),
    /** Sums of its products' evidence for change rates, and evidence for losses and silent changes. */
    rateChanges: t.doublePrecision("rate_changes").notNull().default(0),
    rateDays: t.doublePrecision("rate_days").notNull().default(0),
    losses: t.doublePrecision("losses").notNull().default(0),
    lossDays: t.doublePrecision("loss_days").notNull().default(0),
    /** Until when losses are learned: older ones count less and less. */
    lossesAt: instant("losses_at"),
    /**
     * When a refresh proved most of the products that it asked for deleted, although nothing had hinted at it: those that
     * were not checked since are likely deleted too. null: a refresh has shown living ones since.
     */
    emptiedAt: instant("emptied_at"),
    bumped: t.doublePrecision("bumped").notNull().default(0),
    silent: t.doublePrecision("silent").notNull().default(0),
  }),
  (t) => [
    index("shop_due").on(t.dueAt),
    // By prefix, in one spelling; cut, because an index refuses long texts. A change of `fold_text` has to
    // build them anew.
    index("shop_name_folded").on(sql`left(fold_text(shop_name), 200) collate "C"`),
    index("shop_id_folded").on(sql`left(fold_text(shop_id), 200) collate "C"`),
  ],
);

/** Shops with a new name that is not yet in the search text and index entries of all their products. */
export const shopRename = pgTable(
  "shop_rename",
  (t) => ({
    shopId: t
      .text("shop_id")
      .primaryKey()
      .references(() => shop.shopId),
    /** Products up to this id are updated; 0: none is. */
    afterId: id("after_id").notNull().default(0),
    /** Renamed again since the pass began, so another pass follows. */
    again: t.boolean("again").notNull().default(false),
    /** Since when products wait for the name; in the future where it came soon after another. */
    renamedAt: instant("renamed_at").notNull(),
    nextAt: instant("next_at").notNull(),
    /** Failures in a row; 1 too while the pass is not to begin before `nextAt`. */
    attempts: t.integer("attempts").notNull().default(0),
  }),
  (t) => [index("shop_rename_due").on(t.nextAt)],
);

export const product = pgTable(
  "product",
  (t) => ({
    itemId: id("item_id").primaryKey(),
    shopId: t
      .text("shop_id")
      .notNull()
      .references(() => shop.shopId),
    /** Raised by one when content or state changes, not by a check without changes. */
    ver: id("ver").notNull(),
    /** live; missing: a search that should find it did not; gone: proven deleted by `deleted_call_id`. */
    state: t.text("state", { enum: ["live", "missing", "gone"] }).notNull(),
    title: t.text("title").notNull(),
    detail: t.text("detail").notNull(),
    /** Tax included, in the upstream's currency. */
    price: id("price").notNull(),
    properPrice: id("proper_price"),
    stock: id("stock").notNull(),
    visible: t.integer("visible").notNull(),
    listOrder: id("list_order").notNull(),
    identifier: t.text("identifier"),
    /** Five slots, null where unused. */
    images: t.jsonb("images").$type<(ImageSlot | null)[]>().notNull(),
    variations: t.jsonb("variations").$type<VariationRow[]>().notNull(),
    categories: t.jsonb("categories").$type<string[]>().notNull(),
    /** The upstream's raw integer; its unit is not specified. */
    modified: id("modified").notNull(),
    firstSeenAt: instant("first_seen_at").notNull(),
    /** When an answer of the upstream last showed the product, changed or not. */
    checkedAt: instant("checked_at").notNull(),
    changedAt: instant("changed_at").notNull(),
    /** When the present price, proper price and stock were first seen. */
    priceSince: instant("price_since").notNull(),
    /** Its rank in a keyword's list by order count, from 0; null: never seen there. */
    orderRank: t.integer("order_rank"),
    /**
     * The rank on a scale from 0 (never seen there) to 20 (most ordered), in powers of two. Coarse,
     * because each step rewrites a document of the search index.
     */
    popularity: t
      .integer("popularity")
      .notNull()
      .generatedAlwaysAs(
        sql`case when order_rank is null then 0 else greatest(1, 20 - floor(log(2, order_rank + 1))::integer) end`,
      ),
    lastCallId: id("last_call_id").notNull(),
    deletedAt: instant("deleted_at"),
    deletedCallId: id("deleted_call_id"),
    /** How often it was proven deleted. */
    deletions: t.integer("deletions").notNull().default(0),
  }),
  (t) => [
    check("product_state", sql`${t.state} in ('live', 'missing', 'gone')`),
    check(
      "product_deleted_has_evidence",
      sql`(${t.state} = 'gone') = (${t.deletedAt} is not null and ${t.deletedCallId} is not null)`,
    ),
    index("product_shop_item")
      .on(t.shopId, t.itemId)
      .where(sql`state <> 'gone'`),
    index("product_deleted")
      .on(t.deletedAt)
      .where(sql`state = 'gone'`),
    index("product_popular")
      .on(t.popularity.desc(), t.modified.desc())
      .where(sql`state <> 'gone'`),
    index("product_deleted_call")
      .on(t.deletedCallId)
      .where(sql`deleted_call_id is not null`),
  ],
);

/** What Postgres searches products by, one row for each that is not gone; written by triggers. */
export const productText = pgTable(
  "product_text",
  (t) => ({
    itemId: id("item_id")
      .primaryKey()
      .references(() => product.itemId),
    /** Title, categories and shop name in one spelling: see `fold` in search/index/fold.ts. */
    body: t.text("body").notNull(),
    /** By which it is found: Latin words and numbers, and characters beyond ASCII alone and in pairs. */
    words: tsvector("words").notNull(),
    /** Characters of `body` that are the title. */
    titleLength: t.integer("title_length").notNull(),
    inStock: t.boolean("in_stock").notNull(),
    popularity: t.integer("popularity").notNull(),
  }),
  (t) => [index("product_text_words").using("gin", t.words).with({ fastupdate: false })],
);

export const variation = pgTable(
  "variation",
  (t) => ({
    itemId: id("item_id")
      .notNull()
      .references(() => product.itemId),
    variationId: id("variation_id").notNull(),
    variation: t.text("variation").notNull(),
    variationStock: id("variation_stock").notNull(),
    variationIdentifier: t.text("variation_identifier"),
    barcode: t.text("barcode"),
    /** The barcode as GTIN-14 when its check digit is right, else null. */
    gtin: t.text("gtin"),
  }),
  (t) => [
    primaryKey({ columns: [t.itemId, t.variationId] }),
    index("variation_gtin")
      .on(t.gtin)
      .where(sql`gtin is not null`),
  ],
);

/**
 * Values of price, proper price and stock over time, append-only. An interval ends with
 * `prev_confirmed_at` of its successor; the open one ends at the product's `checked_at`. Partitioned by
 * `first_seen`. No foreign key, because dropping a partition would lock `product`; products stay for ever.
 */
export const priceInterval = pgTable(
  "price_interval",
  {
    itemId: id("item_id").notNull(),
    firstSeen: instant("first_seen").notNull(),
    price: id("price").notNull(),
    properPrice: id("proper_price"),
    stock: id("stock").notNull(),
    /** When the values before these were last confirmed; null for the first interval of a product. */
    prevConfirmedAt: instant("prev_confirmed_at"),
    /** Price and stock of the interval before, so that one row tells a price drop; null for the first. */
    prevPrice: id("prev_price"),
    prevStock: id("prev_stock"),
    callId: id("call_id").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.itemId, t.firstSeen] }),
    index("price_interval_newest_drop")
      .on(t.firstSeen, t.itemId)
      .where(sql`price < prev_price and price > 0`),
    index("price_interval_biggest_drop")
      .on(sql`((prev_price - price) * 100 / nullif(prev_price, 0))`, t.firstSeen)
      .where(sql`price < prev_price and price > 0`),
  ],
);

/** The lowest price of each product among the archived intervals; written before they are dropped. */
export const archivedLow = pgTable("archived_low", {
  itemId: id("item_id").primaryKey(),
  /** Above 0. */
  price: id("price").notNull(),
  firstSeen: instant("first_seen").notNull(),
});

/**
 * Products whose content is known. Made from title, variations and price, which stay in `product`, and
 * written with them. No index by amount: a search by Postgres counts, so it reads all matches.
 */
export const unitPrice = pgTable("unit_price", (t) => ({
  itemId: id("item_id").primaryKey(),
  /** In g, ml or pieces. */
  content: t.doublePrecision("content").notNull(),
  unit: t.text("unit", { enum: ["g", "ml", "piece"] }).notNull(),
  /** Price of 100 g, 100 ml or 1 piece: the order of search results. */
  amount: t.doublePrecision("amount").notNull(),
}));
