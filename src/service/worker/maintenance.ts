import { sql, type SQL } from "drizzle-orm";
import { thinChanges } from "../../catalog/changes/change-order.ts";
import { keepConfirmations } from "../../catalog/history/confirmation-months.ts";
import { clickDays } from "../../catalog/visitors/clicks.ts";
import { forgetDemand } from "../../catalog/visitors/demand.ts";
import { barcodes, productTexts, rewriteInSlices } from "../../catalog/upkeep/slices.ts";
import { unitPrices } from "../../catalog/unit-price/unit-prices.ts";
import { forgetZeroResultQueries } from "../../catalog/visitors/zero-results.ts";
import { rollUpCalls, rollUpShopDays } from "../../catalog/history/roll-ups.ts";
import type { JobSettings } from "../../crawl/budget/jobs.ts";
import { makeMonths, monthTables } from "../../db/months.ts";
import type { Db } from "../../db/open.ts";
import { forgetRevokedSessions } from "../../api/ops/token-gate.ts";
import type { Task } from "./run-tasks.ts";

/** Most rows in the quarantine: enough to see every kind of fault. */
const quarantineRows = 100_000;
/** Events of alerts, and saved searches that have expired. */
const alertEventDays = 90;
/** What a saved search remembers of a product that has not changed since. */
const alertStateDays = 400;
/** Messages of webhooks, whatever became of them. */
const deliveryDays = 30;
/** Rows that one statement deletes. */
const sliceSize = 2000;

/**
 * Sums up old rows and then deletes them. Budget days and sums are never deleted. Each task is
 * independent and works in small statements that use an index; a stopped task continues the next time.
 */
export function maintenanceTasks(db: Db, now: Date, settings: JobSettings<"housekeeping">): Task[] {
  const before = (days: number) => new Date(now.getTime() - days * 86_400_000).toISOString();
  const drop = (name: string, ...slices: SQL[]): Task => ({
    name,
    async run(signal) {
      for (const slice of slices) {
        let dropped = sliceSize;
        while (dropped === sliceSize && !signal.aborted) dropped = (await db.execute(slice)).length;
      }
    },
  });
  /** Rows whose time `by`, which has an index, is before `until`. */
  const oldRows = (rows: { table: string; by: string; id?: string }, until: string): SQL => {
    const [table, by, id] = [rows.table, rows.by, rows.id ?? "id"].map((one) =>
      sql.identifier(one),
    );
    return sql`delete from ${table} where ${id} = any (array(
      select ${id} from ${table} where ${by} < ${until} order by ${by} limit ${sliceSize})) returning ${id}`;
  };
  const dropOld = (name: string, ...old: Parameters<typeof oldRows>) => drop(name, oldRows(...old));
  return [
    { name: "months", run: () => keepMonths(db, now) },
    { name: "call-sums", run: (signal) => rollUpCalls(db, now, signal) },
    { name: "shop-days", run: (signal) => rollUpShopDays(db, now, signal) },
    {
      name: "confirmations",
      run: (signal) => keepConfirmations(db, now, settings.keep_confirmations_months, signal),
    },
    dropOld("job-runs", { table: "job_run", by: "finished_at" }, before(settings.keep_runs_days)),
    drop(
      "alert-events",
      sql`delete from alert_event where event_id = any (array(
        select event_id from (select event_id, at from alert_event order by event_id limit ${sliceSize}) oldest
        where at < ${before(alertEventDays)})) returning event_id`,
    ),
    dropOld("alert-links", { table: "alert_link", by: "expires_at", id: "secret_hash" }, before(0)),
    dropOld(
      "alert-states",
      { table: "saved_search_item", by: "touched_at", id: "ctid" },
      before(alertStateDays),
    ),
    dropOld(
      "expired-searches",
      { table: "saved_search", by: "expires_at", id: "saved_search_id" },
      before(alertEventDays),
    ),
    dropOld(
      "refresh-requests",
      { table: "refresh_request", by: "done_at" },
      before(settings.keep_runs_days),
    ),
    {
      name: "changes",
      run: (signal) => thinChanges(db, before(settings.keep_changes_days), signal),
    },
    { name: "unit-prices", run: (signal) => rewriteInSlices(db, signal, unitPrices) },
    { name: "barcodes", run: (signal) => rewriteInSlices(db, signal, barcodes) },
    { name: "product-texts", run: (signal) => rewriteInSlices(db, signal, productTexts) },
    { name: "demand", run: (signal) => forgetDemand(db, now, signal) },
    drop(
      "webhooks",
      oldRows(
        { table: "webhook_delivery", by: "created_at", id: "delivery_id" },
        before(deliveryDays),
      ),
      sql`delete from webhook_delivery where delivery_id = any (array(
        select d.delivery_id from webhook h join webhook_delivery d on d.webhook_id = h.webhook_id
        where h.state = 'deleted' limit ${sliceSize})) returning delivery_id`,
      sql`delete from webhook where webhook_id = any (array(
        select webhook_id from webhook h where state = 'deleted'
          and not exists (select from webhook_delivery d where d.webhook_id = h.webhook_id)
        limit ${sliceSize})) returning webhook_id`,
    ),
    dropOld("clicks", { table: "click", by: "day", id: "ctid" }, before(clickDays)),
    { name: "zero-result-queries", run: () => forgetZeroResultQueries(db, now) },
    drop(
      "mirror-batches",
      sql`delete from mirror_batch where id = any (array(
        select id from mirror_batch
        where state not in ('building', 'sent') and updated_at < ${before(1)}
        order by updated_at limit ${sliceSize})) returning id`,
    ),
    drop(
      "quarantine",
      sql`delete from quarantine where id = any (array(
        select id from quarantine where id <= (select max(id) from quarantine) - ${quarantineRows}
        order by id limit ${sliceSize})) returning id`,
    ),
    { name: "sessions", run: () => forgetRevokedSessions(db, now) },
    dropOld("backoffs", { table: "backoff", by: "retry_at" }, before(60)),
    { name: "calls", run: (signal) => forgetCalls(db, before(settings.keep_calls_days), signal) },
  ];
}

