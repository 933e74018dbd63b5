import { and, desc, eq, lt } from "drizzle-orm";
import { rowsLookedAt, toNewestPage, type NewestPage } from "../../../db/newest.ts";
import type { Db, Tx } from "../../../db/open.ts";
import { opsAudit } from "../../../db/schema.ts";
import type { ApiDeps } from "../../http/deps.ts";
import { Problem } from "../../http/problems/problem.ts";

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

/** Before the id `before`. */
export async function readAudit(
  db: Db,
  page: AuditFilter & { limit: number; before?: number | undefined },
): Promise<NewestPage<AuditRecord>> {
  const { limit, before, operator, address, action, outcome } = page;
  const scope = before === undefined ? undefined : lt(opsAudit.id, before);
  const rows = db
    .select()
    .from(opsAudit)
    .where(scope)
    .orderBy(desc(opsAudit.id))
    .limit(rowsLookedAt)
    .as("looked_at");
  const found = await db
    .select()
    .from(rows)
    .where(
      and(
        operator === undefined ? undefined : eq(rows.operator, operator),
        address === undefined ? undefined : eq(rows.address, address),
        action === undefined ? undefined : eq(rows.action, action),
        outcome === undefined ? undefined : eq(rows.outcome, outcome),
      ),
    )
    .orderBy(desc(rows.id))
    .limit(limit + 1);
  return toNewestPage(db, found, { limit, id: opsAudit.id, scope });
}

export type Audited = ReturnType<typeof createAudited>;
type Act<T> = (tx: Tx, now: Date) => Promise<T>;

/**
 * Runs actions so that each commits together with its audit row, on one connection; with two connections
 * per action, concurrent actions could block each other for ever. A refused action throws a Problem and
 * is audited too.
 */
export function createAudited({ opsDb, clock }: Pick<ApiDeps, "opsDb" | "clock">) {
  return async <T>(by: Actor, entry: AuditEntry, act: Act<T>): Promise<T> => {
    const now = clock.now();
    try {
      return await opsDb.transaction(async (tx) => {
        const result = await act(tx, now);
        await recordAction(tx, by, entry, now);
        return result;
      });
    } catch (error) {
      if (error instanceof Problem) {
        await recordAction(opsDb, by, { ...entry, code: error.details.code }, now);
      }
      throw error;
    }
  };
}
