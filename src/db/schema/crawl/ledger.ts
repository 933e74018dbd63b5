import { sql } from "drizzle-orm";
import { check, index, pgTable, primaryKey } from "drizzle-orm/pg-core";
import { id, instant } from "../columns.ts";

// What was spent, on what.

/**
 * One row a call, committed before the call is sent; parameters without credentials. Partitioned by
 * `day`, which has to be in the key; one sequence makes all ids.
 */
export const apiCall = pgTable(
  "api_call",
  (t) => ({
    id: t.bigserial("id", { mode: "number" }).notNull(),
    day: t.date("day", { mode: "string" }).notNull(),
    /** The upstream account that pays for the call. */
    account: t.text("account").notNull().default("default"),
    purpose: t.text("purpose", { enum: ["discovery", "revalidation", "on_demand"] }).notNull(),
    operation: t.text("operation", { enum: ["search", "refresh"] }).notNull(),
    job: t.text("job").notNull(),
    params: t.jsonb("params").$type<Record<string, unknown>>().notNull(),
    reservedAt: instant("reserved_at").notNull(),
    finishedAt: instant("finished_at"),
    /** null: reserved, outcome unknown (still counted). */
    outcome: t.text("outcome"),
    error: t.text("error"),
    durationMs: t.integer("duration_ms"),
    found: id("found"),
    asked: t.integer("asked"),
    returned: t.integer("returned"),
    created: t.integer("created"),
    changed: t.integer("changed"),
    unchanged: t.integer("unchanged"),
    gone: t.integer("gone"),
    quarantined: t.integer("quarantined"),
    duplicates: t.integer("duplicates"),
  }),
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
  (t) => ({
    account: t.text("account").notNull().default("default"),
    day: t.date("day", { mode: "string" }).notNull(),
    limit: t.integer("limit_calls").notNull(),
    used: t.integer("used").notNull().default(0),
    discovery: t.integer("discovery").notNull().default(0),
    revalidation: t.integer("revalidation").notNull().default(0),
    onDemand: t.integer("on_demand").notNull().default(0),
    /** When the upstream said `day_api_limit`; the day is over for every process. */
    refusedAt: instant("refused_at"),
  }),
  (t) => [
    primaryKey({ name: "budget_day_pkey", columns: [t.account, t.day] }),
    check("budget_not_exceeded", sql`${t.used} <= ${t.limit}`),
  ],
);
