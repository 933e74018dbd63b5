import { sql } from "drizzle-orm";
import {
  bigserial,
  check,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
} from "drizzle-orm/pg-core";
import { id, instant } from "../columns.ts";

// What was spent, on what.

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