async function keepMonths(db: Db, now: Date): Promise<void> {
  await makeMonths(db, now);
  // Autovacuum analyzes partitions, but not the tables they are of: what these need beside the statistics of their
  // partitions, the smallest sample tells, 300 rows. Each row may be a read of its own: 1,500 took 1.7 s on a slow disk.
  for (const table of Object.keys(monthTables))
    await db.transaction(async (tx) => {
      await tx.execute(sql`set local default_statistics_target = 1`);
      await tx.execute(sql`analyze only ${sql.identifier(table)}`);
    });
}

/** Keeps a call that proves a deletion, that the history names, or that is not summed yet. */
async function forgetCalls(db: Db, before: string, signal: AbortSignal): Promise<void> {
  let after: { at: string; id: number } | null = { at: "-infinity", id: 0 };
  while (after !== null && !signal.aborted) {
    const [row]: { at: string | null; id: number | null; seen: number }[] = await db.execute(sql`
      with slice as materialized (
        select id, finished_at from api_call
        where coalesce(created, 0) = 0 and coalesce(changed, 0) = 0 and finished_at < ${before}
          and (finished_at, id) > (${after.at}::timestamptz, ${after.id}::bigint)
        order by finished_at, id limit ${sliceSize}
      ), evidence as materialized (
        select deleted_call_id as id from product where deleted_call_id = any (array(select id from slice))
      ), dropped as (
        delete from api_call where id = any (array(select id from slice except select id from evidence))
          and day <= (select max(day) from call_day)
      )
      select finished_at::text as at, id, (select count(*) from slice) as seen
      from slice order by finished_at desc, id desc limit 1`);
    after =
      row?.at && row.id !== null && row.seen === sliceSize ? { at: row.at, id: row.id } : null;
  }
}
