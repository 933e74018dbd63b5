import { sql } from "drizzle-orm";
import { readAlertStatus } from "../../alerts/status.ts";
import { readDeliveryStatus } from "../../alerts/delivery/report.ts";
import { readChangeLag } from "../../catalog/changes/change-order.ts";
import type { CatalogStatus } from "../../catalog/status/status.ts";
import { countWaiting } from "../../crawl/backoff-list.ts";
import { readBudget } from "../../crawl/budget/budget-today.ts";
import { isBlocked, readCrawlState } from "../../crawl/safety/pause.ts";
import { blockingSessions } from "../../db/blocking.ts";
import type { Db } from "../../db/open.ts";
import { isOutage } from "../../db/transact.ts";
import { calendarDay } from "../../lib/calendar.ts";
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
export type State = {
  [Part in keyof StateParts]: Awaited<ReturnType<StateParts[Part]>>;
};

type StateParts = ReturnType<typeof statePartsOf>;

/** Each part is read by itself, so that one that cannot be read leaves the others. */
function statePartsOf({ opsDb, clock, budget, ...deps }: StateDeps) {
  return {
    budget: () => readBudget(opsDb, clock.now(), budget),
    catalog: () => deps.readCatalog(),
    calls: () => countCalls(opsDb, calendarDay(clock.now(), budget.timezone)),
    async crawl() {
      const state = await readCrawlState(opsDb);
      return { ...state, isBlocked: isBlocked(state, clock.now()) };
    },
    /** Subjects in backoff: no call may request them yet. */
    waiting: () => countWaiting(opsDb, clock.now()),
    matches: () => countMatches(opsDb),
    mirror: () => deps.mirrorStatus(),
    placement: () => deps.placement(),
    oldestTransactionSeconds: () => readOldestTransaction(opsDb),
    blockingTransactionSeconds: () => readBlockingTransaction(opsDb),
    changeLagSeconds: () => readChangeLag(opsDb),
    matching: () => readMatchingStatus(opsDb),
    /** See `ModelProgress`. */
    modelProgress: async () => (await readModelProgress(opsDb)).progress,
    alerts: () => readAlertStatus(opsDb, clock.now()),
    webhooks: () => readDeliveryStatus(opsDb, clock.now()),
  };
}

/** While tables that somebody locks make parts fail slowly, a scrape goes without the rest. */
const enoughMs = 5000;

/**
 * The parts that can be read; none at all if the database is away. One statement after another, so that a scrape leaves
 * connections to operators. Calls `failed` with what fails.
 */
export async function readState(
  deps: StateDeps,
  failed: (part: string, error: unknown) => void,
): Promise<Partial<State>> {
  const beganMs = deps.clock.monotonicMs();
  const read: [string, unknown][] = [];
  for (const [part, readPart] of Object.entries(statePartsOf(deps))) {
    if (deps.clock.monotonicMs() - beganMs > enoughMs) break;
    try {
      read.push([part, await readPart()]);
    } catch (error) {
      failed(part, error);
      if (isOutage(error)) return {};
    }
  }
  return Object.fromEntries(read);
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

/**
 * In seconds, of the transaction that others wait for, or that keeps them from a table, and that waits for none itself, if
 * our account may see it; 0: there is none.
 */
export async function readBlockingTransaction(db: Db): Promise<number> {
  const [row] = await db.execute<{ seconds: number }>(sql`
    ${blockingSessions}
    select coalesce(extract(epoch from clock_timestamp() - min(xact_start)), 0)::float8 as seconds
    from blocking`);
  return row?.seconds ?? 0;
}
