import { sql } from "drizzle-orm";
import { index, pgTable, primaryKey, uniqueIndex } from "drizzle-orm/pg-core";
import { id, instant } from "../columns.ts";

// The crawl: keywords, jobs, and what is to be looked at.

/**
 * What earlier checks of one kind found for one keyword, fading with every further check, and what the
 * law of growth alone (`Growth`) would give: their ratio is the keyword's own factor.
 */
export interface Yield {
  value: number;
  valueByLaw: number;
  /** Pages read, and the number of new items by the law. */
  pages: number;
  newsByLaw: number;
}

/** How many products the first page of a proposed keyword showed, and how many of them were known. */
export interface Trial {
  at: string;
  shown: number;
  known: number;
}

/** The state of a check of a keyword's newest ids between two pages. */
export interface Scan {
  /** The position of the next page. */
  start: number;
  /** ISO 8601. */
  began: string;
  value: number;
  pages: number;
  /** New products on its last page; none: stored by an earlier version. */
  created?: number;
}

/** What was read of a keyword's newest changes: see `crawl/scoring/reading.ts`; `feed_checked_at` is its `until`. */
export interface StoredReading {
  gaps: readonly {
    from: number;
    to: number;
    next: {
      start: number;
      isLeast?: boolean;
      pages: number;
      expected: number;
      surplus?: number;
      newShare?: number;
    } | null;
    /** See `ClockBehind` in `crawl/scoring/clock-behind.ts`. */
    behind?: { listed: number; at: number; pace: number };
  }[];
  flow: { items: number; squares?: number; days: number };
  /** null: there were not yet two first pages. */
  everyDays: number | null;
  /** When changes were seen: see `ChangeMoments` in `crawl/scoring/week-pattern.ts`. Earlier versions stored fewer. */
  hours: readonly number[];
  weekdays?: readonly number[];
  readHours?: readonly number[];
  readWeekdays?: readonly number[];
  squares?: number;
  latest?: { day: number; items: number };
}

/** Products that came new to a keyword, and the days in which its scans would have shown them; fading. */
export interface Arrivals {
  items: number;
  weight: number;
  days: number;
}

/**
 * How many of a keyword's own products, which no other keyword has shown before, are deleted and not yet noticed, told
 * by the number that each answer of a search says it finds: it grows with new products, which the pages show, and falls
 * with deletions. The difference says how many are missing, not which: only a refresh proves that. If other keywords
 * show a part of what it finds, deletions are its own in proportion.
 */
export interface Absences {
  /** What it found at the last count. */
  found: number;
  /** How many of its own products had been proven deleted by then. */
  deleted: number;
  /** New products that pages have shown since, whichever keyword showed them first. */
  born: number;
  /** Deleted of its own products and not proven so, as far as is known. */
  missing: number;
  /** Days since their last check, summed over its own products. */
  productDays: number;
  /** Its own products as a share of all that it finds. */
  share: number;
  /** How far the last count can be trusted: 1 if its own list was read without a gap, down to 0. */
  trust: number;
  at: number;
  /** When the last of them was found missing: what was checked later is not among them. */
  since: number;
}

/** How what a keyword finds moved from answer to answer; older moves weigh less. */
export interface Swings {
  last: number;
  squares: number;
  fourths: number;
  /** Each move times the one before it, summed, with the other sign: it grows where the number goes up and down. */
  opposed: number;
}

/** What is kept of a keyword's pages. `triedAt`: when newest ids were last read to the end or given up (ISO 8601). */
export interface Scans {
  reading?: StoredReading;
  /** Positions at the top of its newest changes whose `modified` lies far in the future. */
  led?: number;
  /** The products of the last first page of its newest changes. */
  listed?: readonly number[];
  newest?: Scan;
  triedAt?: { newest?: string };
  arrivals?: Arrivals;
  absences?: Absences;
  swings?: Swings;
  /** Products that its pages have shown, and those of them that no other keyword had shown before; fading. */
  shown?: { all: number; own: number };
  bumped?: Bumped;
}

/** Known products that pages of the newest changes have shown with a new `modified`, and those that differed; fading. */
export interface Bumped {
  all: number;
  changed: number;
}

/** The last product of a pass over all products, which goes by shop and id. */
export interface PassPosition {
  shopId: string;
  itemId: number;
}

