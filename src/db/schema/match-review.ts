import { sql } from "drizzle-orm";
import { check, index, pgTable, primaryKey } from "drizzle-orm/pg-core";
import { id, moment } from "./columns.ts";

/** Doubtful pairs that nobody has decided about. A trigger of `match_pair` adds and removes them. */
export const matchReview = pgTable(
  "match_review",
  (t) => ({
    a: id("a").notNull(),
    b: id("b").notNull(),
    /** Demand times the effect on the lowest price, by `match_priority`; anew every night. */
    priority: t.doublePrecision("priority").notNull(),
  }),
  (t) => [
    primaryKey({ columns: [t.a, t.b] }),
    index("match_review_priority").on(t.priority, t.a, t.b),
    check("match_review_ordered", sql`${t.a} < ${t.b}`),
  ],
);

/**
 * Scores of sampled pairs of a category: how many lie in each fiftieth from 0 to 1. Half as much remains
 * of them with every later pass over the products.
 */
export const matchEvidence = pgTable("match_evidence", (t) => ({
  category: t.text("category").primaryKey(),
  /** The pass that added the newest. */
  pass: id("pass").notNull(),
  /** Pairs of two shops with barcodes on both sides: equal ones, and different ones. */
  same: t.doublePrecision("same").array().notNull(),
  different: t.doublePrecision("different").array().notNull(),
  /** Candidates from two shops, and from one shop, where they are not the same product. */
  crossShop: t.doublePrecision("cross_shop").array().notNull(),
  sameShop: t.doublePrecision("same_shop").array().notNull(),
}));

/** What the estimates changed about a category. Append-only. */
export const matchCategoryChange = pgTable("match_category_change", (t) => ({
  id: id("id").primaryKey().generatedAlwaysAsIdentity(),
  at: moment("at").notNull(),
  category: t.text("category").notNull(),
  threshold: t.real("threshold").notNull(),
  isLinked: t.boolean("is_linked").notNull(),
  reason: t.text("reason").notNull(),
}));
