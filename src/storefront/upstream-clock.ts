import type { Clock } from "../lib/clock.ts";
import type { Logger } from "../lib/logger.ts";

/** What answers say of the upstream's clock, which counts its days. */
export interface UpstreamClock {
  /** How far it was ahead of ours at the latest answer, and as much more as ours was set back since; 0 unless that is certain. */
  aheadMs(): number;
  /** A call is being sent; returns what is to be told of the answer's headers. */
  sending(): (headers: Headers) => void;
}

/** `Date` has whole seconds. */
const SECOND_MS = 1000;
/** What is further away tells of no clock, but of a fixed text. */
const FURTHEST_MS = 36 * 3_600_000;
const TOLD_FROM_MS = 60_000;
/** Each server behind one address may have a clock of its own. */
const TOLD_EVERY_MS = 3_600_000;

export function createUpstreamClock(clock: Clock, logger: Logger): UpstreamClock {
  const startedMs = () => clock.now().getTime() - clock.monotonicMs();
  let latest: { aheadMs: number; startedMs: number } | null = null;
  let toldMs = 0;
  let toldAtMs = -Infinity;

  function note(headers: Headers, sentMs: number): void {
    const dateMs = Date.parse(headers.get("date") ?? "");
    // With an age, a cache has kept it.
    if (Number.isNaN(dateMs) || headers.has("age")) return;
    // It was written at some moment between sending and now.
    const now = clock.now().getTime();
    const foundMs = Math.max(0, dateMs - now) + Math.min(0, dateMs + SECOND_MS - sentMs);
    latest = Math.abs(foundMs) <= FURTHEST_MS ? { aheadMs: foundMs, startedMs: startedMs() } : null;
    if (Math.abs(foundMs - toldMs) < TOLD_FROM_MS) return;
    if (clock.monotonicMs() - toldAtMs < TOLD_EVERY_MS) return;
    toldMs = foundMs;
    toldAtMs = clock.monotonicMs();
    logger.warn({ seconds: Math.round(foundMs / SECOND_MS) }, toMessage(foundMs));
  }

  return {
    aheadMs() {
      if (latest === null) return 0;
      // A clock that seems to be set forward may be one of a machine that slept.
      const setBackMs = Math.max(0, latest.startedMs - startedMs());
      return latest.aheadMs + setBackMs;
    },
    sending() {
      const sentMs = clock.now().getTime();
      return (headers) => note(headers, sentMs);
    },
  };
}

function toMessage(foundMs: number): string {
  if (Math.abs(foundMs) < SECOND_MS)
    return "the upstream's clock and that of this machine agree again";
  const differ = "the upstream's clock and that of this machine differ";
  return Math.abs(foundMs) <= FURTHEST_MS
    ? `${differ}: calls are counted in the days of both`
    : `${differ} by more than clocks do: that of this machine is believed`;
}
