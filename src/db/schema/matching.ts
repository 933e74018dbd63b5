import { sql } from "drizzle-orm";
import { boolean, check, index, pgTable, primaryKey, real, text } from "drizzle-orm/pg-core";
import { id, moment } from "./columns.ts";

export const matchKinds = ["gtin", "model", "text", "manual"] as const;
export type MatchKind = (typeof matchKinds)[number];

/** Products to match, because they changed (`match_mark_due`) or something that they are compared with. */
export const matchDue = pgTable(
  "match_due",
  (t) => ({
    itemId: id("item_id").primaryKey(),
    since: moment("since")
      .notNull()
      .default(sql`clock_timestamp()`),
    /** 0: its title has to be read; 1: its keys depend on frequencies that changed; 2: it has to be compared. */
    stage: t.smallint("stage").notNull().default(0),
    /** It did not change itself: those that did go first. */
    isFollower: t.boolean("is_follower").notNull().default(false),
    /** Failures in a row. */
    attempts: t.integer("attempts").notNull().default(0),
    nextAt: moment("next_at")
      .notNull()
      .default(sql`clock_timestamp()`),
  }),
  (t) => [
    index("match_due_next").on(t.stage, t.isFollower, t.nextAt),
    index("match_due_since").on(t.since),
    index("match_due_failing")
      .on(t.itemId)
      .where(sql`attempts > 0`),
  ],
);

/** What a living product is found and compared by, as of its last reading. */
export const matchItem = pgTable(
  "match_item",
  (t) => ({
    itemId: id("item_id").primaryKey(),
    shopId: t.text("shop_id").notNull(),
    category: t.text("category"),
    condition: t.text("condition"),
    /** Valid codes as numbers. */
    codes: id("codes").array().notNull(),
    /** Hashes of the words and models of its title: see `keys.ts`. */
    words: id("words").array().notNull(),
    models: id("models").array().notNull(),
    /** Hashes of two frequent words together. */
    couples: id("couples").array().notNull(),
    /** Of the preparation that it was read by. */
    version: t.integer("version").notNull(),
    /** How frequent each of `words` was when the product was last compared; parallel to it. */
    steps: t.smallint("steps").array().notNull(),
  }),
  (t) => [index("match_item_category").on(t.category, t.itemId)],
);

/** By which key a product is found: words, models, couples, and codes as negative numbers. */
export const matchKey = pgTable(
  "match_key",
  { key: id("key").notNull(), itemId: id("item_id").notNull() },
  (t) => [primaryKey({ columns: [t.key, t.itemId] })],
);

/** Products with a key. */
export const matchFrequency = pgTable("match_frequency", (t) => ({
  key: id("key").primaryKey(),
  items: t.integer("items").notNull(),
}));

/** One row. Whoever matches locks it, so that slices of all processes follow one another. */
export const matchHead = pgTable(
  "match_head",
  (t) => ({
    singleton: t.boolean("singleton").primaryKey().default(true),
    /** Of preparation and keys: with a higher one all products become due, in slices by id. */
    version: t.integer("version").notNull().default(0),
    /** Products up to this id are due or matched; null: all are. */
    afterId: id("after_id").default(0),
    /** Of the model whose pairs count, see `match_model`. */
    model: t.smallint("model").notNull().default(1),
    /** Of the model that is to follow; null: none. */
    nextModel: t.smallint("next_model"),
    /** Products up to this id are compared by the model that follows; null: all are, or none follows. */
    nextAfterId: id("next_after_id"),
    /** Products up to this id are in groups of the model in use; null: all are. */
    regroupedAfterId: id("regrouped_after_id"),
  }),
  (t) => [check("match_head_one_row", sql`${t.singleton}`)],
);

/** Categories whose threshold changed: their products up to `after_id` are due or matched. */
export const matchCategoryDue = pgTable("match_category_due", (t) => ({
  category: t.text("category").primaryKey(),
  afterId: id("after_id").notNull().default(0),
}));

/** What the title of a product tells. Text values in lower case; null: the title says nothing of it. */
export const productAttribute = pgTable("product_attribute", (t) => ({
  itemId: id("item_id").primaryKey(),
  /** Content of one piece in g, ml, m, m², W, V, GB …, see `unit`. */
  quantity: t.doublePrecision("quantity"),
  unit: t.text("unit"),
  /** Pieces in the pack; null: not said, which is one. */
  pack: t.integer("pack"),
  models: t.text("models").array().notNull(),
  /** English names, sorted. */
  colours: t.text("colours").array().notNull(),
  size: t.text("size"),
  condition: t.text("condition"),
  edition: t.text("edition"),
}));

/** The models in use and to follow, so that a process of another version judges by them too. */
export const matchModel = pgTable("match_model", (t) => ({
  version: t.smallint("version").primaryKey(),
  /** A `MatchModel`. */
  weights: t.jsonb("weights").notNull(),
}));

