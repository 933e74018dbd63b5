import { isRefusal } from "../../db/transact.ts";
import { createBackoff } from "../../lib/backoff.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Logger } from "../../lib/logger.ts";

/** What the planner reads by itself, each from tables of its own. */
export type Part =
  | "statistics"
  | "maximum age"
  | "keywords"
  | "failed subjects"
  | "empty answers"
  | "possible returns"
  | "requests on demand"
  | "traits"
  | "proposals";

/** What `work` returns; undefined where it was refused, or is left alone after it was. */
export type ReadPart = <T>(part: Part, work: () => Promise<T>) => Promise<T | undefined>;

/** All have to be read: a report is not to show less than there is. */
export const readWhole: ReadPart = (_part, work) => work();

/**
 * A part whose table is locked or damaged stays as it was known, so that only the calls that are about it wait. It is tried
 * again ever more rarely, because each try may wait for as long as the pool lets it.
 */
export function createReadPart(clock: Clock, logger: Logger): ReadPart {
  const unread = new Map<Part, { backoff: ReturnType<typeof createBackoff>; untilMs: number }>();

  return async (part, work) => {
    const before = unread.get(part);
    if (before && clock.monotonicMs() < before.untilMs) return undefined;
    try {
      const read = await work();
      if (unread.delete(part)) logger.info({ part }, "this part of the plan can be read again");
      return read;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const backoff = before?.backoff ?? createBackoff({ firstMs: 5000, maxMs: 120_000 });
      unread.set(part, { backoff, untilMs: clock.monotonicMs() + backoff.nextMs() });
      if (!before)
        logger.error({ err: error, part }, "a part of the plan cannot be read: the rest goes on");
      return undefined;
    }
  };
}
