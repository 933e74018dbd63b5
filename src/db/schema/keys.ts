import { index, pgTable, primaryKey } from "drizzle-orm/pg-core";
import { id, instant } from "./columns.ts";

/** API keys. Rows are never deleted, so that the use of a revoked key keeps its name. */
export const apiKey = pgTable("api_key", (t) => ({
  keyId: t.bigserial("key_id", { mode: "number" }).primaryKey(),
  name: t.text("name").notNull(),
  /** SHA-256 in hex. A key has 192 random bits, so nobody can find it by trying: a slow hash would add nothing. */
  hash: t.text("hash").notNull().unique(),
  lastFour: t.text("last_four").notNull(),
  /** Most requests; null: any number. */
  perMinute: t.integer("per_minute"),
  perDay: t.integer("per_day"),
  /** Origins of the pages that may use it; empty: it may be used from everywhere. */
  origins: t.jsonb("origins").$type<string[]>().notNull(),
  createdAt: instant("created_at").notNull(),
  revokedAt: instant("revoked_at"),
}));

/** The use of a key on a day of the marketplace's calendar; key 0: requests without a key. */
export const apiKeyDay = pgTable(
  "api_key_day",
  (t) => ({
    keyId: id("key_id").notNull(),
    day: t.date("day").notNull(),
    /** Requests that were let through. */
    requests: id("requests").notNull(),
    /** Of these, how many were answered with a status of 400 or more. */
    errors: id("errors").notNull(),
    /** Refused beyond a limit of the key. */
    limited: id("limited").notNull(),
    /** Refused because the page's origin is not one of the key's. */
    otherOrigin: id("other_origin").notNull(),
    /** The last minute with requests, counted from 1970, and its requests. */
    minute: t.integer("minute").notNull(),
    minuteRequests: t.integer("minute_requests").notNull(),
  }),
  (t) => [primaryKey({ columns: [t.keyId, t.day] }), index("api_key_day_day").on(t.day)],
);
