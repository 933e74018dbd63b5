import type { Db } from "../db/open.ts";
import { playCrawler } from "./crawler.ts";
import { withFeedShare } from "./feed-share.ts";
import type { Outcome } from "./meter.ts";
import { simulate } from "./run.ts";
import { createSimplePolicy, type SimpleRule } from "./simple.ts";
import { toItem } from "./storefront.ts";
import type { World } from "./world.ts";

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

/** What a run needs from its caller. */
export interface Stage {
  /** Lends an empty, migrated database, which is dropped when the work is done or has failed. */
  withDatabase<T>(work: (db: Db) => Promise<T>): Promise<T>;
  signal: AbortSignal;
  onDay(day: number): void;
}

export interface Play {
  callsPerDay: number;
  /** The upstream's own limit, when it is lower than the one agreed. */
  refusedFrom?: number | undefined;
  /** A simple policy uses one in so many calls for newest changes, so that it finds new products; 0: none. */
  feedEvery?: number | undefined;
  /** How many times an old price a deleted product counts for the planner; by default as in the service. */
  goneWeight?: number | undefined;
}

export async function playPolicy(
  world: World,
  name: PolicyName,
  play: Play,
  stage: Stage,
): Promise<Outcome> {
  stage.signal.throwIfAborted();
  if (name !== "planner" && name !== "blind" && name !== "oracle") {
    return simulate(world, {
      ...play,
      signal: stage.signal,
      onDay: stage.onDay,
      createPolicy: (w, copy) =>
        withFeedShare(createSimplePolicy(w, copy, name), w.keywords, play.feedEvery ?? 0),
    });
  }
  const { callsPerDay, refusedFrom, goneWeight } = play;
  const { signal, onDay } = stage;
  const isBlind = name === "blind";
  const truth = name === "oracle" ? { evidence: trueRates(world), sureDays: KNOWN_DAYS } : {};
  return stage.withDatabase((db) =>
    playCrawler(world, {
      db,
      callsPerDay,
      refusedFrom,
      goneWeight,
      signal,
      onDay,
      isBlind,
      ...truth,
    }),
  );
}

/** So much evidence that the estimate is the rate itself. */
const KNOWN_DAYS = 1e4;

function trueRates(world: World) {
  return (itemId: number, content: number) => ({
    changes: KNOWN_DAYS * world.rateIn(toItem(itemId), content),
    days: KNOWN_DAYS,
  });
}
