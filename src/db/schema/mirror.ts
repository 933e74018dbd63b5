import { sql } from "drizzle-orm";
import { index, pgTable, primaryKey, uniqueIndex } from "drizzle-orm/pg-core";
import { id, instant } from "./columns.ts";

// The mirror: what the search index has to hold, and what it is proven to hold.

/** The indexes that are kept up to date: of each host one is `serving`, and a second may be `building`. */
export const mirrorIndex = pgTable(
  "mirror_index",
  (t) => ({
    indexUid: t.text("index_uid").primaryKey(),
    /** Of several search hosts the one that has it (`search_host`); 0: the only one. */
    host: t.integer("host").notNull().default(0),
    state: t.text("state", { enum: ["building", "serving", "retired"] }).notNull(),
    /** Marker document written into the index, to notice an engine that lost its data. */
    epoch: t.uuid("epoch").notNull(),
    settingsHash: t.text("settings_hash").notNull(),
    createdAt: instant("created_at").notNull(),
    /** Since when it is searched, or retired; null: not yet, or not again before it is filled anew. */
    switchedAt: instant("switched_at"),
    /** Products up to this id have rows; null: all have. */
    enteredTo: id("entered_to").default(0),
    /** The engine lost the index, and rows up to this product are marked for sending; null: no mark is pending. */
    resetAfter: id("reset_after"),
    resetSince: instant("reset_since"),
  }),
  (t) => [
    uniqueIndex("mirror_index_one_serving")
      .on(t.host)
      .where(sql`state = 'serving'`),
  ],
);

/** One row a product and index: every change raises `desired_version`, a succeeded task `indexed_version`. */
export const mirror = pgTable(
  "mirror",
  (t) => ({
    indexUid: t.text("index_uid").notNull(),
    itemId: id("item_id").notNull(),
    desiredVersion: id("desired_version").notNull(),
    indexedVersion: id("indexed_version").notNull().default(0),
    dirtySince: instant("dirty_since").notNull(),
    nextAt: instant("next_at").notNull(),
    attempts: t.integer("attempts").notNull().default(0),
    deadLetteredAt: instant("dead_lettered_at"),
    error: t.text("error"),
  }),
  (t) => [
    primaryKey({ columns: [t.indexUid, t.itemId] }),
    index("mirror_due")
      .on(t.indexUid, t.nextAt)
      .where(sql`desired_version > indexed_version and dead_lettered_at is null`),
    index("mirror_dirty")
      .on(t.indexUid, t.dirtySince)
      .where(sql`desired_version > indexed_version and dead_lettered_at is null`),
    index("mirror_dead_lettered")
      .on(t.indexUid)
      .where(sql`dead_lettered_at is not null`),
    index("mirror_dead_lettered_item")
      .on(t.itemId)
      .where(sql`dead_lettered_at is not null`),
  ],
);

/** One write to the engine: its rows with their versions, and the task that must succeed. */
export const mirrorBatch = pgTable(
  "mirror_batch",
  (t) => ({
    id: t.bigserial("id", { mode: "number" }).primaryKey(),
    indexUid: t.text("index_uid").notNull(),
    leaseEpoch: id("lease_epoch").notNull(),
    operation: t.text("operation", { enum: ["replace", "delete"] }).notNull(),
    rows: t.jsonb("rows").$type<[itemId: number, version: number][]>().notNull(),
    taskUid: t.integer("task_uid"),
    /** The engine's own text for when it took the task. Together with the number it identifies the task. */
    enqueuedAt: t.text("enqueued_at"),
    state: t
      .text("state", {
        enum: ["building", "sent", "succeeded", "failed", "dropped"],
      })
      .notNull(),
    error: t.text("error"),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  }),
  (t) => [
    index("mirror_batch_open")
      .on(t.indexUid)
      .where(sql`state in ('building', 'sent')`),
    index("mirror_batch_closed")
      .on(t.updatedAt)
      .where(sql`state not in ('building', 'sent')`),
  ],
);

/** The search hosts of `MEILI_HOST`, if it names several; empty otherwise. */
export const searchHost = pgTable("search_host", (t) => ({
  host: t.serial("host").primaryKey(),
  /** Without credentials. */
  url: t.text("url").notNull().unique(),
  /** false: no longer in `MEILI_HOST`; it serves until others have its buckets, then its rows go. */
  wanted: t.boolean("wanted").notNull(),
  addedAt: instant("added_at").notNull(),
}));

/**
 * Which hosts have the products of a bucket (`search_bucket`). Only `serving` ones are searched; `filling`
 * means not proven to be complete yet, `leaving` that the documents are about to be deleted.
 */
export const searchPlacement = pgTable(
  "search_placement",
  (t) => ({
    bucket: t.integer("bucket").notNull(),
    host: t.integer("host").notNull(),
    state: t.text("state", { enum: ["filling", "serving", "leaving"] }).notNull(),
    changedAt: instant("changed_at").notNull(),
  }),
  (t) => [primaryKey({ columns: [t.bucket, t.host] }), index("search_placement_host").on(t.host)],
);
