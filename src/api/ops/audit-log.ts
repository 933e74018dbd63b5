import { and, desc, eq, gte, lt, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/open.ts";
import { opsAudit } from "../../db/schema.ts";

/** Who acts, from where, through the API or the console, and the request id of the log. */
export interface Actor {
  /** null: nobody signed in. */
  operator: string | null;
  /** As for limits: of IPv6 the /64. */
  address: string;
  via: "api" | "console";
  requestId: string;
}

export interface AuditEntry {
  action: string;
  /** The object of the action, such as a job or a keyword; empty if there is only one. */
  subject?: string;
  detail?: Record<string, unknown>;
  /** The code of the refusal; absent if it was done. */
  code?: string;
}

export type AuditRecord = typeof opsAudit.$inferSelect;

export async function recordAction(
  db: Db | Tx,
  by: Actor,
  entry: AuditEntry,
  at: Date,
): Promise<void> {
  await db.insert(opsAudit).values({
    at,
    ...by,
    action: entry.action,
    subject: entry.subject ?? "",
    detail: entry.detail ?? {},
    outcome: entry.code === undefined ? "done" : "refused",
    code: entry.code ?? null,
  });
}

export const auditOutcomes = ["done", "refused"] as const;

export interface AuditFilter {
  operator?: string | undefined;
  address?: string | undefined;
  action?: string | undefined;
  outcome?: (typeof auditOutcomes)[number] | undefined;
}

/** Rows that one request looks at, whatever the filter: the table has no index for filters. */
const ROWS_LOOKED_AT = 20_000;

export interface AuditPage {
  items: AuditRecord[];
  /** `before` of the next page, which may exist even if this one has no items; null: this is the last. */
  next: number | null;
}

/** Newest first, before the id `before`. */
export async function readAudit(
  db: Db,
  page: AuditFilter & { limit: number; before?: number | undefined },
): Promise<AuditPage> {
  const { limit, before, operator, address, action, outcome } = page;
  const older = before === undefined ? undefined : lt(opsAudit.id, before);
  const [window] = await db
    .select({ oldest: sql<number | null>`min(id)`, rows: sql<number>`count(*)` })
    .from(
      db
        .select({ id: opsAudit.id })
        .from(opsAudit)
        .where(older)
        .orderBy(desc(opsAudit.id))
        .limit(ROWS_LOOKED_AT)
        .as("looked_at"),
    );
  const oldest = window?.oldest ?? null;
  if (oldest === null) return { items: [], next: null };
  const items = await db
    .select()
    .from(opsAudit)
    .where(
      and(
        gte(opsAudit.id, oldest),
        older,
        operator === undefined ? undefined : eq(opsAudit.operator, operator),
        address === undefined ? undefined : eq(opsAudit.address, address),
        action === undefined ? undefined : eq(opsAudit.action, action),
        outcome === undefined ? undefined : eq(opsAudit.outcome, outcome),
      ),
    )
    .orderBy(desc(opsAudit.id))
    .limit(limit + 1);
  const last = items[limit - 1];
  if (last && items.length > limit) return { items: items.slice(0, limit), next: last.id };
  return { items, next: window?.rows === ROWS_LOOKED_AT ? oldest : null };
}
