import { sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/open.ts";
import type { ChangeCursor } from "./change-cursor.ts";
import { readHead } from "./changes.ts";
import { readProducts, type ProductRecord } from "../products.ts";

/** Everything that lives, as one snapshot shows it. */
export interface LivingProducts {
  /** The changes behind it make every later state: one that the snapshot lacks has no position yet in it. */
  cursor: ChangeCursor;
  pages(): AsyncGenerator<ProductRecord[]>;
}

/** Between two statements: for as long as a slow disk takes. */
const IDLE = "5min";
const IDS = 1000;
/** Products may be large, so few are read at once. */
const PART = 200;

/** Runs `work` with a snapshot that stays the same while it reads. */
export async function withLivingProducts<T>(
  db: Db,
  work: (living: LivingProducts) => Promise<T>,
): Promise<T> {
  return db.transaction(
    async (tx) => {
      await tx.execute(
        sql`select set_config('idle_in_transaction_session_timeout', ${IDLE}, true)`,
      );
      const cursor = { ...(await readHead(tx)), listedTo: null };
      return work({ cursor, pages: () => readLiving(tx) });
    },
    { isolationLevel: "repeatable read", accessMode: "read only" },
  );
}

async function* readLiving(tx: Tx): AsyncGenerator<ProductRecord[]> {
  let after = 0;
  for (;;) {
    const rows = await tx.execute<{ item_id: number }>(sql`
      select item_id from product
      where item_id > ${after} and state <> 'gone' order by item_id limit ${IDS}`);
    const ids = rows.map((row) => row.item_id);
    for (let from = 0; from < ids.length; from += PART) {
      const part = ids.slice(from, from + PART);
      const records = await readProducts(tx, part);
      yield part.flatMap((id) => records.get(id) ?? []);
    }
    const last = ids.at(-1);
    if (last === undefined || ids.length < IDS) return;
    after = last;
  }
}
