import { createCopy, type Copy, type Figures, type Sighting } from "./copy.ts";
import { createLedger } from "./ledger.ts";
import { createUpstream, type SearchOrder, type Upstream } from "./upstream.ts";
import type { World } from "./world.ts";

export type SimCall =
  | { kind: "refresh"; shop: number; items: readonly number[] }
  | { kind: "search"; keyword: number; order: SearchOrder; start: number };

export function search(keyword: number, order: SearchOrder, start: number): SimCall {
  return { kind: "search", keyword, order, start };
}

/** A call and what it is expected to gain. */
export interface Offer {
  value: number;
  /** What it competes with: its worth, and more where its worth tells not all. */
  bid: number;
  call: SimCall;
}

export interface Answer {
  seen: Sighting[];
  gone: readonly number[];
  /** Matches of the search; null for a refresh. */
  found: number | null;
}

/** Spends the calls. It sees answers only; `world` holds nothing else that it may look at. */
export interface Policy {
  choose(now: number): SimCall | null;
  learn(call: SimCall, answer: Answer, now: number): void;
}

export interface Outcome extends Figures {
  calls: number;
  /** Items observed by a call, as a share of what one can observe. */
  fill: number;
  by_kind: { refresh: number; feed: number; head: number; discovery: number };
}

const PURPOSE = { modified: "feed", newest: "discovery", popular: "head" } as const;

/** Plays the world from end to end, one call at a time, at the pace of the ledger. */
export function simulate(
  world: World,
  options: {
    callsPerDay: number;
    refusedFrom?: number;
    createPolicy(world: World, copy: Copy, upstream: Upstream): Policy;
  },
): Outcome {
  const upstream = createUpstream(world);
  const copy = createCopy(world, upstream);
  const policy = options.createPolicy(world, copy, upstream);
  const ledger = createLedger({ ...options, dayStart: world.dayStart });
  const byKind = { refresh: 0, feed: 0, head: 0, discovery: 0 };
  let observed = 0;
  let now = world.startsAt;
  for (;;) {
    now = ledger.nextAt(now);
    if (now >= world.endsAt) break;
    if (!ledger.take(now)) continue;
    copy.advance(now);
    const call = policy.choose(now);
    if (!call) continue;
    const answer = ask(call);
    if (now >= world.measuredFrom) {
      byKind[call.kind === "refresh" ? "refresh" : PURPOSE[call.order]] += 1;
      observed += answer.seen.length + answer.gone.length;
    }
    policy.learn(call, answer, now);
  }
  copy.advance(world.endsAt);
  const calls = byKind.refresh + byKind.feed + byKind.head + byKind.discovery;
  return { ...copy.figures(), calls, fill: observed / (50 * Math.max(1, calls)), by_kind: byKind };

  function ask(call: SimCall): Answer {
    if (call.kind === "search") {
      const seen = copy.see(upstream.search(call.keyword, call.order, call.start));
      return { seen, gone: [], found: upstream.found(call.keyword) };
    }
    const gone = call.items.filter((item) => !upstream.live[item]);
    const seen = copy.see(call.items.filter((item) => upstream.live[item]));
    copy.drop(gone);
    return { seen, gone, found: null };
  }
}
