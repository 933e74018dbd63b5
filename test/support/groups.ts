import { sql } from "drizzle-orm";
import type { Db } from "../../src/db/open.ts";
import type { MatchKind } from "../../src/db/schema/matching.ts";
import { storePair } from "./matches.ts";

export type Member = [itemId: number, kind?: MatchKind, score?: number];

const at = "2026-01-01T00:00:00Z";

/** Stores a group as matching would, by default of products with the same text. Returns its id. */
export async function storeGroup(db: Db, members: readonly Member[]): Promise<number> {
  const [group] = await db.execute<{ group_id: number }>(sql`
    insert into product_group (members, created_at) values (${members.length}, ${at})
    returning group_id`);
  if (!group) throw new Error("no group was stored");
  for (const [itemId, kind = "text", score = 0.9] of members) {
    await db.execute(sql`
      insert into group_member (item_id, group_id, kind, score)
      values (${itemId}, ${group.group_id}, ${kind}, ${score})`);
  }
  return group.group_id;
}

/** Ends a group, which gives its members to another, or to none. */
export async function endGroup(db: Db, groupId: number, mergedInto: number | null): Promise<void> {
  await db.execute(sql`
    update product_group set members = 0, ended_at = ${at}, merged_into = ${mergedInto}
    where group_id = ${groupId}`);
  await db.execute(
    mergedInto === null
      ? sql`delete from group_member where group_id = ${groupId}`
      : sql`update group_member set group_id = ${mergedInto} where group_id = ${groupId}`,
  );
}

/** Products that matching takes for alike, but not for the same. */
export function storeSimilar(db: Db, one: number, other: number, score: number): Promise<void> {
  return storePair(db, Math.min(one, other), Math.max(one, other), { score, isDoubtful: false });
}

export async function decide(
  db: Db,
  [one, other]: readonly [number, number],
  decision: "same" | "different" | "unsure" | "undone",
) {
  const [a, b] = [Math.min(one, other), Math.max(one, other)];
  await db.execute(sql`
    insert into match_decision (a, b, decision, decided_at)
    values (${a}, ${b}, ${decision}, ${at})`);
}
