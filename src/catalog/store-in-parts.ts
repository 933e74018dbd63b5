import { sql } from "drizzle-orm";
import type { Tx } from "../db/open.ts";
import { databaseErrorCode, isRefusal } from "../db/transact.ts";
import type { BrokenItem } from "../storefront/product.ts";
import type { Observed } from "./sighting.ts";

/** With more refused items than this, the items are not the cause. */
const MOST_REFUSED = 5;
/** The time limit of one part: a single item may be why the whole took too long. */
const PART_TIMEOUT = "3s";

interface Stored {
  observed: Observed[];
  refused: BrokenItem[];
}

type Store<T> = (tx: Tx, items: readonly T[]) => Promise<Observed[]>;

/** Stores what the database takes of items that it has refused together, and returns the refused ones. */
export async function storeInParts<T extends { itemId: number }>(
  tx: Tx,
  items: readonly T[],
  store: Store<T>,
): Promise<Stored> {
  const [before] = await tx.execute<{ timeout: string }>(
    sql`select current_setting('statement_timeout') as timeout`,
  );
  const limit = (timeout: string) =>
    tx.execute(sql`select set_config('statement_timeout', ${timeout}, true)`);
  await limit(PART_TIMEOUT);
  const stored: Stored = { observed: [], refused: [] };
  await storeHalves(tx, items, store, stored);
  await limit(before?.timeout ?? "0");
  return stored;
}

/** Splits refused items in halves, each in a savepoint, until single items are left. */
async function storeHalves<T extends { itemId: number }>(
  tx: Tx,
  items: readonly T[],
  store: Store<T>,
  stored: Stored,
): Promise<void> {
  try {
    stored.observed.push(...(await tx.transaction((part) => store(part, items))));
  } catch (error) {
    if (!isRefusal(error) || stored.refused.length >= MOST_REFUSED) throw error;
    const [item] = items;
    if (items.length === 1 && item) {
      const reason = `the database refused it (${databaseErrorCode(error)})`;
      stored.refused.push({ itemId: item.itemId, reason, raw: JSON.stringify(item) });
      return;
    }
    const middle = Math.ceil(items.length / 2);
    await storeHalves(tx, items.slice(0, middle), store, stored);
    await storeHalves(tx, items.slice(middle), store, stored);
  }
}
