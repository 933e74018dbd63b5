import { setImmediate } from "node:timers/promises";
import type { Copy, Sighting } from "./copy.ts";
import { createLedger } from "./ledger.ts";
import { createMeter, type Outcome } from "./meter.ts";
import type { SearchOrder } from "./upstream.ts";
import type { World } from "../worlds/world.ts";

export type SimCall =
  | { kind: "refresh"; shop: number; items: readonly number[] }
  | { kind: "search"; keyword: number; order: SearchOrder; start: number };

export interface Answer {
  seen: Sighting[];
  gone: readonly number[];
}

/** Chooses the calls. It sees only answers and the fields of `world` that a crawler could know. */
export interface Policy {
  choose(now: number): SimCall | null;
  learn(call: SimCall, answer: Answer, now: number): void;
}

/** What every run of a world needs. */
export interface RunOptions {
  callsPerDay: number;
  /** The upstream's own limit, when it is lower than the one agreed. */
  refusedFrom?: number | undefined;
  signal: AbortSignal;
  /** Called on every new day of the run; 0 is the first. */
  onDay(day: number): void;
}

/**
 * Plays the whole world for a policy that keeps its copy in memory, at the pace of the ledger. Rejects
 * when `signal` aborts.
 */
export async function simulate(
  world: World,
  createPolicy: (copy: Copy) => Policy,
  options: RunOptions,
): Promise<Outcome> {
  const meter = createMeter(world);
  const { upstream, copy } = meter;
  const policy = createPolicy(copy);
  const ledger = createLedger({ ...options, dayStart: world.dayStart });
  let now = world.startsAt;
  let day = -1;
  for (;;) {
    now = ledger.nextAt(now);
    if (now >= world.endsAt) return meter.outcome();
    if (Math.floor(now - world.startsAt) > day) {
      day = Math.floor(now - world.startsAt);
      options.onDay(day);
      // Lets signals arrive: nothing else here waits.
      await setImmediate();
      options.signal.throwIfAborted();
    }
    if (!ledger.take(now)) continue;
    copy.advance(now);
    const call = policy.choose(now);
    if (!call) continue;
    const answer = ask(call);
    const kind = call.kind === "refresh" ? "refresh" : call.order;
    meter.count(now, kind, answer.seen.length + answer.gone.length);
    policy.learn(call, answer, now);
  }

  function ask(call: SimCall): Answer {
    if (call.kind === "search") {
      return { seen: copy.see(upstream.search(call.keyword, call.order, call.start)), gone: [] };
    }
    const gone = call.items.filter((item) => !upstream.live[item]);
    const seen = copy.see(call.items.filter((item) => upstream.live[item]));
    copy.drop(gone);
    return { seen, gone };
  }
}
