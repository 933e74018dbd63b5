import { createBackoff } from "../../lib/backoff.ts";
import type { Clock } from "../../lib/clock.ts";
import { EngineRefused, EngineUnavailable } from "./engine.ts";

export type Breaker = <T>(work: () => Promise<T>) => Promise<T>;

const windowMs = 10_000;
const slotMs = 1000;
/** This many failures within the window open the breaker if at least half of all requests failed. */
const minFailures = 10;
const failureShare = 0.5;
/** Without requests: the first, then doubled up to the longest. */
const pauses = { firstMs: 500, maxMs: 5000 };

/**
 * A circuit breaker: throws EngineUnavailable at once while the engine is unavailable, so that not every
 * search waits for its timeout. It opens when the connection fails, when a search times out and the probe
 * fails too, or when half of all searches fail. One slow or refused search does not open it. After a pause
 * a search triggers the probe in the background; if the probe succeeds, the breaker closes.
 */
export function createBreaker({
  clock,
  probe,
}: {
  clock: Clock;
  /** A cheap search. It shows whether the engine itself or only a search has a problem. */
  probe: () => Promise<unknown>;
}): Breaker {
  const backoff = createBackoff(pauses);
  /** null while the breaker is closed. */
  let openUntilMs: number | null = null;
  let probing = false;
  let slots: { sinceMs: number; all: number; failed: number }[] = [];

  function open(): void {
    slots = [];
    // Requests that fail together lengthen the pause only once.
    if ((openUntilMs ?? 0) <= clock.monotonicMs()) {
      openUntilMs = clock.monotonicMs() + backoff.nextMs();
    }
  }

  function count(failed: number): void {
    const nowMs = clock.monotonicMs();
    let slot = slots.at(-1);
    if (!slot || nowMs - slot.sinceMs >= slotMs) {
      slot = { sinceMs: nowMs, all: 0, failed: 0 };
      slots = [...slots.filter(({ sinceMs }) => nowMs - sinceMs < windowMs), slot];
    }
    slot.all += 1;
    slot.failed += failed;
  }

  function isFailing(): boolean {
    const all = slots.reduce((sum, slot) => sum + slot.all, 0);
    const failed = slots.reduce((sum, slot) => sum + slot.failed, 0);
    return failed >= minFailures && failed >= all * failureShare;
  }

  function judge({ code }: EngineUnavailable): void {
    switch (code) {
      case "too_many_search_requests":
      case "http_429":
      case "http_408":
        return;
      case "no_answer":
        return open();
      case "timeout":
        if (openUntilMs === null) void sendProbe();
        break;
    }
    count(1);
    if (isFailing()) open();
  }

  async function sendProbe(): Promise<void> {
    if (probing) return;
    probing = true;
    const [sent] = await Promise.allSettled([probe()]);
    probing = false;
    if (sent.status === "rejected" && !(sent.reason instanceof EngineRefused)) return open();
    openUntilMs = null;
    backoff.reset();
  }

  return async (work) => {
    if (openUntilMs !== null) {
      if (clock.monotonicMs() >= openUntilMs) void sendProbe();
      throw new EngineUnavailable("did_not_answer_lately");
    }
    try {
      const answer = await work();
      count(0);
      return answer;
    } catch (error) {
      if (error instanceof EngineUnavailable) judge(error);
      throw error;
    }
  };
}
