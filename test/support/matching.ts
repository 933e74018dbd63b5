import { sql } from "drizzle-orm";
import type { Db } from "../../src/db/open.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { silentLogger as logger } from "../../src/lib/logger.ts";
import type { MatchModel } from "../../src/matching/comparing/model.ts";
import { createMatching } from "../../src/matching/upkeep/step.ts";
import type { SearchItem } from "../../src/storefront/product.ts";
import { titledItem, variation } from "./products.ts";

/** A product as a shop would list it, found and grouped by its model number. */
export function offer(itemId: number, title: string, over: Partial<SearchItem> = {}): SearchItem {
  const shopId = `shop-${itemId}`;
  return titledItem(itemId, title, { shopId, shopName: shopId, price: 20_000, ...over });
}

export function withCode(barcode: string): Pick<SearchItem, "variations"> {
  return { variations: [variation({ barcode })] };
}

/** Matches until nothing is due but what fails. */
export async function matchAll(db: Db, step = createStep(db)): Promise<void> {
  while ((await step()) === 0);
}

/** `model`: what the program ships. */
export function createStep(db: Db, model?: MatchModel): () => Promise<number> {
  const { signal } = new AbortController();
  const shipped = model ? { shipped: model } : {};
  const step = createMatching({ db, clock: systemClock, logger, ...shipped });
  return () => step(signal);
}

/** The members of each group, by id. */
export async function readGroups(db: Db): Promise<number[][]> {
  const rows = await db.execute<{ members: number[] }>(sql`
    select json_agg(item_id order by item_id) as members from group_member group by group_id order by min(item_id)`);
  return rows.map(({ members }) => members);
}

export async function groupOf(db: Db, itemId: number): Promise<number | null> {
  const [row] = await db.execute<{ group_id: number }>(sql`
    select group_id from group_member where item_id = ${itemId}`);
  return row?.group_id ?? null;
}

/** Stores a decision, in any order of the two, and makes both due. */
export async function decide(
  db: Db,
  [a, b]: readonly [number, number],
  decision: "same" | "different" | "unsure" | "undone",
): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`
      insert into match_decision (a, b, decision, decided_at)
      values (${Math.min(a, b)}, ${Math.max(a, b)}, ${decision}, now())`);
    await tx.execute(sql`select match_mark_due(array[${a}, ${b}]::bigint[])`);
  });
}
