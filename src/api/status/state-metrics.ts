import { Gauge } from "prom-client";
import { readCatalogStatus } from "../../catalog/status/status.ts";
import type { ApiDeps } from "../http/deps.ts";
import { registerGauge } from "../http/middleware/metrics.ts";
import { within } from "../../lib/async.ts";
import { gauges } from "./state-gauges.ts";
import { readState, type State, type StateDeps } from "./state.ts";

type MetricsDeps = Omit<StateDeps, "readCatalog"> &
  Pick<ApiDeps, "replica" | "cache" | "logger" | "registry" | "isReady">;

const trustMs = 5000;
/** Less than the ten seconds that Prometheus waits for a scrape: a database that hangs is told of too. */
const patienceMs = 8000;
/** Counts over the whole catalogue are expensive, and anybody may ask for them. */
const countTrustMs = 15_000;

/**
 * Gauges from Postgres, read on a scrape at most every 5 s; counts over the whole catalogue every 15
 * s. While Postgres does not answer, `kurabe_database_up` is 0 and the gauges have no values; while a part of the state
 * cannot be read, its gauges have none. A scrape succeeds all the same, because that is when operators need it.
 */
export function registerStateMetrics(runtime: MetricsDeps): void {
  const { cache, clock, opsDb } = runtime;
  const failed = (part: string, err: unknown) =>
    runtime.logger.warn({ err, part }, "a part of the state could not be read for metrics");
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
  const readIfReady = async () => (runtime.isReady() ? readState(deps, failed) : {});
  const reading = cache.remember<Partial<State>>("metrics", trustMs, readIfReady);
  const read = () => within(clock, patienceMs, reading()).catch((): Partial<State> => ({}));
  for (const [name, { help, labelNames = [], figures }] of Object.entries(gauges)) {
    deps.registry.registerMetric(
      new Gauge({
        name,
        help,
        labelNames,
        registers: [],
        async collect() {
          const state = await read();
          // For a gauge without labels only `remove` deletes the value; `reset` would show 0.
          if (labelNames.length > 0) this.reset();
          else this.remove();
          for (const [value, labels] of figures(state)) this.set(labels ?? {}, value);
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
        const state = await read();
        this.set(state.budget || state.catalog ? 1 : 0);
      },
    }),
  );
}

/** Without a replica they have no values. */
function registerReplicaMetrics({ registry, replica, clock }: MetricsDeps): void {
  const inUse = {
    name: "kurabe_replica_in_use",
    help: "1 while reads of the query API go to the replica of the database, 0 while the primary answers them",
  };
  registerGauge(registry, inUse, () => replica && Number(replica.isUsed()));
  const lag = {
    name: "kurabe_replica_lag_seconds",
    help: "The replica may lack what was written in so many seconds; it grows while either server does not answer",
  };
  registerGauge(registry, lag, () => {
    const completeToMs = replica?.completeToMs() ?? null;
    return completeToMs === null ? null : (clock.monotonicMs() - completeToMs) / 1000;
  });
}
