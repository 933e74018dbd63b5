import { sql } from "drizzle-orm";
import { assignments, idList, rowsOf } from "../../../db/rows.ts";
import type { Tx } from "../../../db/open.ts";
import { formClusters, type Member } from "../../groups/clusters.ts";
import { describeChanges, keepGroupIds, type GroupChange } from "../../groups/regroup.ts";
import { tellChanged } from "./attribute-rows.ts";
import { mostProducts, readRegroupInput, type RegroupInput } from "./component.ts";
import { countEach } from "../../../lib/collect.ts";

/**
 * Forms the groups of these products and of all that hang together with them anew, and logs what changed. Returns those
 * that keep what groups they have, because more than `most` products hang together with them.
 */
export async function regroup(
  tx: Tx,
  itemIds: readonly number[],
  at: Date,
  most = mostProducts,
): Promise<number[]> {
  const all = await readRegroupInput(tx, itemIds, most);
  if ("before" in all) {
    await regroupAll(tx, all, at);
    return [];
  }
  const tooMany = new Set<number>();
  for (const itemId of new Set(itemIds)) {
    if (tooMany.has(itemId)) continue;
    const own = await readRegroupInput(tx, [itemId], most);
    if ("before" in own) await regroupAll(tx, own, at);
    else for (const other of own) tooMany.add(other);
  }
  return itemIds.filter((itemId) => tooMany.has(itemId));
}

async function regroupAll(tx: Tx, { component, before }: RegroupInput, at: Date): Promise<void> {
  const clusters = formClusters(component);
  const groupBefore = new Map([...before].map(([itemId, { groupId }]) => [itemId, groupId]));
  const members = clusters.map((cluster) => cluster.map(({ itemId }) => itemId));
  const kept = await withDissolved(tx, members, keepGroupIds(groupBefore, members));
  const groupIds = await withNewIds(tx, kept, at);
  const groupAfter = new Map(
    clusters.flatMap((cluster, i) =>
      cluster.map(({ itemId }) => [itemId, groupIds[i] ?? NaN] as const),
    ),
  );
  await storeMembers(tx, clusters.flat(), { before, groupAfter });
  const changes = describeChanges(groupBefore, groupAfter);
  if (changes.length === 0) return;
  await storeGroups(tx, changes, { groupAfter, at });
  await tellChanges(tx, changes, groupAfter);
}

/** What needs an id takes that of the dissolved group that its members were in last: a product that was away for a while, say. */
async function withDissolved(
  tx: Tx,
  clusters: readonly (readonly number[])[],
  kept: readonly (number | null)[],
): Promise<(number | null)[]> {
  const missing = clusters.filter((_, i) => kept[i] === null);
  if (missing.length === 0) return [...kept];
  const ids = idList(missing.flat());
  const rows = await tx.execute<{ item_id: number; group_id: number }>(sql`
    select distinct on (item_id) item_id, c.group_id
    from group_change c join product_group g using (group_id) cross join unnest(c.item_ids) as item_id
    where c.kind = 'dissolved' and c.item_ids && array${ids} and item_id in ${ids}
      and g.members = 0 and g.merged_into is null
    order by item_id, c.id desc`);
  const former = keepGroupIds(new Map(rows.map((row) => [row.item_id, row.group_id])), missing);
  return kept.map((id) => id ?? former.shift() ?? null);
}

async function withNewIds(tx: Tx, kept: readonly (number | null)[], at: Date): Promise<number[]> {
  const missing = kept.filter((id) => id === null).length;
  if (missing === 0) return kept.flatMap((id) => id ?? []);
  const rows = await tx.execute<{ group_id: number }>(sql`
    insert into product_group (members, created_at)
    select 0, ${at.toISOString()} from generate_series(1, ${missing}::int)
    returning group_id`);
  const fresh = rows.map(({ group_id }) => group_id).toSorted((a, b) => a - b);
  return kept.map((id) => id ?? fresh.shift() ?? NaN);
}

async function storeMembers(
  tx: Tx,
  members: readonly Member[],
  { before, groupAfter }: { before: RegroupInput["before"]; groupAfter: Map<number, number> },
): Promise<void> {
  const gone = [...before.keys()].filter((itemId) => !groupAfter.has(itemId));
  if (gone.length > 0) {
    await tx.execute(sql`delete from group_member where item_id in ${idList(gone)}`);
  }
  const changed = members.flatMap(({ itemId, kind, score }) => {
    const old = before.get(itemId);
    const groupId = groupAfter.get(itemId);
    if (old && old.groupId === groupId && old.kind === kind && old.score === Math.fround(score))
      return [];
    return [{ item_id: itemId, group_id: groupId, kind, score }];
  });
  if (changed.length === 0) return;
  await tx.execute(sql`
    insert into group_member (item_id, group_id, kind, score)
    select item_id, group_id, kind, score from ${rowsOf("group_member", changed)} order by item_id
    on conflict (item_id) do update set ${assignments(["group_id", "kind", "score"])}`);
}

async function storeGroups(
  tx: Tx,
  changes: readonly GroupChange[],
  { groupAfter, at }: { groupAfter: ReadonlyMap<number, number>; at: Date },
): Promise<void> {
  const ended = changes.filter(({ kind }) => kind === "merged" || kind === "dissolved");
  const endedIds = new Set(ended.map(({ groupId }) => groupId));
  const counts = countEach(groupAfter.values());
  const rows = [...groupsOf(changes)].map((groupId) => ({
    group_id: groupId,
    members: counts.get(groupId) ?? 0,
    merged_into: ended.find((change) => change.groupId === groupId)?.otherGroupId ?? null,
    ended_at: endedIds.has(groupId) ? at : null,
  }));
  await tx.execute(sql`
    update product_group g set members = x.members, merged_into = x.merged_into, ended_at = x.ended_at
    from ${rowsOf("product_group", rows)} x where g.group_id = x.group_id`);
  const told = changes.map(({ kind, groupId, otherGroupId, itemIds }) => ({
    at,
    kind,
    group_id: groupId,
    other_group_id: otherGroupId,
    item_ids: itemIds,
  }));
  await tx.execute(sql`
    insert into group_change (at, kind, group_id, other_group_id, item_ids)
    select at, kind, group_id, other_group_id, item_ids
    from ${rowsOf("group_change", told)} with ordinality order by ordinality`);
}

function groupsOf(changes: readonly GroupChange[]): Set<number> {
  return new Set(
    changes.flatMap(({ groupId, otherGroupId }) =>
      otherGroupId === null ? [groupId] : [groupId, otherGroupId],
    ),
  );
}

/** Readers of changes see the group of a product with it: all members of the groups concerned have changed. */
async function tellChanges(
  tx: Tx,
  changes: readonly GroupChange[],
  groupAfter: ReadonlyMap<number, number>,
): Promise<void> {
  const groups = groupsOf(changes);
  const members = [...groupAfter].flatMap(([itemId, groupId]) =>
    groups.has(groupId) ? [itemId] : [],
  );
  const concerned = [...new Set([...members, ...changes.flatMap(({ itemIds }) => itemIds)])];
  await tellChanged(tx, concerned);
}
