import { createBackoff } from "../lib/backoff.ts";
import type { Clock } from "../lib/clock.ts";
import { EngineUnavailable } from "./engine.ts";

export type Breaker = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Asks nothing of an engine that just proved unavailable: throws EngineUnavailable at once instead,
 * so that an engine that hangs costs its timeout once and not with every search. After a pause of
 * `firstMs`, doubling to `maxMs`, one search is tried behind the caller's back, who is not kept
 * waiting; its success ends the matter.
 */
export function createBreaker(clock: Clock, pauses: { firstMs: number; maxMs: number }): Breaker {
  const backoff = createBackoff(pauses);
  /** null while the engine answers. */
  let openUntilMs: number | null = null;
  let trying = false;

  async function tried<T>(work: () => Promise<T>): Promise<T> {
    try {
      const answer = await work();
      openUntilMs = null;
      backoff.reset();
      return answer;
    } catch (error) {
      const nowMs = clock.monotonicMs();
      // A crowd that fails together lengthens the pause once.
      if (error instanceof EngineUnavailable && (openUntilMs ?? 0) <= nowMs) {
        openUntilMs = nowMs + backoff.nextMs();
      }
      throw error;
    }
  }

  async function tryAgain(work: () => Promise<unknown>): Promise<void> {
    trying = true;
    await Promise.allSettled([tried(work)]);
    trying = false;
  }

  return async (work) => {
    if (openUntilMs === null) return tried(work);
    if (!trying && clock.monotonicMs() >= openUntilMs) void tryAgain(work);
    throw new EngineUnavailable("did_not_answer_lately");
  };
}
