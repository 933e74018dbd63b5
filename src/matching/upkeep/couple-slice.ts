import { sql } from "drizzle-orm";
import { idList } from "../../db/lists.ts";
import type { Tx } from "../../db/open.ts";
import { rowsOf } from "../../db/rows.ts";
import { toCoupleKeys } from "../comparing/keys.ts";
import { promote, type Due } from "./stored/due.ts";
import { readSteps, storeKeys } from "./stored/keys-store.ts";

/** Makes couples of the words of products, by their present frequency. All are then due for the next stage. */
export async function coupleSlice(tx: Tx, due: readonly Due[]): Promise<void> {
  const rows = await tx.execute<{ item_id: number; words: number[]; couples: number[] }>(sql`
    select item_id, to_json(words) as words, to_json(couples) as couples
    from match_item where item_id in ${idList(due.map(({ itemId }) => itemId))}`);
  const allWords = rows.flatMap(({ words }) => words);
  const stepOfKey = await readSteps(tx, allWords);
  const changes = rows.map(({ item_id, words, couples }) => ({
    itemId: item_id,
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
