import type { Clock } from "../../lib/clock.ts";
import type { Logger } from "../../lib/logger.ts";

/** Longer than the largest batches take. New settings of a large index may take longer. */
const tellEveryMs = 300_000;

const soonestMs = 15;
const latestMs = 250;

export type Patience = ReturnType<typeof createPatience>;

/** Tells every few minutes of a task that the engine took and does not end: its health stays good, and nothing fails. */
export function createPatience(clock: Clock, logger: Pick<Logger, "warn">) {
  const waiting = new Map<string, { taskUid: number; sinceMs: number; toldMs: number }>();
  return {
    /** When to look again: after a tenth of the wait for the latest task. */
    pauseMs(indexUid: string): number {
      const { sinceMs = Infinity } = waiting.get(indexUid) ?? {};
      return Math.min(latestMs, Math.max(soonestMs, (clock.monotonicMs() - sinceMs) / 10));
    },
    /** The engine has this task, and has not done it yet. Call it at each look. */
    waits(indexUid: string, taskUid: number): void {
      const nowMs = clock.monotonicMs();
      const known = waiting.get(indexUid);
      if (known?.taskUid !== taskUid) {
        waiting.set(indexUid, { taskUid, sinceMs: nowMs, toldMs: nowMs });
        return;
      }
      if (nowMs - known.toldMs < tellEveryMs) return;
      known.toldMs = nowMs;
      const minutes = Math.round((nowMs - known.sinceMs) / 60_000);
      logger.warn(
        { index: indexUid, task: taskUid, minutes },
        "the search engine took a task and has not done it for minutes: if this goes on, its disk may be full; its log says more",
      );
    },
  };
}
