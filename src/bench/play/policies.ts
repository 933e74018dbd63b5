import { BATCH } from "../../crawl/scoring/scoring.ts";
import type { Db } from "../../db/open.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Copy } from "./copy.ts";
import { playCrawler } from "./crawler.ts";
import type { Outcome } from "./meter.ts";
import { simulate, type Policy, type RunOptions } from "./run.ts";
import { createSimplePolicy, type SimpleRule } from "./simple.ts";
import { toItem } from "./storefront.ts";
import type { World } from "../worlds/world.ts";

/** The planner and the policies that it is compared with. */
export const policies = {
  "round-robin": "round-robin over shops",
  oldest: "oldest first, batches by their oldest item",
  "oldest-fullest": "oldest first, fullest batch",
  "importance-age": "importance x age",
  planner: "the planner",
  blind: "the planner without factors by stock, price and category",
  oracle: "the planner with true change rates",
} as const satisfies Record<SimpleRule | "planner" | "blind" | "oracle", string>;

export type PolicyName = keyof typeof policies;

export function isPolicyName(name: string): name is PolicyName {
  return Object.hasOwn(policies, name);
}

/** What a bench needs from its caller. */
export interface Bench {
  /** Lends an empty, migrated database, which is dropped when the work is done or has failed. */
  withDatabase<T>(work: (db: Db) => Promise<T>): Promise<T>;
  signal: AbortSignal;
  /** A line of the result. */
  print(line: string): void;
  /** A line on its progress. */
  note(line: string): void;
  /** Real time. */
  clock: Clock;
}

export interface Play extends Pick<RunOptions, "callsPerDay" | "refusedFrom"> {
  /** A simple policy uses one in so many calls for newest changes, so that it finds new products; 0: none. */
  feedEvery?: number | undefined;
  /** How many times an old price a deleted product counts for the planner; by default as in the service. */
  goneWeight?: number | undefined;
}

const noteEveryMs = 10_000;

/** Plays one policy and notes its progress; rejects when the bench is interrupted. */
export async function playNoted(
  bench: Bench,
  world: World,
  name: PolicyName,
  play: Play,
): Promise<Outcome> {
  const { clock, note, signal } = bench;
  const title = `${world.name}: ${policies[name]}, ${play.callsPerDay} calls a day`;
  note(`${title}: playing`);
  const startedMs = clock.monotonicMs();
  let notedMs = startedMs;
  const days = Math.ceil(world.endsAt - world.startsAt);
  const onDay = (day: number) => {
    const nowMs = clock.monotonicMs();
    if (nowMs - notedMs < noteEveryMs) return;
    notedMs = nowMs;
    note(`${title}: day ${day} of ${days}`);
  };
  const outcome = await playPolicy(bench, world, name, { ...play, signal, onDay });
  note(`${title}: done in ${((clock.monotonicMs() - startedMs) / 1000).toFixed(1)} s`);
  return outcome;
}

async function playPolicy(
  { withDatabase }: Bench,
  world: World,
  name: PolicyName,
  run: Play & RunOptions,
): Promise<Outcome> {
  run.signal.throwIfAborted();
  if (name !== "planner" && name !== "blind" && name !== "oracle") {
    const createPolicy = (copy: Copy) =>
      withFeedShare(createSimplePolicy(world, copy, name), world.keywords, run.feedEvery ?? 0);
    return simulate(world, createPolicy, run);
  }
  const truth = name === "oracle" ? { evidence: trueRates(world), sureDays: knownDays } : {};
  return withDatabase((db) =>
    playCrawler(world, { ...run, db, isBlind: name === "blind", ...truth }),
  );
}

/** So much evidence that the estimate is the rate itself. */
const knownDays = 1e4;

function trueRates(world: World) {
  return (itemId: number, content: number) => ({
    changes: knownDays * world.rateIn(toItem(itemId), content),
    days: knownDays,
  });
}

/**
 * Adds a feed to a policy without one, so that it finds new products: one in `every` calls is a page of
 * newest changes (0: none). A keyword is scanned while its pages show changes; then the next keyword
 * has its turn.
 */
function withFeedShare(policy: Policy, keywords: number, every: number): Policy {
  if (every === 0) return policy;
  let calls = 0;
  let keyword = 0;
  let start = 0;
  return {
    choose(now) {
      calls += 1;
      return calls % every === 0
        ? { kind: "search", keyword, order: "modified", start }
        : policy.choose(now);
    },
    learn(call, answer, now) {
      policy.learn(call, answer, now);
      if (call.kind === "refresh") return;
      const goesOn = answer.seen.some((sighting) => sighting.fate !== "unchanged");
      start = goesOn ? start + BATCH : 0;
      if (!goesOn) keyword = (keyword + 1) % keywords;
    },
  };
}
