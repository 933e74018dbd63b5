import { readHistory, type History } from "../../catalog/history/history.ts";
import { readProducts, type ProductRecord } from "../../catalog/products.ts";
import type { Db } from "../../db/open.ts";

export interface Compared {
  record: ProductRecord;
  history: History;
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
