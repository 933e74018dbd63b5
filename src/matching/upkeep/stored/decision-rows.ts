import { sql } from "drizzle-orm";
import { idList } from "../../../db/rows.ts";
import type { Tx } from "../../../db/open.ts";

export type Decided = { a: number; b: number; decision: "same" | "different" };

/** What people say of pairs of these products: their newest decision, unless it is unsure or undone. */
export async function readDecisions(tx: Tx, itemIds: readonly number[]): Promise<Decided[]> {
  const ids = idList(itemIds);
  return tx.execute<Decided>(sql`
    select a, b, decision from (
      select distinct on (a, b) a, b, decision from (
        select * from match_decision where a in ${ids} union all select * from match_decision where b in ${ids}
      ) concerned order by a, b, id desc
    ) newest where decision in ('same', 'different')`);
}
