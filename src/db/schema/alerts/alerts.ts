import { sql } from "drizzle-orm";
import { check, index, pgTable, primaryKey, unique } from "drizzle-orm/pg-core";
import { z } from "zod";
import { id, instant } from "../columns.ts";
import { alertOwner, webhook } from "./alert-owners.ts";

export const alertKinds = [
  "new_match",
  "price_below",
  "price_drop",
  "new_low",
  "back_in_stock",
  "price_rise",
  "gone",
] as const;
export type AlertKind = (typeof alertKinds)[number];

/** As read from JSON: a member is given or absent, never undefined. */
type Given<T> = { [Name in keyof T]: Exclude<T[Name], undefined> };

const texts = z.array(z.string());

/** Which products a saved search is about. Absent means no restriction; a list means any of its values. */
export const storedQuery = z
  .strictObject({
    q: z.string(),
    shop_id: texts,
    exclude_shop_id: texts,
    category: texts,
    gtin: texts.describe("as GTIN-14"),
    price_min: z.int(),
    price_max: z.int(),
    in_stock: z.boolean(),
    on_sale: z.boolean(),
    item_id: z.int(),
    group_id: z.int(),
  })
  .partial();
export type SavedQuery = Given<z.infer<typeof storedQuery>>;

export const lowWindows = ["30d", "90d", "1y", "all"] as const;
export type LowWindow = (typeof lowWindows)[number];

export const storedRule = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("price_below"), price: z.number() }),
  z.object({ kind: z.literal("price_drop"), percent: z.number() }),
  z.object({ kind: z.literal("price_rise"), percent: z.number().optional() }),
  z.object({ kind: z.literal("new_low"), window: z.enum(lowWindows) }),
  z.object({ kind: z.literal("new_match") }),
  z.object({ kind: z.literal("back_in_stock") }),
  z.object({ kind: z.literal("gone") }),
]);
export type AlertRule = Given<z.infer<typeof storedRule>>;

/** A product at one moment, as alerts are judged by it. */
export interface ProductFacts {
  title: string;
  categories: string[];
  shop_id: string;
  shop_name: string;
  /** Tax included; 0: not known. */
  price: number;
  proper_price: number | null;
  stock: number;
  /** Of its variations, as the upstream sends them. */
  barcodes: string[];
  /** ISO 8601: when these price and stock were first seen. */
  since: string;
}

/** What is remembered of one rule for one product. */
export interface RuleState {
  /** price_below, new_match: it began earlier, and has not clearly ended. */
  isHeld?: boolean;
  /** The last event: ISO 8601, and its price. */
  at?: string;
  /** new_low: what the next price has to be clearly below; else the price of the last event. */
  price?: number;
}

export type ItemState = Partial<Record<AlertKind, RuleState>>;

/** A price that jumped and is judged only when it is seen again. */
export interface UnconfirmedJump {
  position: number;
  ver: number;
  before: ProductFacts;
  after: ProductFacts;
  /** The product had been deleted until then. */
  isReturn?: boolean;
}

export const savedSearch = pgTable(
  "saved_search",
  (t) => ({
    savedSearchId: id("saved_search_id").primaryKey().generatedAlwaysAsIdentity(),
    ownerId: id("owner_id")
      .notNull()
      .references(() => alertOwner.ownerId),
    name: t.text("name").notNull(),
    query: t.jsonb("query").$type<SavedQuery>().notNull(),
    rules: t.jsonb("rules").$type<AlertRule[]>().notNull(),
    webhookId: id("webhook_id").references(() => webhook.webhookId, { onDelete: "set null" }),
    /** Percent: smaller moves of the price are no news. */
    minChangePercent: t.real("min_change_percent").notNull(),
    /** Seconds after an event in which the same rule says nothing of the same product. */
    cooldownS: t.integer("cooldown_s").notNull(),
    /** Most events a day; further ones are quiet. */
    dailyMax: t.integer("daily_max").notNull(),
    /** A price that became so many times as high or low is judged only when it is seen again. */
    confirmFactor: t.real("confirm_factor").notNull(),
    expiresAt: instant("expires_at"),
    isPaused: t.boolean("is_paused").notNull().default(false),
    /** The position of the last change that was stored before it was saved, got on or got other conditions: it judges later ones. */
    judgesAfter: id("judges_after").notNull().default(0),
    /** The `anchorsVersion` of its anchors. */
    anchorsVersion: t.integer("anchors_version").notNull().default(0),
    /** Why it cannot be judged, for people; null: it can. */
    fault: t.text("fault"),
    /** SHA-256 in hex of the secret in its feeds' address. */
    feedHash: t.text("feed_hash").notNull().unique(),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
    /** The last day with events, on the marketplace's calendar, and how many of them were not quiet. */
    day: t.date("day"),
    dayEvents: t.integer("day_events").notNull().default(0),
    events: id("events").notNull().default(0),
  }),
  (t) => [
    index("saved_search_owner").on(t.ownerId, t.savedSearchId),
    index("saved_search_webhook")
      .on(t.webhookId)
      .where(sql`webhook_id is not null`),
    index("saved_search_expires")
      .on(t.expiresAt)
      .where(sql`expires_at is not null`),
    index("saved_search_events").on(t.events),
  ],
);

