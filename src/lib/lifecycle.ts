import { createBackoff } from "./backoff.ts";
import type { Clock } from "./clock.ts";
import type { Logger } from "./logger.ts";
import type { LoopWatch } from "./loop-watch.ts";

export interface LoopOptions {
  name: string;
  clock: Clock;
  logger: Logger;
  signal: AbortSignal;
  /** Notices if a step never ends. */
  watch?: LoopWatch | undefined;
  /** For one step; by default minutes. */
  boundMs?: number | undefined;
  /** One unit of work; returns the pause in milliseconds before the next (0: at once). */
  step(signal: AbortSignal): Promise<number>;
}

/**
 * Runs `step` until the signal aborts. A failing step does not end the loop: it is logged (first as a
 * warning, later as an error) and repeated after a growing pause.
 */
export async function runLoop(options: LoopOptions): Promise<void> {
  const { name, clock, logger, signal, step } = options;
  const backoff = createBackoff({ firstMs: 200, maxMs: 10_000 });
  const watched = options.watch?.begin(name, options.boundMs);
  while (!signal.aborted) {
    watched?.turned();
    let pauseMs: number;
    try {
      pauseMs = await step(signal);
      backoff.reset();
    } catch (error) {
      if (signal.aborted) break;
      pauseMs = backoff.nextMs();
      const level = backoff.attempts() > 3 ? "error" : "warn";
      logger[level]({ err: error, loop: name, retryInMs: Math.round(pauseMs) }, `${name} failed`);
    }
    if (pauseMs > 0) await clock.sleep(pauseMs, signal);
    else await new Promise(setImmediate);
  }
  watched?.ended();
}
