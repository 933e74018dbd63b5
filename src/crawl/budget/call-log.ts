import { and, desc, eq, isNull, sql } from "drizzle-orm";
import type { Tally } from "../../catalog/observing/observe.ts";
import type { Db, Tx } from "../../db/open.ts";
import { apiCall } from "../../db/schema.ts";

/** The purpose under which the ledger counts a call. */
export type Purpose = "discovery" | "revalidation" | "on_demand";

/** The ledger's outcome of a call that was counted but never sent, because its time had passed. */
export const notSent = "not_sent";

export interface CallResult {
  /** `ok`, or the code of the failure. */
  outcome: string;
  error?: string;
  finishedAt: Date;
  durationMs: number;
  found?: number;
  gone?: number;
  tally?: Tally;
}

/**
 * Writes the outcome into the ledger once; false if it was there already: then an earlier run of a
 * repeated transaction did commit.
 */
export async function settleCall(tx: Tx, callId: number, result: CallResult): Promise<boolean> {
  const { tally } = result;
  const rows = await tx
    .update(apiCall)
    .set({
      outcome: result.outcome,
      error: result.error ?? null,
      finishedAt: result.finishedAt,
      durationMs: Math.round(result.durationMs),
      found: result.found ?? null,
      gone: result.gone ?? null,
      returned: tally?.returned ?? null,
      created: tally?.created ?? null,
      changed: tally?.changed ?? null,
      unchanged: tally?.unchanged ?? null,
      quarantined: tally?.quarantined ?? null,
      duplicates: tally?.duplicates ?? null,
    })
    .where(and(eq(apiCall.id, callId), isNull(apiCall.finishedAt)))
    .returning({ id: apiCall.id });
  return rows.length === 1;
}

export type CallRecord = typeof apiCall.$inferSelect;

export const callStatuses = ["ok", "failed", "unknown"] as const;

/** The ledger, newest first. `unknown`: reserved, but no outcome was ever recorded. */
export async function readCalls(
  db: Db,
  filter: {
    limit: number;
    purpose?: Purpose | undefined;
    status?: (typeof callStatuses)[number] | undefined;
  },
): Promise<CallRecord[]> {
  const ofStatus = {
    ok: eq(apiCall.outcome, "ok"),
    failed: sql`${apiCall.outcome} <> 'ok'`,
    unknown: isNull(apiCall.outcome),
  };
  return db
    .select()
    .from(apiCall)
    .where(
      and(
        filter.purpose ? eq(apiCall.purpose, filter.purpose) : undefined,
        filter.status ? ofStatus[filter.status] : undefined,
      ),
    )
    .orderBy(desc(apiCall.id))
    .limit(filter.limit);
}

/** When the last call of any process was sent or is to be sent; null before the first. */
export async function readLastCallAt(db: Db): Promise<Date | null> {
  const [row] = await db.execute<{ at: string | null }>(
    sql`select reserved_at as at from api_call order by id desc limit 1`,
  );
  return row?.at ? new Date(row.at) : null;
}
