import { withFeedShare } from "./feed-share.ts";
import { importanceTimesAge } from "./memory.ts";
import { createPlanner } from "./planner.ts";
import { simulate, type Outcome, type Policy } from "./run.ts";
import { createSimplePolicy } from "./simple.ts";
import type { Copy } from "./copy.ts";
import type { World } from "./world.ts";

const everything = { feed: true, head: true, discovery: true };

interface PolicyRow {
  title: string;
  create(world: World, copy: Copy, budget: { callsPerDay: number }): Policy;
  /** It decides by itself what to spend on the feed. */
  feedsItself?: true;
}

/** The planner and what it is measured against. */
export const policies = {
  "round-robin": {
    title: "round-robin over shops",
    create: (world, copy) => createSimplePolicy(world, copy, "round-robin"),
  },
  oldest: {
    title: "oldest first, batches by their oldest item",
    create: (world, copy) => createSimplePolicy(world, copy, "oldest"),
  },
  "oldest-fullest": {
    title: "oldest first, fullest batch",
    create: (world, copy) => createSimplePolicy(world, copy, "oldest-fullest"),
  },
  "importance-age": {
    title: "importance x age",
    create: (world, copy, budget) =>
      createPlanner(
        world,
        copy,
        { kinds: {}, trueRates: false, index: importanceTimesAge },
        budget,
      ),
  },
  planner: {
    title: "the planner",
    create: (world, copy, budget) =>
      createPlanner(world, copy, { kinds: everything, trueRates: false }, budget),
    feedsItself: true,
  },
  oracle: {
    title: "the planner with true rates",
    create: (world, copy, budget) =>
      createPlanner(world, copy, { kinds: everything, trueRates: true }, budget),
    feedsItself: true,
  },
} satisfies Record<string, PolicyRow>;

export type PolicyName = keyof typeof policies;

export function isPolicyName(name: string): name is PolicyName {
  return Object.hasOwn(policies, name);
}

export function playPolicy(
  world: World,
  name: PolicyName,
  options: { callsPerDay: number; refusedFrom?: number; feedEvery?: number },
): Outcome {
  const row: PolicyRow = policies[name];
  return simulate(world, {
    ...options,
    createPolicy: (w, copy) =>
      withFeedShare(
        row.create(w, copy, options),
        w.keywords,
        row.feedsItself ? 0 : (options.feedEvery ?? 0),
      ),
  });
}
