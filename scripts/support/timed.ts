import { systemClock } from "../../src/lib/clock.ts";

/** How long the work takes, in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = systemClock.monotonicMs();
  await work();
  return systemClock.monotonicMs() - startedMs;
}
