import { sql } from "drizzle-orm";
import { assignments, idList, rowsOf } from "../../db/rows.ts";
import type { Tx } from "../../db/open.ts";
import type { Prepared } from "../titles/prepare.ts";
import {
  toCodeKey,
  tooMany,
  toModelKeys,
  toSoundKeys,
  toStoredKey,
  toWordKeys,
  toCoupleKeys,
} from "../comparing/keys.ts";
import { readItems, type Item, findCandidates, refreshSteps } from "./candidates.ts";
import { storeAttributes } from "./stored/attribute-rows.ts";
import { promote, type Due, settle } from "./stored/due.ts";
import { markSharing, storeKeys, readSteps } from "./stored/keys-store.ts";
import { readingVersion } from "./stored/passes.ts";
import { readTexts, type PreparedTexts, type ProductText } from "./stored/texts.ts";
import type { MatchModel } from "../comparing/model.ts";
import { comparePairs } from "./comparisons.ts";
import { regroup } from "./stored/group-rows.ts";
import { replacePairs } from "./replace-pairs.ts";
import { readModels } from "./stored/stored-models.ts";

interface ItemRow {
  item_id: number;
  shop_id: string;
  category: string | null;
  condition: string | null;
  codes: number[];
  words: number[];
  models: number[];
}

/**
 * Reads the titles of products that changed: what they say of attributes, and the keys that they are
 * found by. Deleted products lose both. All are then due for the next stage.
 */
export async function readSlice(tx: Tx, texts: PreparedTexts, due: readonly Due[]): Promise<void> {
  const itemIds = due.map(({ itemId }) => itemId);
  const before = await readItems(tx, itemIds);
  const products = await readTexts(tx, itemIds);
  const codes = await readCodes(tx, itemIds);
  const prepared = products.map((product) => ({ product, is: texts.prepare(product) }));
  const after = prepared.map(({ product, is }) => toRow(product, is, codes));
  await storeRows(tx, itemIds, after);
  const told = prepared.map(({ product: { item_id: itemId }, is: { attributes } }) => ({
    itemId,
    attributes,
  }));
  await storeAttributes(tx, itemIds, told);
  await storeAllKeys(tx, itemIds, before, after);
  await promote(tx, due, 1);
}

async function readCodes(tx: Tx, itemIds: readonly number[]): Promise<Map<number, number[]>> {
  const rows = await tx.execute<{ item_id: number; codes: number[] }>(sql`
    select item_id, json_agg(distinct gtin::bigint) as codes from variation
    where item_id in ${idList(itemIds)} and gtin is not null group by item_id`);
  return new Map(rows.map(({ item_id, codes }) => [item_id, codes]));
}

function toRow(
  product: ProductText,
  prepared: Prepared,
  codes: ReadonlyMap<number, number[]>,
): ItemRow {
  return {
    item_id: product.item_id,
    shop_id: product.shop_id,
    category: product.categories[0] ?? null,
    condition: prepared.attributes.condition,
    codes: codes.get(product.item_id) ?? [],
    words: [...toWordKeys(prepared.tokens).values()],
    models: [...toModelKeys(prepared.models), ...toSoundKeys(prepared.title)],
  };
}

async function storeRows(
  tx: Tx,
  itemIds: readonly number[],
  rows: readonly ItemRow[],
): Promise<void> {
  const living = rows.map(({ item_id }) => item_id);
  await tx.execute(sql`
    insert into match_item (item_id, shop_id, category, condition, codes, words, models, couples, steps, version)
    select item_id, shop_id, category, condition, codes, words, models, '{}', '{}', ${readingVersion}::int
    from ${rowsOf("match_item", rows)}
    on conflict (item_id) do update set
      ${assignments(["shop_id", "category", "condition", "codes", "words", "models", "version"])}`);
  const gone = itemIds.filter((itemId) => !living.includes(itemId));
  if (gone.length === 0) return;
  const dropped = await tx.execute<{ item_id: number; couples: number[] }>(sql`
    delete from match_item where item_id in ${idList(gone)} returning item_id, to_json(couples) as couples`);
  const changes = dropped.map((row) => ({ itemId: row.item_id, before: row.couples, after: [] }));
  await storeKeys(tx, changes, "other");
}

async function storeAllKeys(
  tx: Tx,
  itemIds: readonly number[],
  before: ReadonlyMap<number, Item>,
  rows: readonly ItemRow[],
): Promise<void> {
  const after = new Map(rows.map((row) => [row.item_id, row]));
  const changes = (keysOf: (item: Item | ItemRow) => readonly number[]) =>
    itemIds.map((itemId) => {
      const [old, next] = [before.get(itemId), after.get(itemId)];
      return { itemId, before: old ? keysOf(old) : [], after: next ? keysOf(next) : [] };
    });
  const words = changes((item) => item.words);
  const models = changes((item) => item.models.map(toStoredKey));
  const codes = changes((item) => item.codes.map(toCodeKey));
  await storeKeys(tx, words, "word");
  await storeKeys(tx, models, "other");
  // A code may become or cease to be a placeholder for all that have it.
  await markCodes(tx, await storeKeys(tx, codes, "other"));
}

async function markCodes(tx: Tx, keys: readonly number[]): Promise<void> {
  if (keys.length === 0) return;
  const rows = await tx.execute<{ key: number }>(sql`
    select key from match_frequency where key in ${idList(keys)} and items < ${tooMany}`);
  const unclear = rows.map(({ key }) => key);
  await markSharing(tx, unclear, 2);
}

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

/**
 * Compares products that are due with those that share a key, and forms the groups anew that this concerns.
 * In the end a pair is stored if and only if both titles, as they are
 * now, make it one: it is computed anew when the later of both is no longer due. A model that follows judges
 * them too, beside the one in use. Returns the products that keep their groups because too many hang together.
 */
export async function compareSlice(
  tx: Tx,
  texts: PreparedTexts,
  due: readonly Due[],
  { at, shipped }: { at: Date; shipped: MatchModel },
): Promise<number[]> {
  const itemIds = due.map(({ itemId }) => itemId);
  const own = await readItems(tx, itemIds);
  const stepOfKey = await refreshSteps(tx, own.values());
  const candidates = await findCandidates(tx, own, stepOfKey);
  const { inUse, next } = await readModels(tx, shipped);
  const models = next ? [inUse, next] : [inUse];
  const [compared = [], follows = []] = await comparePairs(tx, texts, candidates, models);
  const changed = await replacePairs(tx, { table: "match_pair", model: inUse }, itemIds, compared);
  if (next) await replacePairs(tx, { table: "match_pair_next", model: next }, itemIds, follows);
  const left = await regroup(tx, [...itemIds, ...changed], at);
  await settle(tx, due);
  return left;
}
