import { sql } from "drizzle-orm";
import { keepConfirmations, rollUpCalls, rollUpShopDays } from "./catalog/roll-ups.ts";
import { forgetDemand } from "./catalog/demand.ts";
import type { Db } from "./db/open.ts";
import { forgetRevokedSessions } from "./api/ops/revoked-sessions.ts";

export interface Retention {
  callsDays: number;
  runsDays: number;
  /** Months for which every confirmed day is kept; the history itself is kept for ever. */
  confirmationsMonths: number;
}

/** Rows kept of what could not be read: enough to see every kind of fault, bounded against a flood. */
const QUARANTINE_ROWS = 100_000;

/**
 * Sums up what is to be remembered, then drops what only grows and has served its purpose. History,
 * budget days and sums are kept for ever.
 */
export async function keepHouse(
  db: Db,
  now: Date,
  retention: Retention,
  signal?: AbortSignal,
): Promise<void> {
  const before = (days: number) => new Date(now.getTime() - days * 86_400_000).toISOString();
  await rollUpCalls(db, now);
  await rollUpShopDays(db, now, signal);
  await keepConfirmations(db, now, retention.confirmationsMonths);
  await db.execute(sql`
    delete from job_run where finished_at < ${before(retention.runsDays)}`);
  await db.execute(sql`
    delete from refresh_request where done_at < ${before(retention.runsDays)}`);
  await forgetDemand(db, now);
  await forgetRevokedSessions(db, now);
  await db.execute(sql`
    delete from mirror_batch where state in ('succeeded', 'dropped') and updated_at < ${before(1)}`);
  await db.execute(sql`
    delete from quarantine where id <= (select max(id) from quarantine) - ${QUARANTINE_ROWS}`);
  // A call that is the evidence for a deletion, or that history names, is kept; so is one not yet summed.
  await db.execute(sql`
    delete from api_call c where finished_at < ${before(retention.callsDays)}
      and day <= (select max(day) from call_day)
      and not exists (select from product p where p.gone_call_id = c.id)
      and coalesce(created, 0) = 0 and coalesce(changed, 0) = 0`);
}
