import { batchSize } from "../../crawl/scoring/scoring.ts";
import type { Db } from "../../db/open.ts";
import type { Clock } from "../../lib/clock.ts";
import type { World } from "../worlds/world.ts";
import type { Copy } from "./copy.ts";
import { playCrawler } from "./crawler.ts";
import type { Outcome } from "./meter.ts";
import { simulate, type Policy, type RunOptions } from "./run.ts";
import { toItem } from "./storefront.ts";

/**
 * What one would write first: policies that know when each product was last observed, and no more.
 * Each shop's products stand in a ring, those first that have waited longest.
 *
 * - round-robin: the shops in turn, each with its next 50 products
 * - oldest: the shop of the product that has waited longest
 * - oldest-fullest: the shop whose next 50 have waited longest in sum
 * - importance-age: the 50 products of one shop whose importance times age is largest in sum
 */
export type SimpleRule = "round-robin" | "oldest" | "oldest-fullest" | "importance-age";

interface Batch {
  items: readonly number[];
  /** The shop with the largest score is next; the score grows by at most `growth` a day. */
  score: number;
  growth: number;
  scoredAt: number;
}

const nothing: Batch = { items: [], score: -Infinity, growth: 0, scoredAt: 0 };

function createSimplePolicy(world: World, copy: Copy, rule: SimpleRule): Policy {
  const rings: number[][] = Array.from({ length: world.shops }, () => []);
  const checkedAt = new Float64Array(world.shopOf.length).fill(world.startsAt);
  const turnOf = Float64Array.from(
    { length: world.shops },
    (_, shop) => world.startsAt + shop * 1e-9,
  );
  const inRing = new Uint8Array(world.shopOf.length);

  for (const [item, isStored] of copy.stored.entries()) if (isStored) enter(item);

  function enter(item: number): void {
    if (inRing[item]) return;
    inRing[item] = 1;
    rings[world.shopOf[item] ?? 0]?.push(item);
  }

  const ageOf = (item: number, now: number) => now - (checkedAt[item] ?? 0);
  const weightOf = (item: number) => world.weight[item] ?? 0;
  const sum = (items: readonly number[], of: (item: number) => number) =>
    items.reduce((total, item) => total + of(item), 0);

  function toBatch(shop: number, now: number): Batch {
    const ring = rings[shop] ?? [];
    if (ring.length === 0) return nothing;
    const scoredAt = now;
    if (rule === "importance-age") {
      const items = heaviest(ring, batchSize, (item) => weightOf(item) * ageOf(item, now));
      const score = sum(items, (item) => weightOf(item) * ageOf(item, now));
      return { items, score, growth: sum(heaviest(ring, batchSize, weightOf), weightOf), scoredAt };
    }
    const items = ring.slice(0, batchSize);
    switch (rule) {
      case "round-robin":
        return { items, score: -(turnOf[shop] ?? 0), growth: 0, scoredAt };
      case "oldest":
        return { items, score: -(checkedAt[items[0] ?? 0] ?? 0), growth: 0, scoredAt };
      case "oldest-fullest":
        return {
          items,
          score: sum(items, (item) => ageOf(item, now)),
          growth: items.length,
          scoredAt,
        };
    }
  }

  const batches = rings.map((_, shop) => toBatch(shop, world.startsAt));

  function mostScored(now: number): number {
    let best = 0;
    let most = -Infinity;
    for (const [shop, { score, growth, scoredAt }] of batches.entries()) {
      const atMost = score + growth * (now - scoredAt);
      if (atMost <= most) continue;
      most = atMost;
      best = shop;
    }
    return best;
  }

  return {
    choose(now) {
      for (;;) {
        const shop = mostScored(now);
        const batch = batches[shop] ?? nothing;
        if (batch.items.length === 0) return null;
        // This score is an upper bound, so it is computed anew.
        if (rule !== "importance-age" || batch.scoredAt === now) {
          return { kind: "refresh", shop, items: batch.items };
        }
        batches[shop] = toBatch(shop, now);
      }
    },
    learn(call, answer, now) {
      const touched = new Set<number>();
      for (const { item } of answer.seen) {
        checkedAt[item] = now;
        if (inRing[item]) continue;
        enter(item);
        touched.add(world.shopOf[item] ?? 0);
      }
      if (call.kind === "refresh") {
        const asked = new Set(call.items);
        for (const item of answer.gone) inRing[item] = 0;
        const seen = answer.seen.map((sighting) => sighting.item);
        rings[call.shop] = [
          ...(rings[call.shop] ?? []).filter((item) => !asked.has(item)),
          ...seen,
        ];
        turnOf[call.shop] = now;
        touched.add(call.shop);
      }
      for (const shop of touched) batches[shop] = toBatch(shop, now);
    },
  };
}

/** The `most` items of largest value, largest first. One pass, because a shop may have thousands. */
export function heaviest(
  items: readonly number[],
  most: number,
  valueOf: (item: number) => number,
): number[] {
  const best: number[] = [];
  const values: number[] = [];
  for (const item of items) {
    const value = valueOf(item);
    if (best.length === most && value <= (values[most - 1] ?? 0)) continue;
    let place = Math.min(best.length, most - 1);
    for (; place > 0 && (values[place - 1] ?? 0) < value; place -= 1) {
      best[place] = best[place - 1] ?? 0;
      values[place] = values[place - 1] ?? 0;
    }
    best[place] = item;
    values[place] = value;
  }
  return best;
}

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
  const truth =
    name === "oracle"
      ? {
          evidence: (itemId: number, content: number) => ({
            changes: knownDays * world.rateIn(toItem(itemId), content),
            days: knownDays,
          }),
          sureDays: knownDays,
        }
      : {};
  return withDatabase((db) =>
    playCrawler(world, { ...run, db, isBlind: name === "blind", ...truth }),
  );
}

/** So much evidence that the estimate is the rate itself. */
const knownDays = 1e4;

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
      start = goesOn ? start + batchSize : 0;
      if (!goesOn) keyword = (keyword + 1) % keywords;
    },
  };
}
