import { sql } from "drizzle-orm";
import { index, pgTable, primaryKey } from "drizzle-orm/pg-core";
import { id, instant } from "../columns.ts";
import { product } from "../catalogue/catalogue.ts";

// What the planner has learnt, and what it promised.

/**
 * The planning state of each product that is not deleted, one row per product. Every observation
 * writes it, so it is not in the wide row of the product.
 */
export const productSchedule = pgTable(
  "product_schedule",
  (t) => ({
    itemId: id("item_id")
      .primaryKey()
      .references(() => product.itemId),
    shopId: t.text("shop_id").notNull(),
    /** As in `product`. */
    checkedAt: instant("checked_at").notNull(),
    /** When its own value reaches the threshold per item. Every answered check moves it forward. */
    dueAt: instant("due_at").notNull(),
    /** A search that should have found it did not; the product's state is `missing`. */
    suspected: t.boolean("suspected").notNull().default(false),
    /** Evidence for its change rate: changes seen, and the days during which they could be seen. */
    rateChanges: t.doublePrecision("rate_changes").notNull().default(0),
    rateDays: t.doublePrecision("rate_days").notNull().default(0),
    /** Multiplies the mean rate of its shop, by what the product was at its last check (`rateFactor`). */
    rateFactor: t.doublePrecision("rate_factor").notNull().default(1),
    /** Multiplies the loss rate of its shop, by what the product was at its last check. */
    lossFactor: t.doublePrecision("loss_factor").notNull().default(1),
    /** Since when it is shown, after its last deletion; null: unknown. */
    appearedAt: instant("appeared_at"),
    /** Importance: what our users look at, the upstream's order counts, and a minimum. */
    weight: t.doublePrecision("weight").notNull().default(1),
    /** A keyword that finds it, so that its feed shows the product's changes. */
    queryId: id("query_id"),
  }),
  (t) => [
    index("product_schedule_due").on(t.shopId, t.dueAt),
    // Finds products whose next check lies beyond the maximum age without reading the others.
    index("product_schedule_due_span").on(sql`(due_at - checked_at)`),
    index("product_schedule_checked").on(t.checkedAt),
  ],
);

/**
 * What products with the same traits (stock level, price class, category) have shown: their changes, and those that the
 * mean rates of their shops led to expect.
 */
export const rateEvidence = pgTable(
  "rate_evidence",
  (t) => ({
    traits: t.text("traits").array().primaryKey(),
    changes: t.doublePrecision("changes").notNull(),
    expected: t.doublePrecision("expected").notNull(),
  }),
  (t) => [index("rate_evidence_expected").on(t.expected.desc())],
);

/** What a trait multiplies the change rate of a product by, fitted to the evidence. */
export const rateTrait = pgTable("rate_trait", (t) => ({
  trait: t.text("trait").primaryKey(),
  factor: t.doublePrecision("factor").notNull(),
}));

/**
 * What products with the same traits (those above, how long they are shown, how often they were deleted before) have
 * shown: their deletions, and those that the loss rates of their shops led to expect.
 */
export const lossEvidence = pgTable(
  "loss_evidence",
  (t) => ({
    traits: t.text("traits").array().primaryKey(),
    losses: t.doublePrecision("losses").notNull(),
    expected: t.doublePrecision("expected").notNull(),
  }),
  (t) => [index("loss_evidence_expected").on(t.expected.desc())],
);

/** What a trait multiplies the loss rate of a product by, fitted to the evidence. */
export const lossTrait = pgTable("loss_trait", (t) => ({
  trait: t.text("trait").primaryKey(),
  factor: t.doublePrecision("factor").notNull(),
}));

/** Forecasts of some products: the chance that the stored state will no longer be the upstream's after a week. */
export const forecast = pgTable(
  "forecast",
  (t) => ({
    madeAt: instant("made_at").notNull(),
    itemId: id("item_id").notNull(),
    dueAt: instant("due_at").notNull(),
    /** Of the product when the forecast was made: only this, price and stock tell of changes. */
    modified: id("modified").notNull(),
    chance: t.doublePrecision("chance").notNull(),
    /** What came of it; null: not known yet. */
    changed: t.boolean("changed"),
  }),
  (t) => [primaryKey({ columns: [t.madeAt, t.itemId] })],
);
