import { sql } from "drizzle-orm";
import { readAlertStatus } from "../../alerts/status.ts";
import { readDeliveryStatus } from "../../alerts/delivery/report.ts";
import { readChangeLag } from "../../catalog/changes/change-order.ts";
import type { CatalogStatus } from "../../catalog/status/status.ts";
import { countWaiting } from "../../crawl/backoff-list.ts";
import { readBudget } from "../../crawl/budget/budget-today.ts";
import { readCrawlState } from "../../crawl/safety/pause.ts";
import type { Db } from "../../db/open.ts";
import { countRefusedCategories } from "../../matching/categories.ts";
import { countDecisions } from "../../matching/review/decisions.ts";
import { countReview } from "../../matching/review/review.ts";
import { readMatchingStatus } from "../../matching/upkeep/stored/due.ts";
import { readModelProgress } from "../../matching/upkeep/model-pass.ts";
import type { ApiDeps } from "../http/deps.ts";

export interface StateDeps extends Pick<
  ApiDeps,
  "opsDb" | "clock" | "budget" | "mirrorStatus" | "placement"
> {
  readCatalog(): Promise<CatalogStatus>;
}

/** What gauges show. */
export type State = Awaited<ReturnType<typeof readState>>;

/** One statement after another, so that a scrape leaves connections to operators. */
export async function readState(deps: StateDeps) {
  const { opsDb, clock, budget } = deps;
  const now = clock.now();
  const today = await readBudget(opsDb, now, budget);
  return {
    catalog: await deps.readCatalog(),
    budget: today,
    calls: await countCalls(opsDb, today.day),
    crawl: await readCrawlState(opsDb),
    /** Subjects in backoff: no call may request them yet. */
    waiting: await countWaiting(opsDb, now),
    matches: await countMatches(opsDb),
    mirror: await deps.mirrorStatus(),
    placement: await deps.placement(),
    oldestTransactionSeconds: await readOldestTransaction(opsDb),
    blockingTransactionSeconds: await readBlockingTransaction(opsDb),
    changeLagSeconds: await readChangeLag(opsDb),
    matching: await readMatchingStatus(opsDb),
    /** See `ModelProgress`. */
    modelProgress: (await readModelProgress(opsDb)).progress,
    alerts: await readAlertStatus(opsDb, now),
    webhooks: await readDeliveryStatus(opsDb, now),
    now,
  };
}

/** Pairs that wait for people, decisions by kind, categories that link nothing. */
async function countMatches(db: Db) {
  return {
    waiting: await countReview(db),
    decisions: await countDecisions(db),
    refused: await countRefusedCategories(db),
  };
}

function countCalls(db: Db, day: string) {
  return db.execute<{ purpose: string; outcome: string; calls: number }>(sql`
    select purpose, coalesce(outcome, 'unknown') as outcome, count(*) as calls
    from api_call where day = ${day} group by 1, 2`);
}

/** In seconds, over the transactions that our account may see, prepared ones included; 0 if none is open. */
async function readOldestTransaction(db: Db): Promise<number> {
  const [row] = await db.execute<{ seconds: number }>(sql`
    select coalesce(extract(epoch from clock_timestamp() - min(since)), 0)::float8 as seconds
    from (
      select xact_start as since from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
      union all
      select prepared from pg_prepared_xacts where database = current_database()) as t`);
  return row?.seconds ?? 0;
}

/** In seconds, of the transaction that others wait for and that waits for none itself, if our account may see it; 0 if nobody waits. */
export async function readBlockingTransaction(db: Db): Promise<number> {
  const [row] = await db.execute<{ seconds: number }>(sql`
    with waiting as materialized (
      select pid, pg_blocking_pids(pid) as blockers from pg_locks join pg_stat_activity using (pid)
      where not granted and datname = current_database())
    select coalesce(extract(epoch from clock_timestamp() - min(xact_start)), 0)::float8 as seconds
    from waiting w join pg_stat_activity a on a.pid = any(blockers)
    where a.pid not in (select pid from waiting)`);
  return row?.seconds ?? 0;
}
