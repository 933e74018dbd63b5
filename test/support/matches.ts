import { sql } from "drizzle-orm";
import type { Db, Tx } from "../../src/db/open.ts";
import { matchPair, type MatchKind } from "../../src/db/schema.ts";
import { storeItems } from "./catalog.ts";
import { titledItem } from "./products.ts";

export const storedAt = "2026-01-01T00:00:00Z";

/** Stores products with these titles and prices, each in a shop of its own; ids from 1. */
export async function storeTitles(
  db: Db,
  ...products: readonly [title: string, price: number][]
): Promise<void> {
  const items = products.map(([title, price], i) =>
    titledItem(i + 1, title, { price, shopId: `shop-${i + 1}`, shopName: `店 ${i + 1}` }),
  );
  await storeItems(db, storedAt, items);
}

/** Stores a pair as matching does; doubtful unless said otherwise. */
export async function storePair(
  db: Db | Tx,
  a: number,
  b: number,
  over: Partial<typeof matchPair.$inferInsert> = {},
): Promise<void> {
  const values: typeof matchPair.$inferInsert = {
    a,
    b,
    score: 0.7,
    tier: "similar",
    kind: "text",
    vetoes: [],
    isDoubtful: true,
    shopA: `shop-${a}`,
    shopB: `shop-${b}`,
    base: 0,
    sharesModel: true,
    softMin: 0.5,
    sameWording: false,
    cosine: 0.5,
    bestA: 0.5,
    bestB: 0.5,
    isFirstA: true,
    isFirstB: true,
    ...over,
  };
  await db
    .insert(matchPair)
    .values(values)
    .onConflictDoUpdate({ target: [matchPair.a, matchPair.b], set: values });
}

/** Products that matching takes for alike, but not for the same. */
export function storeSimilar(db: Db, one: number, other: number, score: number): Promise<void> {
  return storePair(db, Math.min(one, other), Math.max(one, other), { score, isDoubtful: false });
}

export type Member = [itemId: number, kind?: MatchKind, score?: number];

/** Stores a group as matching would, by default of products with the same text. Returns its id. */
export async function storeGroup(db: Db, members: readonly Member[]): Promise<number> {
  const [group] = await db.execute<{ group_id: number }>(sql`
    insert into product_group (members, created_at) values (${members.length}, ${storedAt})
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
    update product_group set members = 0, ended_at = ${storedAt}, merged_into = ${mergedInto}
    where group_id = ${groupId}`);
  await db.execute(
    mergedInto === null
      ? sql`delete from group_member where group_id = ${groupId}`
      : sql`update group_member set group_id = ${mergedInto} where group_id = ${groupId}`,
  );
}
