import { createBackoff } from "./backoff.ts";
import type { Clock } from "./clock.ts";
import type { Logger } from "./logger.ts";

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

/** Runs the loop until the result is called, which resolves after the last step. */
export function startLoop(options: Omit<LoopOptions, "signal">): () => Promise<void> {
  const stopping = new AbortController();
  const running = runLoop({ ...options, signal: stopping.signal });
  return async () => {
    stopping.abort();
    await running;
  };
}

/** Far more than the time limits within a step add up to, also while everything that it asks is away. */
const usualBoundMs = 10 * 60_000;

/** Notices loops that hang. One that fails again and again does not hang. */
export interface LoopWatch {
  /** From now on the loop must turn again within the bound, until it has ended. */
  begin(name: string, boundMs?: number): { turned(): void; ended(): void };
  /** The loops of this name wait for something that may take any time, and still look after it. */
  waits(name: string): void;
  /** Milliseconds since the latest turn of each loop; of several with one name the longest time. */
  sinceTurn(): ReadonlyMap<string, number>;
  /** The names of loops beyond their bound. */
  hanging(): readonly string[];
}

export function createLoopWatch(clock: Clock): LoopWatch {
  const loops = new Set<{ name: string; boundMs: number; turnedMs: number }>();
  const ageMs = ({ turnedMs }: { turnedMs: number }) => clock.monotonicMs() - turnedMs;
  return {
    begin(name, boundMs = usualBoundMs) {
      const loop = { name, boundMs, turnedMs: clock.monotonicMs() };
      loops.add(loop);
      return {
        turned: () => void (loop.turnedMs = clock.monotonicMs()),
        ended: () => void loops.delete(loop),
      };
    },
    waits(name) {
      for (const loop of loops) if (loop.name === name) loop.turnedMs = clock.monotonicMs();
    },
    sinceTurn() {
      const longest = new Map<string, number>();
      for (const loop of loops)
        longest.set(loop.name, Math.max(ageMs(loop), longest.get(loop.name) ?? 0));
      return longest;
    },
    hanging() {
      const beyond = [...loops].filter((loop) => ageMs(loop) > loop.boundMs);
      return [...new Set(beyond.map(({ name }) => name))];
    },
  };
}
