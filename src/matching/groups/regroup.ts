import { countEach } from "../../lib/collect.ts";

/** Membership of products that may change: all members of all groups concerned. */
export type Membership = ReadonlyMap<number, number>;

export interface GroupChange {
  kind: "created" | "joined" | "left" | "merged" | "split" | "dissolved";
  groupId: number;
  /** merged: the group that remains; split: the new group; else null. */
  otherGroupId: number | null;
  itemIds: number[];
}

/**
 * The id that each cluster keeps; null: it needs a new one. A cluster keeps the group with most of its
 * members, and a group goes on in its largest part; ties go to the smallest id.
 */
export function keepGroupIds(
  before: Membership,
  clusters: readonly (readonly number[])[],
): (number | null)[] {
  const overlaps = clusters.flatMap((cluster, index) =>
    [...countEach(cluster.flatMap((itemId) => before.get(itemId) ?? []))].map(
      ([groupId, count]) => ({
        index,
        groupId,
        count,
        first: Math.min(...cluster),
      }),
    ),
  );
  overlaps.sort((a, b) => b.count - a.count || a.groupId - b.groupId || a.first - b.first);
  const kept = clusters.map((): number | null => null);
  const taken = new Set<number>();
  for (const { index, groupId } of overlaps) {
    if (kept[index] !== null || taken.has(groupId)) continue;
    kept[index] = groupId;
    taken.add(groupId);
  }
  return kept;
}

/**
 * What happened to the groups between two states. Applied in this order to `before`, it gives `after`:
 * left and dissolved take products out, split and merged move them to the other group, created and
 * joined put them in.
 */
export function describeChanges(before: Membership, after: Membership): GroupChange[] {
  const old = membersByGroup(before);
  const next = membersByGroup(after);
  const changes: Record<GroupChange["kind"], GroupChange[]> = {
    left: [],
    split: [],
    created: [],
    merged: [],
    joined: [],
    dissolved: [],
  };
  const tell = (kind: GroupChange["kind"], groupId: number, itemIds: number[], other?: number) => {
    if (itemIds.length > 0) {
      changes[kind].push({ kind, groupId, otherGroupId: other ?? null, itemIds });
    }
  };
  /** Products that come with a split or a merger: the others have to join. */
  const moved = new Set<number>();
  const move = (kind: "split" | "merged", from: number, to: number) => {
    const itemIds = (old.get(from) ?? []).filter((id) => after.get(id) === to);
    tell(kind, from, itemIds, to);
    for (const itemId of itemIds) moved.add(itemId);
  };

  for (const [groupId, itemIds] of next) {
    if (old.has(groupId)) continue;
    const source = largest(
      [...countEach(itemIds.flatMap((id) => before.get(id) ?? []))].filter(([id]) => next.has(id)),
    );
    if (source !== null) move("split", source, groupId);
  }
  for (const [groupId, itemIds] of old) {
    if (next.has(groupId)) continue;
    const target = largest([...countEach(itemIds.flatMap((id) => after.get(id) ?? []))]);
    if (target === null) tell("dissolved", groupId, itemIds);
    else move("merged", groupId, target);
  }
  for (const [groupId, itemIds] of old) {
    const isDissolved = changes.dissolved.some((change) => change.groupId === groupId);
    if (isDissolved) continue;
    tell(
      "left",
      groupId,
      itemIds.filter((id) => after.get(id) !== groupId && !moved.has(id)),
    );
  }
  for (const [groupId, itemIds] of next) {
    const come = itemIds.filter((id) => before.get(id) !== groupId && !moved.has(id));
    const isNew = !old.has(groupId) && come.length === itemIds.length;
    tell(isNew ? "created" : "joined", groupId, come);
  }
  const { left, split, created, merged, joined, dissolved } = changes;
  return [...left, ...split, ...created, ...merged, ...joined, ...dissolved];
}

function membersByGroup(membership: Membership): Map<number, number[]> {
  const groups = new Map<number, number[]>();
  for (const [itemId, groupId] of [...membership].toSorted(([a], [b]) => a - b)) {
    groups.set(groupId, [...(groups.get(groupId) ?? []), itemId]);
  }
  return new Map([...groups].toSorted(([a], [b]) => a - b));
}

/** The group with most products, ties to the smallest id. */
function largest(counts: readonly [groupId: number, count: number][]): number | null {
  return counts.toSorted(([a, m], [b, n]) => n - m || a - b)[0]?.[0] ?? null;
}
