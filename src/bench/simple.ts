import { BATCH } from "../crawl/scoring/scoring.ts";
import type { Copy } from "./copy.ts";
import { createDueQueue } from "./heap.ts";
import type { Policy, SimCall } from "./run.ts";
import type { World } from "./world.ts";

/**
 * What one would write first. Each shop's products stand in a ring; a batch is the next 50, which
 * are always the shop's longest unlooked-at.
 *
 * - round-robin: the shops in turn
 * - oldest: the shop of the product longest unlooked-at
 * - oldest-fullest: the shop whose next batch is oldest in sum
 */
export type SimpleRule = "round-robin" | "oldest" | "oldest-fullest";

export function createSimplePolicy(world: World, copy: Copy, rule: SimpleRule): Policy {
  const rings: number[][] = Array.from({ length: world.shops }, () => []);
  const checkedAt = new Float64Array(world.shopOf.length).fill(world.startsAt);
  /** Of each shop's next batch: how many, and the sum of their moments. */
  const size = new Int32Array(world.shops);
  const moments = new Float64Array(world.shops);
  const order = createDueQueue(Math.max(1, world.shops));
  const inRing = new Uint8Array(world.shopOf.length);

  for (const [item, isStored] of copy.stored.entries()) if (isStored) enter(item);
  for (let shop = 0; shop < world.shops; shop += 1) settle(shop, world.startsAt + shop * 1e-9);

  function enter(item: number): void {
    if (inRing[item]) return;
    inRing[item] = 1;
    rings[world.shopOf[item] ?? 0]?.push(item);
  }

  function settle(shop: number, now: number): void {
    const next = rings[shop]?.slice(0, BATCH) ?? [];
    size[shop] = next.length;
    moments[shop] = next.reduce((sum, item) => sum + (checkedAt[item] ?? 0), 0);
    const first = next[0];
    if (first === undefined) order.remove(shop);
    else order.set(shop, rule === "round-robin" ? now : (checkedAt[first] ?? 0));
  }

  function fullest(now: number): number | undefined {
    let best: number | undefined;
    let most = 0;
    for (let shop = 0; shop < world.shops; shop += 1) {
      const age = (size[shop] ?? 0) * now - (moments[shop] ?? 0);
      if (age > most) {
        most = age;
        best = shop;
      }
    }
    return best;
  }

  return {
    choose(now): SimCall | null {
      const shop = rule === "oldest-fullest" ? fullest(now) : order.earliest(1)[0];
      if (shop === undefined) return null;
      return { kind: "refresh", shop, items: rings[shop]?.slice(0, BATCH) ?? [] };
    },
    learn(call, answer, now) {
      for (const { item } of answer.seen) {
        checkedAt[item] = now;
        if (call.kind === "search" && !inRing[item]) {
          enter(item);
          settle(world.shopOf[item] ?? 0, now);
        }
      }
      if (call.kind === "search") return;
      const ring = rings[call.shop] ?? [];
      ring.splice(0, call.items.length);
      for (const item of answer.gone) inRing[item] = 0;
      ring.push(...answer.seen.map((sighting) => sighting.item));
      settle(call.shop, now);
    },
  };
}
