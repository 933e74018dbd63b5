import { sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/open.ts";

/** Products per transaction. Other writers of these products wait for at most one such transaction. */
const SLICE = 500;

export interface Rewriting {
  /** The setting that has the position. */
  key: string;
  /** Raised whenever all products are to be rewritten. */
  version: number;
  /** Gets products that nobody else can change before the end of the transaction. */
  rewrite(tx: Tx, ids: readonly number[]): Promise<unknown>;
}

/**
 * Rewrites what is derived from the products that were stored before the present version, in slices by id. Its
 * position commits with each slice, so that a stopped task continues the next time. Once it is at the end it costs one
 * read.
 */
export async function rewriteInSlices(
  db: Db,
  signal: AbortSignal,
  rewriting: Rewriting,
  limit = SLICE,
): Promise<void> {
  let isDone = false;
  while (!isDone && !signal.aborted) {
    isDone = await db.transaction((tx) => rewriteSlice(tx, rewriting, limit));
  }
}

async function rewriteSlice(
  tx: Tx,
  { key, version, rewrite }: Rewriting,
  limit: number,
): Promise<boolean> {
  const [row] = await tx.execute<{ after_id: number | null }>(sql`
    select (value ->> 'after_id')::bigint as after_id from setting
    where key = ${key} and (value ->> 'version')::int = ${version} for update`);
  if (row?.after_id === null) return true;
  await tx.execute(sql`set local lock_timeout = '2s'`);
  const products = await tx.execute<{ item_id: number }>(sql`
    select item_id from product
    where item_id > ${row?.after_id ?? 0} order by item_id limit ${limit} for share`);
  const ids = products.map((product) => product.item_id);
  if (ids.length > 0) await rewrite(tx, ids);
  const afterId = ids.length < limit ? null : ids.at(-1);
  await tx.execute(sql`
    insert into setting (key, value, updated_at)
    values (${key}, ${JSON.stringify({ version, after_id: afterId })}::text::jsonb, now())
    on conflict (key) do update set value = excluded.value, updated_at = excluded.updated_at`);
  return afterId === null;
}
