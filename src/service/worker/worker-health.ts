import { collectDefaultMetrics, Gauge, Registry } from "prom-client";
import { createHealthApp, type HealthDeps } from "../../api/status/health.ts";
import type { Config } from "../../config.ts";
import { createCache } from "../../lib/cache.ts";
import type { LoopWatch } from "../../lib/loop.ts";
import { listen } from "../listen.ts";
import type { Runtime } from "../resources.ts";

/** Serves the health of a process without the API at HEALTH_PORT, if it is set. */
export async function serveHealth(
  wiring: Pick<HealthDeps, "db" | "stopping"> & {
    config: Pick<Config, "host" | "healthPort">;
    runtime: Runtime;
    loops: LoopWatch;
    isReady: () => boolean;
  },
  closers: (() => Promise<void>)[],
): Promise<void> {
  const { db, stopping, config, runtime, loops, isReady } = wiring;
  if (config.healthPort === 0) return;
  const { clock, logger } = runtime;
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  registerLoopMetric(registry, loops);
  const app = createHealthApp({
    db,
    writeDb: db,
    replica: null,
    stopping,
    clock,
    logger,
    cache: createCache(clock),
    registry,
    hangingLoops: loops.hanging,
    isReady,
  });
  const listener = await listen(app.fetch, { host: config.host, port: config.healthPort });
  closers.push(listener.close);
}

export function registerLoopMetric(registry: Registry, loops: LoopWatch): void {
  registry.registerMetric(
    new Gauge({
      name: "kurabe_loop_turn_age_seconds",
      help: "Time since the latest turn of each loop of the worker",
      labelNames: ["loop"],
      registers: [],
      collect() {
        this.reset();
        for (const [loop, ms] of loops.sinceTurn()) this.set({ loop }, ms / 1000);
      },
    }),
  );
}
