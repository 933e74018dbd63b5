import type { Clock } from "../lib/clock.ts";
import type { Logger } from "../lib/logger.ts";

export type UpstreamClock = ReturnType<typeof createUpstreamClock>;

/** `Date` has whole seconds. */
const secondMs = 1000;
/** What is further away is believed only if it goes on as time does: it may be a fixed text. */
const furthestMs = 36 * 3_600_000;
/** How long after a time was written its answer may come. */
const slowMs = 60_000;
/** Clocks are set by less in normal operation. */
const setMs = 2000;
const askEveryMs = 10_000;
const toldFromMs = 60_000;
/** Each server behind one address may have a clock of its own. */
const toldEveryMs = 3_600_000;

/** What the upstream says of its clock, which counts its days. `ask` gets headers of it without a call. */
export function createUpstreamClock(
  { clock, logger }: { clock: Clock; logger: Logger },
  ask: () => Promise<Headers>,
) {
  /** Another value: our clock was set, or the machine slept. */
  const startedMs = () => clock.now().getTime() - clock.monotonicMs();
  let latest: { aheadMs: number; startedMs: number } | null = null;
  /** At the latest answer, whether it told the time or not. */
  let answeredStartedMs: number | null = null;
  /** The latest time that was told, and when by our monotonic clock. */
  let before = { dateMs: NaN, atMs: NaN };
  let asking: Promise<void> | null = null;
  let askedAtMs = -Infinity;
  let toldMs = 0;
  let toldAtMs = -Infinity;

  function note(headers: Headers, sentMs: number): void {
    answeredStartedMs = startedMs();
    const dateMs = Date.parse(headers.get("date") ?? "");
    // With an age, a cache has kept it.
    if (Number.isNaN(dateMs) || headers.has("age")) return;
    // It was written at some moment between sending and now.
    const now = clock.now().getTime();
    const foundMs = Math.max(0, dateMs - now) + Math.min(0, dateMs + secondMs - sentMs);
    const atMs = clock.monotonicMs();
    const wentOnMs = dateMs - before.dateMs;
    const isFirst = Number.isNaN(wentOnMs);
    const runs = wentOnMs > 0 && Math.abs(wentOnMs - (atMs - before.atMs)) < slowMs;
    before = { dateMs, atMs };
    const believed = runs || Math.abs(foundMs) <= furthestMs;
    latest = believed ? { aheadMs: foundMs, startedMs: answeredStartedMs } : null;
    // Whether a clock so far away is believed, its next answer says.
    if (isFirst && !believed) return;
    if (Math.abs(foundMs - toldMs) < toldFromMs) return;
    if (clock.monotonicMs() - toldAtMs < toldEveryMs) return;
    toldMs = foundMs;
    toldAtMs = clock.monotonicMs();
    logger.warn({ seconds: Math.round(foundMs / secondMs) }, toMessage(foundMs, believed));
  }

  function sending(): (headers: Headers) => void {
    const sentMs = clock.now().getTime();
    const sentStartedMs = startedMs();
    return (headers) => {
      // If ours was set meanwhile, nobody knows whether before or after the upstream wrote its time.
      if (Math.abs(startedMs() - sentStartedMs) < setMs) note(headers, sentMs);
    };
  }

  async function askForTime(): Promise<void> {
    const answered = sending();
    answered(await ask());
  }

  return {
    /**
     * How far it is ahead of ours, 0 unless that is certain: by the latest answer, and by how much ours was set since. Asks
     * for the time after ours was set forward, as a machine seems to do that slept.
     */
    async aheadMs(): Promise<number> {
      const isSetForward = answeredStartedMs !== null && startedMs() - answeredStartedMs >= setMs;
      if (isSetForward && clock.monotonicMs() - askedAtMs >= askEveryMs) {
        askedAtMs = clock.monotonicMs();
        // An upstream that cannot be reached is told of by the next call.
        asking = askForTime().catch(() => {});
      }
      await asking;
      return latest === null ? 0 : latest.aheadMs + latest.startedMs - startedMs();
    },
    /** A call is being sent; returns what is to be told of the answer's headers. */
    sending,
  };
}

/** Asks for the time of the upstream's server: neither of the two operations, and without credentials. */
export function createTimeRequest(baseUrl: string): () => Promise<Headers> {
  const url = new URL("/", baseUrl);
  return async () => {
    const signal = AbortSignal.timeout(5000);
    const { headers } = await fetch(url, { method: "HEAD", redirect: "manual", signal });
    return headers;
  };
}

function toMessage(foundMs: number, believed: boolean): string {
  if (Math.abs(foundMs) < secondMs)
    return "the upstream's clock and that of this machine agree again";
  const differ = "the upstream's clock and that of this machine differ";
  return believed
    ? `${differ}: calls are counted in the days of both`
    : `${differ} by more than clocks do: that of this machine is believed`;
}
