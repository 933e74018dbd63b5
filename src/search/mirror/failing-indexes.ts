import { createBackoff, type Backoff } from "../../lib/backoff.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Logger } from "../../lib/logger.ts";
import { EngineRefused, EngineUnavailable } from "../engine/engine.ts";
import type { MirrorIndex } from "./indexes/indexes.ts";

/** Lets each index have its turn by itself: one at which the engine fails waits longer each time, and holds up no other. */
export function createTurns({
  clock,
  logger,
  onFailure,
}: {
  clock: Clock;
  logger: Logger;
  onFailure: (indexUid: string) => void;
}) {
  const failing = new Map<string, { backoff: Backoff; untilMs: number }>();

  const isResting = ({ indexUid }: MirrorIndex) =>
    clock.monotonicMs() < (failing.get(indexUid)?.untilMs ?? -Infinity);

  function rest(indexUid: string, error: unknown): void {
    const { backoff } = failing.get(indexUid) ?? {
      backoff: createBackoff({ firstMs: 200, maxMs: 60_000 }),
    };
    const pauseMs = backoff.nextMs();
    failing.set(indexUid, { backoff, untilMs: clock.monotonicMs() + pauseMs });
    const level = backoff.attempts() > 3 ? "error" : "warn";
    logger[level](
      { err: error, index: indexUid, retryInMs: Math.round(pauseMs) },
      "the search engine fails at one index; the others go on",
    );
  }

  /** Throws if the engine fails at all indexes that are filled. Returns the pauses of those that had their turn. */
  return async (
    indexes: readonly MirrorIndex[],
    turn: (index: MirrorIndex) => Promise<number>,
  ): Promise<number[]> => {
    const pauses: number[] = [];
    const failures = new Map<string, unknown>();
    const able = indexes.filter((index) => !isResting(index));
    for (const index of able) {
      try {
        pauses.push(await turn(index));
        failing.delete(index.indexUid);
      } catch (error) {
        if (!(error instanceof EngineUnavailable || error instanceof EngineRefused)) throw error;
        onFailure(index.indexUid);
        failures.set(index.indexUid, error);
      }
    }
    const goesOn = able.some(
      ({ indexUid, state }) => state !== "retired" && !failures.has(indexUid),
    );
    for (const [indexUid, error] of failures) {
      if (!goesOn) throw error;
      rest(indexUid, error);
    }
    return pauses;
  };
}
