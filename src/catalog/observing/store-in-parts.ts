import { sql } from "drizzle-orm";
import type { Tx } from "../../db/open.ts";
import { must } from "../../lib/must.ts";
import { databaseErrorCode, isRefusal } from "../../db/transact.ts";
import type { BrokenItem } from "../../storefront/product.ts";
import type { Observed } from "../sighting.ts";

/** With more refused items than this, the items are not the cause. */
const mostRefused = 5;
/**
 * The time limits of one part: a single item may be why the whole took too long, or waited for a row that somebody
 * holds.
 */
const partLimits: Limits = { statement: "3s", lock: "100ms" };

type Limits = { statement: string; lock: string };

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
  const [before] = await tx.execute<Limits>(sql`
    select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock`);
  const limit = ({ statement, lock }: Limits) =>
    tx.execute(sql`
      select set_config('statement_timeout', ${statement}, true), set_config('lock_timeout', ${lock}, true)`);
  await limit(partLimits);
  const stored: Stored = { observed: [], refused: [] };
  await storeHalves(tx, items, store, stored);
  await limit(must(before, "the limits"));
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
    if (!isRefusal(error) || stored.refused.length >= mostRefused) throw error;
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
