import { sql } from "drizzle-orm";
import { Gauge } from "prom-client";
import { readAlertStatus } from "../../alerts/status.ts";
import { readDeliveryStatus } from "../../alerts/delivery/report.ts";
import { readChangeLag } from "../../catalog/change-order.ts";
import { readCatalogStatus, type CatalogStatus } from "../../catalog/status.ts";
import { countWaiting } from "../../crawl/backoff-list.ts";
import { readBudget } from "../../crawl/budget/budget-today.ts";
import { readCrawlState } from "../../crawl/safety/pause.ts";
import type { Db } from "../../db/open.ts";
import { countRefusedCategories } from "../../matching/categories.ts";
import { countDecisions } from "../../matching/decisions.ts";
import { countReview } from "../../matching/review.ts";
import { readMatchingStatus } from "../../matching/upkeep/due.ts";
import { readModelProgress } from "../../matching/upkeep/model-pass.ts";
import type { ApiDeps } from "../http/deps.ts";
import { gauges, type CallCount, type State } from "./state-gauges.ts";

type StateDeps = Pick<
  ApiDeps,
  | "opsDb"
  | "replica"
  | "cache"
  | "clock"
  | "logger"
  | "budget"
  | "mirrorStatus"
  | "placement"
  | "registry"
  | "isReady"
>;

interface CountedDeps extends StateDeps {
  readCatalog(): Promise<CatalogStatus>;
}

const trustMs = 5000;
/** Counts over the whole catalogue are expensive, and anybody may ask for them. */
const countTrustMs = 15_000;

/**
 * Gauges from Postgres, read on a scrape at most every 5 s; counts over the whole catalogue every 15
 * s. While Postgres does not answer, `kurabe_database_up` is 0 and the gauges have no values.
 */
export function registerStateMetrics(runtime: StateDeps): void {
  const { cache, clock, opsDb } = runtime;
  const deps = {
    ...runtime,
    readCatalog: cache.remember("metrics of the catalogue", countTrustMs, () =>
      readCatalogStatus(opsDb, clock.now()),
    ),
    mirrorStatus: cache.remember("metrics of the mirror", countTrustMs, () =>
      runtime.mirrorStatus(),
    ),
    placement: cache.remember("metrics of search hosts", countTrustMs, () => runtime.placement()),
  };
  const read = cache.remember("metrics", trustMs, async () => ({
    state: await readStateIfUp(deps),
  }));
  for (const { name, help, labelNames = [], figures } of gauges) {
    deps.registry.registerMetric(
      new Gauge({
        name,
        help,
        labelNames,
        registers: [],
        async collect() {
          const { state } = await read();
          // For a gauge without labels only `remove` deletes the value; `reset` would show 0.
          if (labelNames.length > 0) this.reset();
          else this.remove();
          for (const [value, labels] of state ? figures(state) : []) this.set(labels ?? {}, value);
        },
      }),
    );
  }
  registerReplicaMetrics(deps);
  deps.registry.registerMetric(
    new Gauge({
      name: "kurabe_database_up",
      help: "1 while the database is migrated and answers",
      registers: [],
      async collect() {
        this.set((await read()).state ? 1 : 0);
      },
    }),
  );
}

/** Without a replica they have no values. */
function registerReplicaMetrics({ registry, replica, clock }: StateDeps): void {
  const gaugeOf = (name: string, help: string, read: () => number | null) =>
    registry.registerMetric(
      new Gauge({
        name,
        help,
        registers: [],
        collect() {
          const value = read();
          if (value === null) this.remove();
          else this.set(value);
        },
      }),
    );
  gaugeOf(
    "kurabe_replica_in_use",
    "1 while reads of the query API go to the replica of the database, 0 while the primary answers them",
    () => replica && Number(replica.isUsed()),
  );
  gaugeOf(
    "kurabe_replica_lag_seconds",
    "The replica may lack what was written in so many seconds; it grows while either server does not answer",
    () => {
      const completeToMs = replica?.completeToMs() ?? null;
      return completeToMs === null ? null : (clock.monotonicMs() - completeToMs) / 1000;
    },
  );
}

/** A scrape must succeed during an outage too, because that is when operators need it. */
async function readStateIfUp(deps: CountedDeps): Promise<State | null> {
  if (!deps.isReady()) return null;
  try {
    return await readState(deps);
  } catch (error) {
    deps.logger.warn({ err: error }, "the state of the database could not be read for metrics");
    return null;
  }
}

/** One statement after another, so that a scrape leaves connections to operators. */
async function readState(deps: CountedDeps): Promise<State> {
  const { opsDb, clock, budget } = deps;
  const now = clock.now();
  const today = await readBudget(opsDb, now, budget);
  return {
    catalog: await deps.readCatalog(),
    budget: today,
    calls: await countCalls(opsDb, today.day),
    crawl: await readCrawlState(opsDb),
    waiting: await countWaiting(opsDb, now),
    matches: await countMatches(opsDb),
    mirror: await deps.mirrorStatus(),
    placement: await deps.placement(),
    oldestTransactionSeconds: await readOldestTransaction(opsDb),
    changeLagSeconds: await readChangeLag(opsDb),
    matching: await readMatchingStatus(opsDb),
    modelProgress: (await readModelProgress(opsDb)).progress,
    alerts: await readAlertStatus(opsDb, now),
    webhooks: await readDeliveryStatus(opsDb, now),
    now,
  };
}

async function countMatches(db: Db): Promise<State["matches"]> {
  return {
    waiting: await countReview(db),
    decisions: await countDecisions(db),
    refused: await countRefusedCategories(db),
  };
}

async function countCalls(db: Db, day: string): Promise<CallCount[]> {
  return db.execute<CallCount>(sql`
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
