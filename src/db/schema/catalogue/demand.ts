import { sql } from "drizzle-orm";
import { check, index, pgTable, uniqueIndex, primaryKey } from "drizzle-orm/pg-core";
import { id, instant } from "../columns.ts";
import { product } from "./catalogue.ts";

// Demand: what the users of the API look at.

/** Products that users want checked now. Each has at most one open row, shared by all requests. */
export const refreshRequest = pgTable(
  "refresh_request",
  (t) => ({
    id: t.bigserial("id", { mode: "number" }).primaryKey(),
    itemId: id("item_id")
      .notNull()
      .references(() => product.itemId),
    requestedAt: instant("requested_at").notNull(),
    /** Until then the call waits, so that other requests for the same shop can share it. */
    dueAt: instant("due_at").notNull(),
    /** The call that settled it; null while open, and if it was settled without one. */
    callId: id("call_id"),
    /** The client whose share it uses, as a keyed hash of its key or address; null if it is not counted. */
    client: t.text("client"),
    doneAt: instant("done_at"),
    /** null while open. absent: requested and not in the answer, even if not yet proven deleted. */
    outcome: t.text("outcome", {
      enum: ["answered", "absent", "unreadable", "refused", "gone", "lapsed"],
    }),
  }),
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
export const demand = pgTable("demand", (t) => ({
  itemId: id("item_id").primaryKey(),
  score: t.doublePrecision("score").notNull(),
  updatedAt: instant("updated_at").notNull(),
}));

/** Searches that found nothing: how often and by how many, never by whom. */
export const zeroResultQuery = pgTable("zero_result_query", (t) => ({
  q: t.text("q").primaryKey(),
  times: t.integer("times").notNull(),
  /** The sum of the different visitors of each day; 0: typed only before they were counted. */
  visitors: t.integer("visitors").notNull().default(0),
  lastAt: instant("last_at").notNull(),
}));

/** Clicks that led visitors to shops, by day of the marketplace's calendar. Nothing tells who clicked. */
export const click = pgTable(
  "click",
  (t) => ({
    day: t.date("day", { mode: "string" }).notNull(),
    /** The API key that the request came with; 0: none. */
    keyId: id("key_id").notNull(),
    /** The page's own label; empty: none. Of too many on one day, the later ones are `other`. */
    src: t.text("src").notNull(),
    itemId: id("item_id").notNull(),
    clicks: t.integer("clicks").notNull(),
  }),
  (t) => [primaryKey({ columns: [t.day, t.keyId, t.src, t.itemId] })],
);