/** The most selective predicate of each saved search: a change that has none of its keys cannot concern it. */
export const savedSearchAnchor = pgTable(
  "saved_search_anchor",
  (t) => ({
    /** item, group, gtin, word, shop, category or price (a band). */
    kind: t.text("kind").notNull(),
    key: t.text("key").notNull(),
    /** Of these, kind and key with a space between, the product must have one as well; null: none is asked for. */
    also: t.text("also").array(),
    savedSearchId: id("saved_search_id")
      .notNull()
      .references(() => savedSearch.savedSearchId, { onDelete: "cascade" }),
  }),
  (t) => [
    primaryKey({ columns: [t.kind, t.key, t.savedSearchId] }),
    index("saved_search_anchor_search").on(t.savedSearchId),
  ],
);

/** What a saved search remembers of a product. No row: nothing beyond what the next change tells itself. */
export const savedSearchItem = pgTable(
  "saved_search_item",
  (t) => ({
    savedSearchId: id("saved_search_id")
      .notNull()
      .references(() => savedSearch.savedSearchId, { onDelete: "cascade" }),
    itemId: id("item_id").notNull(),
    rules: t.jsonb("rules").$type<ItemState>().notNull(),
    jump: t.jsonb("jump").$type<UnconfirmedJump>(),
    /** When to look whether the jump was seen again; null: no jump. */
    lookAt: instant("look_at"),
    touchedAt: instant("touched_at").notNull(),
  }),
  (t) => [
    primaryKey({ columns: [t.itemId, t.savedSearchId] }),
    index("saved_search_item_search").on(t.savedSearchId),
    index("saved_search_item_look")
      .on(t.lookAt)
      .where(sql`look_at is not null`),
    index("saved_search_item_touched").on(t.touchedAt),
  ],
);

/** Changes to judge, in the order of `product_change`; empty while there are no saved searches. */
export const alertChange = pgTable("alert_change", (t) => ({
  position: id("position").primaryKey(),
  itemId: id("item_id").notNull(),
  ver: id("ver").notNull(),
  kind: t.text("kind", { enum: ["added", "changed", "deleted", "returned"] }).notNull(),
  before: t.jsonb("before").$type<ProductFacts>(),
  after: t.jsonb("after").$type<ProductFacts>(),
  at: instant("at").notNull(),
}));

/**
 * One row. Whoever writes events locks it first and until the end of the transaction, so that events
 * commit in the order of their ids, and a reader who keeps its last id misses none.
 */
export const alertHead = pgTable(
  "alert_head",
  (t) => ({
    singleton: t.boolean("singleton").primaryKey().default(true),
    /** Changes judged since the beginning, saved searches looked at for them, and events that came of it. */
    judged: id("judged").notNull().default(0),
    looked: id("looked").notNull().default(0),
    events: id("events").notNull().default(0),
    /** Changes left out, because judging them failed. */
    skipped: id("skipped").notNull().default(0),
  }),
  (t) => [check("alert_head_one_row", sql`${t.singleton}`)],
);

export const alertEvent = pgTable(
  "alert_event",
  (t) => ({
    eventId: id("event_id").primaryKey().generatedAlwaysAsIdentity(),
    ownerId: id("owner_id").notNull(),
    savedSearchId: id("saved_search_id").notNull(),
    itemId: id("item_id").notNull(),
    kind: t.text("kind", { enum: alertKinds }).notNull(),
    /** Of the product after the change. */
    ver: id("ver").notNull(),
    /** What receivers get, besides what the other columns tell. */
    data: t.jsonb("data").$type<Record<string, unknown>>().notNull(),
    /** Beyond the daily maximum: only readers of events see it. */
    isQuiet: t.boolean("is_quiet").notNull(),
    /** When the change was stored, and when this was written, by the database's clock. */
    changedAt: instant("changed_at").notNull(),
    at: instant("at")
      .notNull()
      .default(sql`clock_timestamp()`),
  }),
  (t) => [
    unique("alert_event_once").on(t.savedSearchId, t.itemId, t.kind, t.ver),
    index("alert_event_owner").on(t.ownerId, t.eventId),
    index("alert_event_search").on(t.savedSearchId, t.eventId),
  ],
);

/** Messages to send; written with their events, in the same transaction. */
export const webhookDelivery = pgTable(
  "webhook_delivery",
  (t) => ({
    deliveryId: id("delivery_id").primaryKey().generatedAlwaysAsIdentity(),
    webhookId: id("webhook_id")
      .notNull()
      .references(() => webhook.webhookId, { onDelete: "cascade" }),
    /** null: a test message. */
    eventId: id("event_id"),
    /** dead: given up after the last attempt, or because the webhook was disabled. */
    state: t
      .text("state", { enum: ["waiting", "delivered", "dead"] })
      .notNull()
      .default("waiting"),
    /** Attempts begun. */
    attempts: t.integer("attempts").notNull().default(0),
    /** Not before then; during an attempt, when it counts as lost. */
    nextAt: instant("next_at")
      .notNull()
      .default(sql`clock_timestamp()`),
    createdAt: instant("created_at")
      .notNull()
      .default(sql`clock_timestamp()`),
    firstAttemptAt: instant("first_attempt_at"),
    lastAttemptAt: instant("last_attempt_at"),
    /** HTTP; null: no answer. */
    lastStatus: t.integer("last_status"),
    lastError: t.text("last_error"),
  }),
  (t) => [
    unique("webhook_delivery_once").on(t.webhookId, t.eventId),
    index("webhook_delivery_due")
      .on(t.webhookId, t.nextAt)
      .where(sql`state = 'waiting'`),
    index("webhook_delivery_webhook").on(t.webhookId, t.state, t.deliveryId),
    index("webhook_delivery_state").on(t.state, t.deliveryId),
    index("webhook_delivery_created").on(t.createdAt),
  ],
);
