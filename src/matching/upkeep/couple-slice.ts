import { sql } from "drizzle-orm";
import type { Tx } from "../../db/open.ts";
import { rowsOf } from "../../db/rows.ts";
import { toCoupleKeys } from "../comparing/keys.ts";
import { readItems } from "./candidates.ts";
import { promote, type Due } from "./stored/due.ts";
import { readSteps, storeKeys } from "./stored/keys-store.ts";

/** Makes couples of the words of products, by their present frequency. All are then due for the next stage. */
export async function coupleSlice(tx: Tx, due: readonly Due[]): Promise<void> {
  const itemIds = due.map(({ itemId }) => itemId);
  const items = [...(await readItems(tx, itemIds)).values()];
  const allWords = items.flatMap(({ words }) => words);
  const stepOfKey = await readSteps(tx, allWords);
  const changes = items.map(({ itemId, words, couples }) => ({
    itemId,
    before: couples,
    after: toCoupleKeys(words, words.map(stepOfKey)),
  }));
  const changed = changes
    .filter(({ before, after }) => JSON.stringify(before) !== JSON.stringify(after))
    .map(({ itemId, after }) => ({ item_id: itemId, couples: after }));
  await tx.execute(sql`
    update match_item m set couples = x.couples
    from ${rowsOf("match_item", changed)} x where m.item_id = x.item_id`);
  await storeKeys(tx, changes, "other");
  await promote(tx, due, 2);
}
