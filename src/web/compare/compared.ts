import { readHistory, type History } from "../../catalog/history.ts";
import { readProducts, type ProductRecord } from "../../catalog/products.ts";
import type { Db } from "../../db/open.ts";
import { mostCompared } from "../shared/compare-tick.tsx";

export interface Compared {
  record: ProductRecord;
  history: History;
}

export interface Wanted {
  /** Each once, in the order given. */
  itemIds: number[];
  /** Whether something was given that is no id, or too many. */
  isFaulty: boolean;
}

/** Reads `items=1,2` and `items=1&items=2`, which forms send. */
export function readWanted(given: readonly string[]): Wanted {
  const parts = given.flatMap((text) => text.split(",")).filter((text) => text !== "");
  const itemIds = [...new Set(parts.filter((text) => /^[1-9]\d{0,14}$/.test(text)).map(Number))];
  const isFaulty = parts.some((text) => !/^[1-9]\d{0,14}$/.test(text));
  return {
    itemIds: itemIds.slice(0, mostCompared),
    isFaulty: isFaulty || itemIds.length > mostCompared,
  };
}

/** Most intervals of each product in the chart, the newest ones. */
const MOST_INTERVALS = 200;

/** The products that were ever seen, deleted ones included, in this order. */
export async function readCompared(
  db: Db,
  itemIds: readonly number[],
  now: Date,
): Promise<Compared[]> {
  const [records, histories] = await Promise.all([
    readProducts(db, itemIds),
    Promise.all(itemIds.map((id) => readHistory(db, id, { limit: MOST_INTERVALS, now }))),
  ]);
  return itemIds.flatMap((itemId, i) => {
    const [record, history] = [records.get(itemId), histories[i]];
    return record && history ? [{ record, history }] : [];
  });
}
