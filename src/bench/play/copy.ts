import type { Upstream } from "./upstream.ts";
import { addition, deletion, type World } from "../worlds/world.ts";

/** What a check of one item showed. */
export interface Sighting {
  item: number;
  fate: "created" | "changed" | "unchanged";
}

export type Copy = ReturnType<typeof createCopy>;

/**
 * Our stored copy, and how far it is from the upstream at every moment.
 *
 * Freshness: of the weight of all products that are live upstream or shown by us, the share whose
 * stored state equals the upstream's, averaged over time. So a deleted product that is still shown and
 * a new product that is not yet known both lower it. Age: how long such a product has been out of date,
 * 0 if it is not (Cho and Garcia-Molina). `stale_deleted`: the share of the weight that we show but is
 * deleted upstream.
 */
export function createCopy(world: World, upstream: Upstream) {
  const total = world.shopOf.length;
  const { live } = upstream;
  const stored = Uint8Array.from(world.liveAtStart);
  const content = Int32Array.from(world.contentAtStart);
  const modified = Float64Array.from(world.modifiedAtStart);
  const staleSince = new Float64Array(total).fill(-1);
  const addedAt = new Float64Array(total).fill(NaN);
  const deletedAt = new Float64Array(total).fill(NaN);
  const sum = { weight: 0, stale: 0, staleMoments: 0, shown: 0, shownStale: 0, shownDeleted: 0 };
  const area = { weight: 0, stale: 0, age: 0, shown: 0, shownDeleted: 0 };
  const added = { all: 0, found: 0 };
  const deleted = { all: 0, noticed: 0 };
  let now = world.startsAt;

  function count(item: number, sign: 1 | -1): void {
    const weight = sign * (world.weight[item] ?? 0);
    const shown = stored[item] === 1;
    const real = live[item] === 1;
    if (!shown && !real) return;
    sum.weight += weight;
    if (shown) sum.shown += weight;
    if (shown && !real) sum.shownDeleted += weight;
    if (shown && real && content[item] === upstream.content[item]) {
      if (sign === 1) staleSince[item] = -1;
      return;
    }
    if (sign === 1 && (staleSince[item] ?? -1) < 0) staleSince[item] = now;
    sum.stale += weight;
    if (shown) sum.shownStale += weight;
    sum.staleMoments += weight * (staleSince[item] ?? now);
  }

  function change(item: number, apply: () => void): void {
    count(item, -1);
    apply();
    if (!stored[item] && !live[item]) staleSince[item] = -1;
    count(item, 1);
  }

  function tick(to: number): void {
    const from = Math.max(now, world.measuredFrom);
    if (to > from) {
      const span = to - from;
      area.weight += sum.weight * span;
      area.stale += sum.stale * span;
      area.age += span * (sum.stale * ((to + from) / 2) - sum.staleMoments);
      area.shown += sum.shown * span;
      area.shownDeleted += sum.shownDeleted * span;
    }
    now = to;
  }

  function noteAddOrDelete(item: number, kind: number): void {
    const counted = now >= world.measuredFrom && now <= world.endsAt - 1;
    if (kind === deletion && stored[item]) {
      deletedAt[item] = counted ? now : NaN;
      if (counted) deleted.all += 1;
    }
    if (kind === addition) {
      // It came back within a day: missing its deletion does not count.
      if (now - (deletedAt[item] ?? NaN) < 1) deleted.all -= 1;
      deletedAt[item] = NaN;
      if (counted && !stored[item]) {
        addedAt[item] = now;
        added.all += 1;
      }
    }
  }

  for (let item = 0; item < total; item += 1) count(item, 1);

  return {
    stored,
    advance(to: number): void {
      upstream.advance(to, (item, at, kind, apply) => {
        tick(at);
        noteAddOrDelete(item, kind);
        change(item, apply);
      });
      tick(to);
    },
    /** Stores these items, which an answer showed. */
    see: (items: readonly number[]): Sighting[] =>
      items.map((item) => {
        const known = stored[item] === 1;
        const same = content[item] === upstream.content[item];
        const seenModified = upstream.modified[item] ?? 0;
        const bumped = known && seenModified > (modified[item] ?? 0);
        if (!known && now - (addedAt[item] ?? NaN) <= 1) added.found += 1;
        addedAt[item] = NaN;
        change(item, () => {
          stored[item] = 1;
          content[item] = upstream.content[item] ?? 0;
        });
        modified[item] = seenModified;
        const fate = !known ? "created" : same && !bumped ? "unchanged" : "changed";
        return { item, fate };
      }),
    /** Deletes these items, which an answer proved deleted. */
    drop(items: readonly number[]): void {
      for (const item of items) {
        if (now - (deletedAt[item] ?? NaN) <= 1) deleted.noticed += 1;
        deletedAt[item] = NaN;
        change(item, () => {
          stored[item] = 0;
        });
      }
    },
    /** Of the weight of what is stored now: the share that equals the upstream's. */
    shownFreshShare: () => 1 - sum.shownStale / sum.shown,
    figures: () => ({
      freshness: 1 - area.stale / area.weight,
      mean_age_s: (area.age / area.weight) * 86_400,
      recall_new_24h: added.found / Math.max(1, added.all),
      stale_deleted: area.shownDeleted / area.shown,
      deleted_noticed_24h: deleted.noticed / Math.max(1, deleted.all),
    }),
  };
}
