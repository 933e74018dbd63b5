import { sql } from "drizzle-orm";
import { idList } from "../db/lists.ts";
import type { Tx } from "../db/open.ts";
import type { ItemState, UnconfirmedJump } from "../db/schema.ts";
import type { PairState } from "./judge.ts";

/** What saved searches remember of products: by product, then by saved search. */
export type States = Map<number, Map<number, PairState>>;

export async function readStates(tx: Tx, itemIds: readonly number[]): Promise<States> {
  const rows = await tx.execute<{
    saved_search_id: number;
    item_id: number;
    rules: ItemState;
    jump: UnconfirmedJump | null;
  }>(sql`
    select saved_search_id, item_id, rules, jump from saved_search_item
    where item_id in ${idList(itemIds)}`);
  const states: States = new Map(itemIds.map((id) => [id, new Map<number, PairState>()]));
  for (const { saved_search_id: id, item_id: itemId, rules, jump } of rows) {
    states.get(itemId)?.set(id, { rules, jump });
  }
  return states;
}