const pairColumns = () => ({
  a: id("a").notNull(),
  b: id("b").notNull(),
  /** Probability that both are the same product, 0 to 1. */
  score: real("score").notNull(),
  /** equal: a link of a group; similar: only shown beside the product; none. */
  tier: text("tier", { enum: ["equal", "similar", "none"] }).notNull(),
  kind: text("kind", { enum: matchKinds }).notNull(),
  /** What forbids that they are one product, in words of `vetoes`. */
  vetoes: text("vetoes").array().notNull(),
  /** People should look at it: near the threshold, a strong likeness with a veto, or one code at twice the price. */
  isDoubtful: boolean("is_doubtful").notNull(),
  shopA: text("shop_a").notNull(),
  shopB: text("shop_b").notNull(),
  /** What stands above the score: decisions of people, codes in common, or codes of which none is in common. */
  rule: text("rule", { enum: ["same", "different", "code", "other_code"] }),
  /** Log-odds by the titles alone, without the place of each among the others of both shops. */
  base: real("base").notNull(),
  sharesModel: boolean("shares_model").notNull(),
  softMin: real("soft_min").notNull(),
  /** Both say the same, content included: see `isSameWording`. */
  sameWording: boolean("same_wording").notNull(),
  cosine: real("cosine").notNull(),
  /** The best cosine of `a` in the shop of `b`, and the reverse. */
  bestA: real("best_a").notNull(),
  bestB: real("best_b").notNull(),
  /** `b` is the likeliest of its shop for `a`, and the reverse. */
  isFirstA: boolean("is_first_a").notNull(),
  isFirstB: boolean("is_first_b").notNull(),
});

/** Pairs of products of different shops, or with a common code, that were compared. `a` is the smaller id. */
export const matchPair = pgTable("match_pair", pairColumns(), (t) => [
  primaryKey({ columns: [t.a, t.b] }),
  index("match_pair_b").on(t.b),
  check("match_pair_ordered", sql`${t.a} < ${t.b}`),
]);

/** The same by the model that follows. `switch_match_pairs` makes it `match_pair`. */
export const matchPairNext = pgTable("match_pair_next", pairColumns(), (t) => [
  primaryKey({ columns: [t.a, t.b] }),
  index("match_pair_next_b").on(t.b),
  check("match_pair_next_ordered", sql`${t.a} < ${t.b}`),
]);

/** Decisions of people: they stand above every model and code. Append-only; the newest counts. */
export const matchDecision = pgTable(
  "match_decision",
  (t) => ({
    id: id("id").primaryKey().generatedAlwaysAsIdentity(),
    a: id("a").notNull(),
    b: id("b").notNull(),
    /** undone: as if nobody had decided. */
    decision: t.text("decision", { enum: ["same", "different", "unsure", "undone"] }).notNull(),
    decidedAt: moment("decided_at").notNull(),
  }),
  (t) => [
    index("match_decision_pair").on(t.a, t.b, t.id),
    index("match_decision_b").on(t.b),
    check("match_decision_ordered", sql`${t.a} < ${t.b}`),
  ],
);

/** One comparable product. It has two members or more, unless it was merged or dissolved. */
export const productGroup = pgTable(
  "product_group",
  (t) => ({
    groupId: id("group_id").primaryKey().generatedAlwaysAsIdentity(),
    /** The group that has its members now; null: lives, or dissolved. */
    mergedInto: id("merged_into"),
    /** Members now; 0: merged or dissolved. */
    members: t.integer("members").notNull(),
    createdAt: moment("created_at").notNull(),
    endedAt: moment("ended_at"),
  }),
  (t) => [
    index("product_group_merged")
      .on(t.mergedInto)
      .where(sql`merged_into is not null`),
  ],
);

/** Which products are one. Products without an equal elsewhere have no row. */
export const groupMember = pgTable(
  "group_member",
  (t) => ({
    itemId: id("item_id").primaryKey(),
    groupId: id("group_id").notNull(),
    /** The strongest reason that links the product to the others of its group. */
    kind: t.text("kind", { enum: matchKinds }).notNull(),
    /** Of that link, 0 to 1; 1 for a code or a decision of people. */
    score: t.real("score").notNull(),
  }),
  (t) => [index("group_member_group").on(t.groupId, t.itemId)],
);

/** What happened to groups, in order. Append-only. */
export const groupChange = pgTable(
  "group_change",
  (t) => ({
    id: id("id").primaryKey().generatedAlwaysAsIdentity(),
    at: moment("at").notNull(),
    kind: t
      .text("kind", {
        enum: ["created", "joined", "left", "merged", "split", "dissolved"],
      })
      .notNull(),
    groupId: id("group_id").notNull(),
    /** merged: the group that remains; split: the new group; else null. */
    otherGroupId: id("other_group_id"),
    itemIds: id("item_ids").array().notNull(),
  }),
  (t) => [
    index("group_change_dissolved")
      .using("gin", t.itemIds)
      .where(sql`kind = 'dissolved'`),
  ],
);

/** How sure links are within a category, from its own products with barcodes and by comparison within shops. */
export const matchCategory = pgTable("match_category", (t) => ({
  category: t.text("category").primaryKey(),
  /** Probability from which a pair links, 0 to 1. */
  threshold: t.real("threshold").notNull(),
  /** false: nothing is linked by text here. */
  isLinked: t.boolean("is_linked").notNull(),
  reason: t.text("reason").notNull(),
  /** Share of links that are right, 0 to 1, by each of the two estimates; null: too little evidence. */
  precisionByCodes: t.real("precision_by_codes"),
  precisionByShops: t.real("precision_by_shops"),
  /** Pairs with a code on both sides that the first estimate counted. */
  labelledPairs: t.integer("labelled_pairs").notNull(),
  modelVersion: t.smallint("model_version").notNull(),
  estimatedAt: moment("estimated_at").notNull(),
}));
