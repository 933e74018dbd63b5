import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeChanges, keepGroupIds, type Membership } from "./regroup.ts";

/** What a reader of the log does. */
function replay(before: Membership, changes: ReturnType<typeof describeChanges>): Membership {
  const membership = new Map(before);
  for (const { kind, groupId, otherGroupId, itemIds } of changes) {
    for (const itemId of itemIds) {
      if (kind === "left" || kind === "dissolved") {
        expect(membership.get(itemId)).toBe(groupId);
        membership.delete(itemId);
      } else if (kind === "merged" || kind === "split") {
        expect(membership.get(itemId)).toBe(groupId);
        membership.set(itemId, otherGroupId ?? NaN);
      } else {
        expect(membership.has(itemId)).toBe(false);
        membership.set(itemId, groupId);
      }
    }
  }
  return membership;
}

/** 12 products, each in one of some groups or in none; groups of one are none. */
const partition = fc
  .array(fc.integer({ min: 0, max: 4 }), { minLength: 12, maxLength: 12 })
  .map((groups) =>
    [1, 2, 3, 4]
      .map((group) => groups.flatMap((g, i) => (g === group ? [i + 1] : [])))
      .filter((cluster) => cluster.length > 1),
  );

function regroup(before: Membership, clusters: number[][]): Map<number, number> {
  let newest = 1000;
  const ids = keepGroupIds(before, clusters).map((id) => id ?? (newest += 1));
  return new Map(
    clusters.flatMap((cluster, i) => cluster.map((itemId) => [itemId, ids[i] ?? NaN] as const)),
  );
}

describe("groups", () => {
  it("end, for a reader of the log, with the same members", () => {
    fc.assert(
      fc.property(fc.array(partition, { maxLength: 4 }), (states) => {
        let before: Membership = new Map();
        for (const clusters of states) {
          const after = regroup(before, clusters);
          expect(replay(before, describeChanges(before, after))).toEqual(after);
          before = after;
        }
      }),
    );
  });

  it("keep their ids while the members stay, and say nothing", () => {
    fc.assert(
      fc.property(partition, (clusters) => {
        const before = regroup(new Map(), clusters);
        const after = regroup(before, clusters.toReversed());
        expect(after).toEqual(before);
        expect(describeChanges(before, after)).toEqual([]);
      }),
    );
  });

  const before = new Map([1, 2, 3, 4, 5].map((id) => [id, id < 4 ? 7 : 9] as const));

  it("that merge keep the id of the part with most members", () => {
    const after = regroup(before, [[1, 2, 3, 4, 5]]);
    expect(describeChanges(before, after)).toEqual([
      { kind: "merged", groupId: 9, otherGroupId: 7, itemIds: [4, 5] },
    ]);
  });

  it("that split keep their id in the largest part", () => {
    const whole = new Map([1, 2, 3, 4, 5].map((id) => [id, 7] as const));
    const after = regroup(whole, [
      [1, 2],
      [3, 4, 5],
    ]);
    expect(after.get(3)).toBe(7);
    expect(describeChanges(whole, after)).toEqual([
      { kind: "split", groupId: 7, otherGroupId: after.get(1), itemIds: [1, 2] },
    ]);
  });

  it("of which one member is left dissolve", () => {
    const after = regroup(before, [[1, 2, 3]]);
    expect(describeChanges(before, after)).toEqual([
      { kind: "dissolved", groupId: 9, otherGroupId: null, itemIds: [4, 5] },
    ]);
  });
});
