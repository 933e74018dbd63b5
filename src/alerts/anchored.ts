import { sql } from "drizzle-orm";
import type { Tx } from "../db/open.ts";
import { keysOf } from "./anchors.ts";
import type { Waiting } from "./waiting-changes.ts";

/** The saved searches that each change may concern by what the product was or is, found by one index. */
export type Anchored = ReadonlyMap<Waiting, readonly number[]>;

export async function findAnchored(tx: Tx, changes: readonly Waiting[]): Promise<Anchored> {
  const keys = new Map(changes.map((change) => [change, keysOfChange(change)]));
  const wanted = new Set([...keys.values()].flat());
  const rows = await tx.execute<{ name: string; ids: number[]; also: (string[] | null)[] }>(sql`
    select k.name, json_agg(a.saved_search_id) as ids, json_agg(to_json(a.also)) as also
    from json_array_elements_text(${JSON.stringify([...wanted])}::text::json) k(name)
    join saved_search_anchor a
      on a.kind = split_part(k.name, ' ', 1) and a.key = substr(k.name, strpos(k.name, ' ') + 1)
    group by 1`);
  const byName = new Map(rows.map((row) => [row.name, row]));
  const find = (change: Waiting): number[] => {
    if (change.only !== undefined) return [change.only];
    const own = new Set(keys.get(change));
    return [...own].flatMap((key) => {
      const { ids = [], also = [] } = byName.get(key) ?? {};
      return ids.filter((_, i) => {
        const others = also[i] ?? null;
        return others === null || others.some((other) => own.has(other));
      });
    });
  };
  return new Map(changes.map((change) => [change, find(change)]));
}

function keysOfChange({ before, after, only }: Waiting): string[] {
  if (only !== undefined) return [];
  return [...new Set([...(before ? keysOf(before) : []), ...(after ? keysOf(after) : [])])];
}