/** The keywords of discovery and the position of their scans. */
export const crawlQuery = pgTable(
  "crawl_query",
  (t) => ({
    id: t.bigserial("id", { mode: "number" }).primaryKey(),
    q: t.text("q").notNull(),
    /** Restricts the search to one shop; null: all shops. */
    shopId: t.text("shop_id"),
    /** `seed`, `ops`, or the rule that proposed it; `reason` says why it did. */
    source: t.text("source").notNull(),
    reason: t.text("reason"),
    enabled: t.boolean("enabled").notNull().default(true),
    createdAt: instant("created_at").notNull(),
    /** Removed by ops: kept, so that it is not proposed again. */
    removedAt: instant("removed_at"),
    /** null before the first page, and for keywords that are not proposals. */
    trial: t.jsonb("trial").$type<Trial>(),
    /** Trials in a row that yielded too little; the next one is at `next_at`. */
    failedTrials: t.integer("failed_trials").notNull().default(0),
    nextAt: instant("next_at"),
    /** The next position of the full scan by item id; null when none is under way. */
    scanStart: t.integer("scan_start"),
    /** Highest item id of the present full scan. A scan whose ids stop rising would never end. */
    scanTop: id("scan_top"),
    /** New products per page of its full scans, recent pages counting more; null before the first page. */
    scanYield: t.doublePrecision("scan_yield"),
    /** The position where the upstream ended or refused the list before its own count; null: nowhere. */
    endsAt: t.integer("ends_at"),
    /** When the last full scan ended; null: never. */
    scannedAt: instant("scanned_at"),
    /** When its newest ids were last checked, and the first page of its newest changes. */
    newestCheckedAt: instant("newest_checked_at"),
    feedCheckedAt: instant("feed_checked_at"),
    /** Highest plausible `modified` that its newest changes have shown. */
    feedWatermark: id("feed_watermark"),
    /** What checks of its newest ids have yielded; null before the first. */
    newestYield: t.jsonb("newest_yield").$type<Yield>(),
    scans: t.jsonb("scans").$type<Scans>().notNull().default({}),
    /** When its last call ended, answered or failed; null: never. */
    askedAt: instant("asked_at"),
    found: id("found"),
    calls: t.integer("calls").notNull().default(0),
    itemsSeen: id("items_seen").notNull().default(0),
    itemsCreated: id("items_created").notNull().default(0),
    /** Products of which it was the keyword, and that were proven deleted. */
    itemsDeleted: id("items_deleted").notNull().default(0),
    lastError: t.text("last_error"),
  }),
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
  (t) => ({
    id: t.bigserial("id", { mode: "number" }).primaryKey(),
    kind: t.text("kind", { enum: ["keyword", "page", "shop", "product"] }).notNull(),
    /** keyword `query:order`, page `query:order:position`, or the id of the shop or product. */
    key: t.text("key").notNull(),
    /** In a row. */
    failures: t.integer("failures").notNull(),
    /** Of the last failure; `reason` is for people. */
    code: t.text("code").notNull(),
    reason: t.text("reason").notNull(),
    callId: id("call_id").notNull(),
    firstFailedAt: instant("first_failed_at").notNull(),
    failedAt: instant("failed_at").notNull(),
    retryAt: instant("retry_at").notNull(),
    /**
     * Of the subjects that failed together, the half to try next and the other half: ids of a shop, or
     * positions in a keyword's list. Null: nothing is being halved.
     */
    part: t.jsonb("part").$type<number[]>(),
    rest: t.jsonb("rest").$type<number[]>(),
    /** A product that makes every call with it fail: it is requested alone. */
    isolated: t.boolean("isolated").notNull().default(false),
  }),
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
  (t) => ({
    queryId: id("query_id")
      .notNull()
      .references(() => crawlQuery.id, { onDelete: "cascade" }),
    start: t.integer("start").notNull(),
    /** Empty before its first check. */
    itemIds: t.jsonb("item_ids").$type<number[]>().notNull(),
    dueAt: instant("due_at").notNull(),
    seenAt: instant("seen_at"),
  }),
  (t) => [primaryKey({ columns: [t.queryId, t.start] }), index("crawl_page_due").on(t.dueAt)],
);

export const job = pgTable("job", (t) => ({
  name: t.text("name").primaryKey(),
  cron: t.text("cron").notNull(),
  enabled: t.boolean("enabled").notNull().default(true),
  settings: t.jsonb("settings").$type<Record<string, unknown>>().notNull(),
  updatedAt: instant("updated_at").notNull(),
}));

export const jobRun = pgTable(
  "job_run",
  (t) => ({
    id: t.bigserial("id", { mode: "number" }).primaryKey(),
    job: t
      .text("job")
      .notNull()
      .references(() => job.name),
    trigger: t.text("trigger", { enum: ["cron", "manual", "startup"] }).notNull(),
    startedAt: instant("started_at").notNull(),
    finishedAt: instant("finished_at"),
    outcome: t.text("outcome"),
    error: t.text("error"),
    calls: t.integer("calls").notNull().default(0),
    /** Position of a manual pass over all products; null: not begun. */
    position: t.jsonb("position").$type<PassPosition>(),
  }),
  (t) => [
    uniqueIndex("job_run_one_active")
      .on(t.job)
      .where(sql`finished_at is null`),
    index("job_run_latest").on(t.job, t.startedAt),
    index("job_run_finished").on(t.finishedAt),
  ],
);
