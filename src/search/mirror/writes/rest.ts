import type { Clock } from "../../../lib/clock.ts";

/** So many times as long as the engine took for the last batch. */
const restFactor = 3;
const longestRestMs = 10_000;

/**
 * A batch costs the engine more by the size of its index than by its own size: one document among a million takes a
 * quarter of the time of 2,000. So one small batch rests after another, and the engine works on them a quarter of the
 * time at most. Full batches never rest.
 */
export function createRest(clock: Clock) {
  const smallSentAtMs = new Map<string, number>();
  const restUntilMs = new Map<string, number>();
  return {
    /** Whether an index should not get a small batch yet. */
    isResting: (uid: string) => clock.monotonicMs() < (restUntilMs.get(uid) ?? -Infinity),
    sent(uid: string, isSmall: boolean): void {
      if (isSmall) smallSentAtMs.set(uid, clock.monotonicMs());
      else smallSentAtMs.delete(uid);
    },
    /** The engine has done all that was sent. */
    done(uid: string): void {
      const now = clock.monotonicMs();
      const tookMs = now - (smallSentAtMs.get(uid) ?? now);
      restUntilMs.set(uid, now + Math.min(longestRestMs, restFactor * tookMs));
    },
  };
}
