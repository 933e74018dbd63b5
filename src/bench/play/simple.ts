import { BATCH } from "../../crawl/scoring/scoring.ts";
import type { Copy } from "./copy.ts";
import type { Policy } from "./run.ts";
import type { World } from "../worlds/world.ts";

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

export function createSimplePolicy(world: World, copy: Copy, rule: SimpleRule): Policy {
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
      const items = heaviest(ring, BATCH, (item) => weightOf(item) * ageOf(item, now));
      const score = sum(items, (item) => weightOf(item) * ageOf(item, now));
      return { items, score, growth: sum(heaviest(ring, BATCH, weightOf), weightOf), scoredAt };
    }
    const items = ring.slice(0, BATCH);
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
