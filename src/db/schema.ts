import { sql } from "drizzle-orm";
import {
  bigint,
  bigserial,
  boolean,
  check,
  customType,
  date,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";

export * from "./schema-keys.ts";
export * from "./schema-changes.ts";
export * from "./schema-matching.ts";
export * from "./schema-match-review.ts";
export * from "./schema-clicks.ts";
export * from "./schema-counts.ts";
export * from "./schema-months.ts";
export * from "./schema-alerts.ts";

const id = (name: string) => bigint(name, { mode: "number" });
const tsvector = customType<{ data: string }>({ dataType: () => "tsvector" });
const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** One image slot as sent by the upstream: size name to URL; a size may be missing. */
export type ImageSlot = Record<string, string>;
/** What checks of one kind have yielded, with older ones counting less: see `crawl/scoring/scoring.ts`. */
export interface Yield {
  value: number;
  valueByLaw: number;
  pages: number;
  newsByLaw: number;
}
/** How many products the first page of a proposed keyword showed, and how many of them were known. */
export interface Trial {
  at: string;
  shown: number;
  known: number;
}
/** The state of an incremental scan of a keyword between two pages. */
export interface Scan {
  /** The position of the next page. */
  start: number;
  /** ISO 8601. */
  began: string;
  /** Highest plausible `modified` it has shown. */
  top: number | null;
  value: number;
  pages: number;
}

/** Products that came new to a keyword, and the days in which its scans would have shown them; fading. */
export interface Arrivals {
  items: number;
  weight: number;
  days: number;
}

/** The scans of a keyword under way, and when one was last tried to its end or given up (ISO 8601). */
export interface Scans {
  feed?: Scan;
  newest?: Scan;
  triedAt?: { feed?: string; newest?: string };
  arrivals?: Arrivals;
}

/** The last product of a pass over all products, which goes by shop and id. */
export interface PassPosition {
  shopId: string;
  itemId: number;
}

export interface VariationRow {
  variation_id: number;
  variation: string;
  variation_stock: number;
  variation_identifier: string | null;
  barcode: string | null;
}

// --- the catalogue: what the upstream's shops sell, as last observed ---------------------------

export const shop = pgTable(
  "shop",
  {
    shopId: text("shop_id").primaryKey(),
    shopName: text("shop_name").notNull(),
    shopUrl: text("shop_url").notNull(),
    firstSeenAt: instant("first_seen_at").notNull(),
    checkedAt: instant("checked_at").notNull(),
    /** When the value of a refresh of its best batch reaches the threshold of a call. */
    dueAt: instant("due_at").notNull().defaultNow(),
    /** Sums of its products' evidence for change rates, and evidence for losses and silent changes. */
    rateChanges: doublePrecision("rate_changes").notNull().default(0),
    rateDays: doublePrecision("rate_days").notNull().default(0),
    losses: doublePrecision("losses").notNull().default(0),
    lossDays: doublePrecision("loss_days").notNull().default(0),
    bumped: doublePrecision("bumped").notNull().default(0),
    silent: doublePrecision("silent").notNull().default(0),
  },
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
  {
    shopId: text("shop_id")
      .primaryKey()
      .references(() => shop.shopId),
    /** Products up to this id are updated; 0: none is. */
    afterId: id("after_id").notNull().default(0),
    /** Renamed again since the pass began, so another pass follows. */
    again: boolean("again").notNull().default(false),
    renamedAt: instant("renamed_at").notNull(),
    nextAt: instant("next_at").notNull(),
    /** Failures in a row. */
    attempts: integer("attempts").notNull().default(0),
  },
  (t) => [index("shop_rename_due").on(t.nextAt)],
);

export const product = pgTable(
  "product",
  {
    itemId: id("item_id").primaryKey(),
    shopId: text("shop_id")
      .notNull()
      .references(() => shop.shopId),
    /** Raised by one when content or state changes, not by a check without changes. */
    ver: id("ver").notNull(),
    /** live; missing: a search that should find it did not; gone: proven deleted by `deleted_call_id`. */
    state: text("state", { enum: ["live", "missing", "gone"] }).notNull(),
    title: text("title").notNull(),
    detail: text("detail").notNull(),
    price: id("price").notNull(),
    properPrice: id("proper_price"),
    stock: id("stock").notNull(),
    visible: integer("visible").notNull(),
    listOrder: id("list_order").notNull(),
    identifier: text("identifier"),
    /** Five slots, null where unused. */
    images: jsonb("images").$type<(ImageSlot | null)[]>().notNull(),
    variations: jsonb("variations").$type<VariationRow[]>().notNull(),
    categories: jsonb("categories").$type<string[]>().notNull(),
    /** The upstream's raw integer; its unit is not specified. */
    modified: id("modified").notNull(),
    firstSeenAt: instant("first_seen_at").notNull(),
    /** When an answer of the upstream last showed the product, changed or not. */
    checkedAt: instant("checked_at").notNull(),
    changedAt: instant("changed_at").notNull(),
    /** When the present price, proper price and stock were first seen. */
    priceSince: instant("price_since").notNull(),
    /** Its rank in a keyword's list by order count, from 0; null: never seen there. */
    orderRank: integer("order_rank"),
    /**
     * The rank on a scale from 0 (never seen there) to 20 (most ordered), in powers of two. Coarse,
     * because each step rewrites a document of the search index.
     */
    popularity: integer("popularity")
      .notNull()
      .generatedAlwaysAs(
        sql`case when order_rank is null then 0 else greatest(1, 20 - floor(log(2, order_rank + 1))::integer) end`,
      ),
    lastCallId: id("last_call_id").notNull(),
    deletedAt: instant("deleted_at"),
    deletedCallId: id("deleted_call_id"),
  },
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

/**
 * The planning state of each product that is not deleted, one row per product. Every observation
 * writes it, so it is not in the wide row of the product.
 */
export const productSchedule = pgTable(
  "product_schedule",
  {
    itemId: id("item_id")
      .primaryKey()
      .references(() => product.itemId),
    shopId: text("shop_id").notNull(),
    /** As in `product`. */
    checkedAt: instant("checked_at").notNull(),
    /** When its own value reaches the threshold per item. Every answered check moves it forward. */
    dueAt: instant("due_at").notNull(),
    /** A search that should have found it did not; the product's state is `missing`. */
    suspected: boolean("suspected").notNull().default(false),
    /** Evidence for its change rate: changes seen, and the days during which they could be seen. */
    rateChanges: doublePrecision("rate_changes").notNull().default(0),
    rateDays: doublePrecision("rate_days").notNull().default(0),
    /** Multiplies the mean rate of its shop, by what the product was at its last check (`rateFactor`). */
    rateFactor: doublePrecision("rate_factor").notNull().default(1),
    /** Importance: what our users look at, the upstream's order counts, and a minimum. */
    weight: doublePrecision("weight").notNull().default(1),
    /** A keyword that finds it, so that its feed shows the product's changes. */
    queryId: id("query_id"),
  },
  (t) => [
    index("product_schedule_due").on(t.shopId, t.dueAt),
    // Finds products whose next check lies beyond the maximum age without reading the others.
    index("product_schedule_due_span").on(sql`(due_at - checked_at)`),
    index("product_schedule_checked").on(t.checkedAt),
  ],
);

/**
 * What products with a trait (stock level, price class, category) have shown: their changes, and the
 * changes that all else led to expect. The ratio multiplies their change rate.
 */
export const rateTrait = pgTable("rate_trait", {
  trait: text("trait").primaryKey(),
  changes: doublePrecision("changes").notNull(),
  expected: doublePrecision("expected").notNull(),
});

/** Forecasts of some products: the chance that the stored state will no longer be the upstream's after a week. */
export const forecast = pgTable(
  "forecast",
  {
    madeAt: instant("made_at").notNull(),
    itemId: id("item_id").notNull(),
    dueAt: instant("due_at").notNull(),
    /** Of the product when the forecast was made. */
    ver: id("ver").notNull(),
    chance: doublePrecision("chance").notNull(),
    /** What came of it; null: not known yet. */
    changed: boolean("changed"),
  },
  (t) => [primaryKey({ columns: [t.madeAt, t.itemId] })],
);

/** What Postgres searches products by, one row for each that is not gone; written by triggers. */
export const productText = pgTable(
  "product_text",
  {
    itemId: id("item_id")
      .primaryKey()
      .references(() => product.itemId),
    /** Title, categories and shop name in one spelling: see `fold` in search/index/fold.ts. */
    body: text("body").notNull(),
    /** By which it is found: Latin words and numbers, and characters beyond ASCII alone and in pairs. */
    words: tsvector("words").notNull(),
    /** Characters of `body` that are the title. */
    titleLength: integer("title_length").notNull(),
    inStock: boolean("in_stock").notNull(),
    popularity: integer("popularity").notNull(),
  },
  (t) => [index("product_text_words").using("gin", t.words).with({ fastupdate: false })],
);

export const variation = pgTable(
  "variation",
  {
    itemId: id("item_id")
      .notNull()
      .references(() => product.itemId),
    variationId: id("variation_id").notNull(),
    variation: text("variation").notNull(),
    variationStock: id("variation_stock").notNull(),
    variationIdentifier: text("variation_identifier"),
    barcode: text("barcode"),
    /** The barcode as GTIN-14 when its check digit is right, else null. */
    gtin: text("gtin"),
  },
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

/** Items of valid answers that could not be read, with their raw text. The rest of their page is stored. */
export const quarantine = pgTable(
  "quarantine",
  {
    id: bigserial("id", { mode: "number" }).primaryKey(),
    callId: id("call_id").notNull(),
    itemId: id("item_id"),
    reason: text("reason").notNull(),
    raw: text("raw").notNull(),
    seenAt: instant("seen_at").notNull(),
  },
  (t) => [index("quarantine_item").on(t.itemId), index("quarantine_call").on(t.callId)],
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
  {
    singleton: boolean("singleton").primaryKey().default(true),
    /** Since when every deletion is held; null: deletions take effect. Only a decision of ops clears it. */
    trippedAt: instant("tripped_at"),
    /** When ops last decided about all held deletions; null: never. */
    decidedAt: instant("decided_at"),
  },
  (t) => [check("loss_guard_one_row", sql`${t.singleton}`)],
);

/**
 * Products deleted in the ten minutes from `since`, counted since ops last decided. Those that came
 * back count too.
 */
export const deletionCount = pgTable("deletion_count", {
  since: instant("since").primaryKey(),
  deleted: integer("deleted").notNull(),
});

/** Ids of a refresh whose answer was empty. A second empty answer within an hour confirms it. */
export const emptyAnswer = pgTable("empty_answer", {
  itemId: id("item_id").primaryKey(),
  shopId: text("shop_id").notNull(),
  callId: id("call_id").notNull(),
  sentAt: instant("sent_at").notNull(),
});

// --- the crawl: what was spent, on what, and what is to be looked at ---------------------------

/**
 * One row a call, committed before the call is sent; parameters without credentials. Partitioned by
 * `day`, which has to be in the key; one sequence makes all ids.
 */
export const apiCall = pgTable(
  "api_call",
  {
    id: bigserial("id", { mode: "number" }).notNull(),
    day: date("day", { mode: "string" }).notNull(),
    /** The upstream account that pays for the call. */
    account: text("account").notNull().default("default"),
    purpose: text("purpose", { enum: ["discovery", "revalidation", "on_demand"] }).notNull(),
    operation: text("operation", { enum: ["search", "refresh"] }).notNull(),
    job: text("job").notNull(),
    params: jsonb("params").$type<Record<string, unknown>>().notNull(),
    reservedAt: instant("reserved_at").notNull(),
    finishedAt: instant("finished_at"),
    /** null: reserved, outcome unknown (still counted). */
    outcome: text("outcome"),
    error: text("error"),
    durationMs: integer("duration_ms"),
    found: id("found"),
    asked: integer("asked"),
    returned: integer("returned"),
    created: integer("created"),
    changed: integer("changed"),
    unchanged: integer("unchanged"),
    gone: integer("gone"),
    quarantined: integer("quarantined"),
    duplicates: integer("duplicates"),
  },
  (t) => [
    primaryKey({ name: "api_call_pkey", columns: [t.id, t.day] }),
    index("api_call_day").on(t.day, t.purpose),
    index("api_call_reserved").on(t.reservedAt),
    index("api_call_forgettable")
      .on(t.finishedAt, t.id)
      .where(sql`coalesce(created, 0) = 0 and coalesce(changed, 0) = 0`),
  ],
);

/** One row an account and day of the upstream's calendar. Taking a call is one guarded update of it. */
export const budgetDay = pgTable(
  "budget_day",
  {
    account: text("account").notNull().default("default"),
    day: date("day", { mode: "string" }).notNull(),
    limit: integer("limit_calls").notNull(),
    used: integer("used").notNull().default(0),
    discovery: integer("discovery").notNull().default(0),
    revalidation: integer("revalidation").notNull().default(0),
    onDemand: integer("on_demand").notNull().default(0),
    /** When the upstream said `day_api_limit`; the day is over for every process. */
    refusedAt: instant("refused_at"),
  },
  (t) => [
    primaryKey({ name: "budget_day_pkey", columns: [t.account, t.day] }),
    check("budget_not_exceeded", sql`${t.used} <= ${t.limit}`),
  ],
);

/** The keywords of discovery and the position of their scans. */
export const crawlQuery = pgTable(
  "crawl_query",
  {
    id: bigserial("id", { mode: "number" }).primaryKey(),
    q: text("q").notNull(),
    /** Restricts the search to one shop; null: all shops. */
    shopId: text("shop_id"),
    /** `seed`, `ops`, or the rule that proposed it; `reason` says why it did. */
    source: text("source").notNull(),
    reason: text("reason"),
    enabled: boolean("enabled").notNull().default(true),
    createdAt: instant("created_at").notNull(),
    /** Removed by ops: kept, so that it is not proposed again. */
    removedAt: instant("removed_at"),
    /** null before the first page, and for keywords that are not proposals. */
    trial: jsonb("trial").$type<Trial>(),
    /** Trials in a row that yielded too little; the next one is at `next_at`. */
    failedTrials: integer("failed_trials").notNull().default(0),
    nextAt: instant("next_at"),
    /** The next position of the full scan by item id; null when none is under way. */
    scanStart: integer("scan_start"),
    /** Highest item id of the present full scan. A scan whose ids stop rising would never end. */
    scanTop: id("scan_top"),
    /** New products per page of its full scans, recent pages counting more; null before the first page. */
    scanYield: doublePrecision("scan_yield"),
    /** The position where the upstream ended or refused the list before its own count; null: nowhere. */
    endsAt: integer("ends_at"),
    /** When the last full scan ended; null: never. */
    scannedAt: instant("scanned_at"),
    /** When its newest ids, and its newest modified items, were last checked. */
    newestCheckedAt: instant("newest_checked_at"),
    feedCheckedAt: instant("feed_checked_at"),
    /** Highest `modified` down to which the feed has been scanned. */
    feedWatermark: id("feed_watermark"),
    /** What checks of its newest ids have yielded; null before the first. */
    newestYield: jsonb("newest_yield").$type<Yield>(),
    /** The usual span between two scans, in days. */
    scanIntervalDays: doublePrecision("scan_interval_days").notNull().default(1),
    /** Scans that have not yet reached what is known. */
    scans: jsonb("scans").$type<Scans>().notNull().default({}),
    /** When its last call ended, answered or failed; null: never. */
    askedAt: instant("asked_at"),
    found: id("found"),
    calls: integer("calls").notNull().default(0),
    itemsSeen: id("items_seen").notNull().default(0),
    itemsCreated: id("items_created").notNull().default(0),
    lastError: text("last_error"),
  },
  (t) => [
    uniqueIndex("crawl_query_key").on(t.q, sql`coalesce(shop_id, '')`),
    index("crawl_query_turn")
      .on(t.askedAt.asc().nullsFirst(), t.id)
      .where(sql`enabled`),
  ],
);

/** Subjects on which calls have failed, and when each is tried again. Shared by all processes. */
export const backoff = pgTable(
  "backoff",
  {
    id: bigserial("id", { mode: "number" }).primaryKey(),
    kind: text("kind", { enum: ["keyword", "page", "shop", "product"] }).notNull(),
    /** keyword `query:order`, page `query:order:position`, or the id of the shop or product. */
    key: text("key").notNull(),
    /** In a row. */
    failures: integer("failures").notNull(),
    /** Of the last failure; `reason` is for people. */
    code: text("code").notNull(),
    reason: text("reason").notNull(),
    callId: id("call_id").notNull(),
    firstFailedAt: instant("first_failed_at").notNull(),
    failedAt: instant("failed_at").notNull(),
    retryAt: instant("retry_at").notNull(),
    /**
     * Of the subjects that failed together, the half to try next and the other half: ids of a shop, or
     * positions in a keyword's list. Null: nothing is being halved.
     */
    part: jsonb("part").$type<number[]>(),
    rest: jsonb("rest").$type<number[]>(),
    /** A product that makes every call with it fail: it is requested alone. */
    isolated: boolean("isolated").notNull().default(false),
  },
  (t) => [
    uniqueIndex("backoff_subject").on(t.kind, t.key),
    index("backoff_retry").on(t.kind, t.retryAt, t.id),
    index("backoff_isolated")
      .on(t.retryAt)
      .where(sql`isolated`),
  ],
);

/** Pages of a keyword's top sellers: the products that each last showed, and when it is worth a call. */
export const crawlPage = pgTable(
  "crawl_page",
  {
    queryId: id("query_id")
      .notNull()
      .references(() => crawlQuery.id, { onDelete: "cascade" }),
    start: integer("start").notNull(),
    /** Empty before its first check. */
    itemIds: jsonb("item_ids").$type<number[]>().notNull(),
    dueAt: instant("due_at").notNull(),
    seenAt: instant("seen_at"),
  },
  (t) => [primaryKey({ columns: [t.queryId, t.start] }), index("crawl_page_due").on(t.dueAt)],
);

export const job = pgTable("job", {
  name: text("name").primaryKey(),
  cron: text("cron").notNull(),
  enabled: boolean("enabled").notNull().default(true),
  settings: jsonb("settings").$type<Record<string, unknown>>().notNull(),
  updatedAt: instant("updated_at").notNull(),
});

export const jobRun = pgTable(
  "job_run",
  {
    id: bigserial("id", { mode: "number" }).primaryKey(),
    job: text("job")
      .notNull()
      .references(() => job.name),
    trigger: text("trigger", { enum: ["cron", "manual", "startup"] }).notNull(),
    startedAt: instant("started_at").notNull(),
    finishedAt: instant("finished_at"),
    outcome: text("outcome"),
    error: text("error"),
    calls: integer("calls").notNull().default(0),
    /** Position of a manual pass over all products; null: not begun. */
    position: jsonb("position").$type<PassPosition>(),
  },
  (t) => [
    uniqueIndex("job_run_one_active")
      .on(t.job)
      .where(sql`finished_at is null`),
    index("job_run_latest").on(t.job, t.startedAt),
    index("job_run_finished").on(t.finishedAt),
  ],
);

// --- demand: what the users of the API look at ---------------------------------------------------

/** Products that users want checked now. Each has at most one open row, shared by all requests. */
export const refreshRequest = pgTable(
  "refresh_request",
  {
    id: bigserial("id", { mode: "number" }).primaryKey(),
    itemId: id("item_id")
      .notNull()
      .references(() => product.itemId),
    requestedAt: instant("requested_at").notNull(),
    /** Until then the call waits, so that other requests for the same shop can share it. */
    dueAt: instant("due_at").notNull(),
    /** The call that settled it; null while open, and if another call had just checked the product. */
    callId: id("call_id"),
    /** The client whose share it uses, as a keyed hash of its key or address; null if it is not counted. */
    client: text("client"),
    doneAt: instant("done_at"),
    /** null while open. absent: requested and not in the answer, even if not yet proven deleted. */
    outcome: text("outcome", {
      enum: ["answered", "absent", "unreadable", "refused", "gone", "lapsed"],
    }),
  },
  (t) => [
    uniqueIndex("refresh_request_one_open")
      .on(t.itemId)
      .where(sql`done_at is null`),
    index("refresh_request_due")
      .on(t.dueAt)
      .where(sql`done_at is null`),
    index("refresh_request_done")
      .on(t.doneAt)
      .where(sql`done_at is not null`),
    index("refresh_request_client")
      .on(t.client, t.requestedAt)
      .where(sql`client is not null`),
    check("refresh_request_settled", sql`(${t.doneAt} is null) = (${t.outcome} is null)`),
  ],
);

/** How much users see and open a product: a score with a half-life, as of `updated_at`. */
export const demand = pgTable("demand", {
  itemId: id("item_id").primaryKey(),
  score: doublePrecision("score").notNull(),
  updatedAt: instant("updated_at").notNull(),
});

/** Searches that found nothing: how often and by how many, never by whom. */
export const zeroResultQuery = pgTable("zero_result_query", {
  q: text("q").primaryKey(),
  times: integer("times").notNull(),
  /** The sum of the different visitors of each day; 0: typed only before they were counted. */
  visitors: integer("visitors").notNull().default(0),
  lastAt: instant("last_at").notNull(),
});

// --- the mirror: what the search index has to hold, and what it is proven to hold ---------------

/** The indexes that are kept up to date: of each host one is `serving`, and a second may be `building`. */
export const mirrorIndex = pgTable(
  "mirror_index",
  {
    indexUid: text("index_uid").primaryKey(),
    /** Of several search hosts the one that has it (`search_host`); 0: the only one. */
    host: integer("host").notNull().default(0),
    state: text("state", { enum: ["building", "serving", "retired"] }).notNull(),
    /** Marker document written into the index, to notice an engine that lost its data. */
    epoch: uuid("epoch").notNull(),
    settingsHash: text("settings_hash").notNull(),
    createdAt: instant("created_at").notNull(),
    switchedAt: instant("switched_at"),
    /** Products up to this id have rows; null: all have. */
    enteredTo: id("entered_to").default(0),
    /** The engine lost the index, and rows up to this product are marked for sending; null: no mark is pending. */
    resetAfter: id("reset_after"),
    resetSince: instant("reset_since"),
  },
  (t) => [
    uniqueIndex("mirror_index_one_serving")
      .on(t.host)
      .where(sql`state = 'serving'`),
  ],
);

/** One row a product and index: every change raises `desired_version`, a succeeded task `indexed_version`. */
export const mirror = pgTable(
  "mirror",
  {
    indexUid: text("index_uid").notNull(),
    itemId: id("item_id").notNull(),
    desiredVersion: id("desired_version").notNull(),
    indexedVersion: id("indexed_version").notNull().default(0),
    dirtySince: instant("dirty_since").notNull(),
    nextAt: instant("next_at").notNull(),
    attempts: integer("attempts").notNull().default(0),
    deadLetteredAt: instant("dead_lettered_at"),
    error: text("error"),
  },
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
  {
    id: bigserial("id", { mode: "number" }).primaryKey(),
    indexUid: text("index_uid").notNull(),
    leaseEpoch: id("lease_epoch").notNull(),
    operation: text("operation", { enum: ["replace", "delete"] }).notNull(),
    rows: jsonb("rows").$type<[itemId: number, version: number][]>().notNull(),
    taskUid: integer("task_uid"),
    /** The engine's own text for when it took the task. Together with the number it identifies the task. */
    enqueuedAt: text("enqueued_at"),
    state: text("state", {
      enum: ["building", "sent", "succeeded", "failed", "dropped"],
    }).notNull(),
    error: text("error"),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (t) => [
    index("mirror_batch_open")
      .on(t.indexUid)
      .where(sql`state in ('building', 'sent')`),
    index("mirror_batch_closed")
      .on(t.updatedAt)
      .where(sql`state not in ('building', 'sent')`),
  ],
);

// --- shared by all processes --------------------------------------------------------------------

/** Gives one process at a time the right to write, until `expires_at`. The epoch rises with every new holder. */
export const lease = pgTable("lease", {
  name: text("name").primaryKey(),
  holder: uuid("holder").notNull(),
  epoch: id("epoch").notNull(),
  expiresAt: instant("expires_at").notNull(),
});

/** Small values that all processes share, such as the crawler's pause and the time of the next permitted call. */
export const setting = pgTable("setting", {
  key: text("key").primaryKey(),
  value: jsonb("value").$type<unknown>().notNull(),
  updatedAt: instant("updated_at").notNull(),
});

/** Actions of operators, done or refused; append-only. */
export const opsAudit = pgTable("ops_audit", {
  id: bigserial("id", { mode: "number" }).primaryKey(),
  at: instant("at").notNull(),
  via: text("via", { enum: ["api", "console"] }).notNull(),
  action: text("action").notNull(),
  /** The job, the keyword's id, or empty where the action has no object. */
  subject: text("subject").notNull(),
  detail: jsonb("detail").$type<Record<string, unknown>>().notNull(),
  outcome: text("outcome", { enum: ["done", "refused"] }).notNull(),
  /** The code of the refusal; null if it was done. */
  code: text("code"),
  requestId: text("request_id").notNull(),
  /** The operator's name; null for a sign-in that failed. */
  operator: text("operator"),
  /** The client's address (IPv6: its /64); null for rows older than this column. */
  address: text("address"),
});

/** Console sessions that were signed out early; kept until they would have expired. */
export const revokedSession = pgTable("revoked_session", {
  /** SHA-256 of the session in the browser's cookie. */
  session: text("session").primaryKey(),
  endsAt: instant("ends_at").notNull(),
});

export { unitPrice } from "./schema-unit-price.ts";
export { searchHost, searchPlacement } from "./schema-placement.ts";
