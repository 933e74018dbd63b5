import { batchSize } from "../../crawl/scoring/scoring.ts";
import { createCopy, type Copy } from "./copy.ts";
import { createUpstream, type SearchOrder } from "./upstream.ts";
import type { World } from "../worlds/world.ts";

export interface Outcome extends ReturnType<Copy["figures"]> {
  /** Answered calls since `measuredFrom`. */
  calls: number;
  /** Observed items of a call, as a share of the most that it can show. */
  fill: number;
  by_kind: { refresh: number; feed: number; head: number; discovery: number };
  /** Answered calls of the day with the most of them, over the whole run. */
  most_calls_a_day: number;
  /**
   * Of the weight of what is stored: the share that `/v1/status` expects to equal the upstream's, and the share that does,
   * on the average of the days; null for a policy that expects none.
   */
  expected_share: number | null;
  true_share: number | null;
}

export type CallKind = "refresh" | SearchOrder;

const purposes = {
  refresh: "refresh",
  modified: "feed",
  newest: "discovery",
  oldest: "discovery",
  popular: "head",
} as const satisfies Record<CallKind, keyof Outcome["by_kind"]>;

export type Meter = ReturnType<typeof createMeter>;

/**
 * One run of a world: its upstream, the copy, and their comparison. The same for every policy, so that their
 * figures can be compared.
 */
export function createMeter(world: World) {
  const upstream = createUpstream(world);
  const copy = createCopy(world, upstream);
  const byKind = { refresh: 0, feed: 0, head: 0, discovery: 0 };
  const byDay = new Map<number, number>();
  const shares: { expected: number; true: number }[] = [];
  let observedItems = 0;
  return {
    upstream,
    copy,
    /** A call was answered at `now` (days) and showed so many items. */
    count(now: number, kind: CallKind, observed: number): void {
      const day = Math.floor(now - world.dayStart);
      byDay.set(day, (byDay.get(day) ?? 0) + 1);
      if (now < world.measuredFrom) return;
      byKind[purposes[kind]] += 1;
      observedItems += observed;
    },
    /** So much of what is stored is expected to equal the upstream's at `now`. */
    compareShares(now: number, expected: number): void {
      copy.advance(now);
      shares.push({ expected, true: copy.shownFreshShare() });
    },
    /** Ends the run. */
    outcome(): Outcome {
      copy.advance(world.endsAt);
      const calls = Object.values(byKind).reduce((sum, one) => sum + one, 0);
      return {
        ...copy.figures(),
        calls,
        fill: observedItems / (batchSize * Math.max(1, calls)),
        by_kind: byKind,
        most_calls_a_day: Math.max(0, ...byDay.values()),
        expected_share: meanOf(shares.map(({ expected }) => expected)),
        true_share: meanOf(shares.map((one) => one.true)),
      };
    },
  };
}

function meanOf(shares: readonly number[]): number | null {
  return shares.length === 0 ? null : shares.reduce((sum, one) => sum + one, 0) / shares.length;
}
