import { sql } from "drizzle-orm";
import { check, index, pgTable } from "drizzle-orm/pg-core";
import { id, instant } from "../columns.ts";
import { product } from "./catalogue.ts";

// What the upstream sent and is not believed, or not yet.

/** What makes two answers tell the same: the product, or the text of an item without an id, and the reason. */
export const quarantineSubject = sql`md5(coalesce(item_id::text, raw) || ' ' || reason)`;

/**
 * Items of valid answers that could not be read, or have fields that could not, with their raw text. Their other fields and
 * the rest of their page are stored. One row for each item and reason, however many answers show it.
 */
export const quarantine = pgTable(
  "quarantine",
  (t) => ({
    id: t.bigserial("id", { mode: "number" }).primaryKey(),
    /** The latest call that showed it, the text as it was then, and when. */
    callId: id("call_id").notNull(),
    itemId: id("item_id"),
    reason: t.text("reason").notNull(),
    raw: t.text("raw").notNull(),
    seenAt: instant("seen_at").notNull(),
    firstSeenAt: instant("first_seen_at").notNull().defaultNow(),
    /** How often it was seen. */
    times: t.integer("times").notNull().default(1),
  }),
  (t) => [
    index("quarantine_item").on(t.itemId),
    index("quarantine_call").on(t.callId),
    index("quarantine_subject").on(quarantineSubject),
  ],
);

/**
 * Proven deletions that wait for ops to release or discard them, because too many products vanished at
 * once. If a call that was sent later shows the product, its row is removed.
 */
export const heldDeletion = pgTable("held_deletion", {
  itemId: id("item_id")
    .primaryKey()
    .references(() => product.itemId),
  /** The newest call that found it absent, and when that call was sent. */
  callId: id("call_id").notNull(),
  provenAt: instant("proven_at").notNull(),
  heldAt: instant("held_at").notNull(),
});

/** One row. Every transaction that deletes products locks it, so that each sees the losses of the others. */
export const lossGuard = pgTable(
  "loss_guard",
  (t) => ({
    singleton: t.boolean("singleton").primaryKey().default(true),
    /** Since when every deletion is held; null: deletions take effect. Only a decision of ops clears it. */
    trippedAt: instant("tripped_at"),
    /** When ops last decided about all held deletions; null: never. */
    decidedAt: instant("decided_at"),
  }),
  (t) => [check("loss_guard_one_row", sql`${t.singleton}`)],
);

/**
 * Products deleted in the ten minutes from `since`, counted since ops last decided. Those that came
 * back count too.
 */
export const deletionCount = pgTable("deletion_count", (t) => ({
  since: instant("since").primaryKey(),
  deleted: t.integer("deleted").notNull(),
  /** Products that an answer in these ten minutes has shown, unchanged, after another one lacked them. */
  refuted: t.integer("refuted").notNull().default(0),
  /** Answers that were looked at a second time to find out whether refreshes leave out living products. */
  sampled: t.integer("sampled").notNull().default(0),
}));

/** Ids of a refresh whose answer was empty. A second empty answer within an hour confirms it. */
export const emptyAnswer = pgTable("empty_answer", (t) => ({
  itemId: id("item_id").primaryKey(),
  shopId: t.text("shop_id").notNull(),
  callId: id("call_id").notNull(),
  sentAt: instant("sent_at").notNull(),
}));

/** Products that were deleted with most of their shop, others of which have returned: they are asked for once. */
export const possibleReturn = pgTable(
  "possible_return",
  (t) => ({
    itemId: id("item_id").primaryKey(),
    /** The shop that shows the others now. */
    shopId: t.text("shop_id").notNull(),
    notedAt: instant("noted_at").notNull(),
    isAsked: t.boolean("is_asked").notNull().default(false),
  }),
  (t) => [
    index("possible_return_waiting")
      .on(t.notedAt, t.itemId)
      .where(sql`not is_asked`),
  ],
);
