import { createBackoff } from "../../lib/backoff.ts";
import type { Clock } from "../../lib/clock.ts";
import { EngineRefused, EngineUnavailable } from "./engine.ts";

export type Breaker = <T>(work: () => Promise<T>) => Promise<T>;

export interface BreakerOptions {
  clock: Clock;
  /** The pauses in which nothing is asked, doubled from the first to the longest. */
  firstMs: number;
  maxMs: number;
  /** A cheap search: it tells an engine in trouble from searches in trouble. */
  probe: () => Promise<unknown>;
}

const windowMs = 10_000;
const slotMs = 1000;
/** So many failures within the window open the breaker when they are at least half of all. */
const minFailures = 10;
const failureShare = 0.5;

/**
 * Asks nothing of an engine that proved unavailable: throws EngineUnavailable at once instead, so
 * that an engine that is gone costs its timeout once and not with every search. It opens when the
 * connection fails, when a search times out and the probe fails too, and when half of all searches
 * fail. One search that is slow, refused or too many says nothing about the others. After a pause
 * the probe is sent behind a caller's back, who is not kept waiting; its success closes it.
 */
export function createBreaker(options: BreakerOptions): Breaker {
  const { clock, probe } = options;
  const backoff = createBackoff(options);
  /** null while the engine answers. */
  let openUntilMs: number | null = null;
  let probing = false;
  let slots: { sinceMs: number; all: number; failed: number }[] = [];

  function open(): void {
    slots = [];
    // A crowd that fails together lengthens the pause once.
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
