import { pgTable } from "drizzle-orm/pg-core";
import { id, instant } from "./columns.ts";

// What all processes share.

/** Gives one process at a time the right to write, until `expires_at`. The epoch rises with every new holder. */
export const lease = pgTable("lease", (t) => ({
  name: t.text("name").primaryKey(),
  holder: t.uuid("holder").notNull(),
  epoch: id("epoch").notNull(),
  expiresAt: instant("expires_at").notNull(),
}));

/** Small values that all processes share, such as the crawler's pause and the time of the next permitted call. */
export const setting = pgTable("setting", (t) => ({
  key: t.text("key").primaryKey(),
  value: t.jsonb("value").$type<unknown>().notNull(),
  updatedAt: instant("updated_at").notNull(),
}));

/** Actions of operators, done or refused; append-only. */
export const opsAudit = pgTable("ops_audit", (t) => ({
  id: t.bigserial("id", { mode: "number" }).primaryKey(),
  at: instant("at").notNull(),
  via: t.text("via", { enum: ["api", "console"] }).notNull(),
  action: t.text("action").notNull(),
  /** The job, the keyword's id, or empty where the action has no object. */
  subject: t.text("subject").notNull(),
  detail: t.jsonb("detail").$type<Record<string, unknown>>().notNull(),
  outcome: t.text("outcome", { enum: ["done", "refused"] }).notNull(),
  /** The code of the refusal; null if it was done. */
  code: t.text("code"),
  requestId: t.text("request_id").notNull(),
  /** The operator's name; null for a sign-in that failed. */
  operator: t.text("operator"),
  /** The client's address (IPv6: its /64); null for rows older than this column. */
  address: t.text("address"),
}));

/** Console sessions that were signed out early; kept until they would have expired. */
export const revokedSession = pgTable("revoked_session", (t) => ({
  /** SHA-256 of the session in the browser's cookie. */
  session: t.text("session").primaryKey(),
  endsAt: instant("ends_at").notNull(),
}));
