import { sql } from "drizzle-orm";
import type { Db, Tx } from "../../src/db/open.ts";
import { matchPair } from "../../src/db/schema.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { silentLogger } from "../../src/lib/logger.ts";
import { createMatching } from "../../src/matching/upkeep/step.ts";
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

/** Puts products into one group. */
export async function storeGroup(db: Db, groupId: number, itemIds: number[]): Promise<void> {
  await db.execute(sql`
    insert into product_group (group_id, members, created_at) overriding system value
    values (${groupId}, ${itemIds.length}, ${storedAt})`);
  for (const itemId of itemIds) {
    await db.execute(sql`
      insert into group_member (item_id, group_id, kind, score) values (${itemId}, ${groupId}, 'text', 0.9)`);
  }
}

/** Runs the matching until nothing is due. */
export async function matchAll(db: Db): Promise<void> {
  const step = createMatching({ db, clock: systemClock, logger: silentLogger });
  while ((await step(new AbortController().signal)) === 0);
}
