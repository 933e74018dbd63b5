import { sql, type SQL } from "drizzle-orm";
import type { Tx } from "../../../db/open.ts";
import { toDocument, toPlacedDocument, type DocumentBuilder } from "../../index/document.ts";

/**
 * Every search host has a mirror of its own, whose indexes are named for the host: `products_h2_v1`. The
 * number of the host in such a name, or in its prefix; 0: the only host (`products_v1`).
 */
export function hostOf(indexUid: string): number {
  return Number(/_h(\d+)_v\d*$/.exec(indexUid)?.[1] ?? 0);
}

/** What an index with this name or prefix has of a product. */
export function documentBuilderOf(indexUid: string): DocumentBuilder {
  return hostOf(indexUid) > 0 ? toPlacedDocument : toDocument;
}

/** The prefix of one host's indexes. */
export function hostPrefix(prefix: string, host: number): string {
  return `${allHostsPrefix(prefix)}${host}_v`;
}

/** What the names of all hosts' indexes begin with, but no name of the only host's. */
export function allHostsPrefix(prefix: string): string {
  return prefix.replace(/_?v$/, "_h");
}

/** Searches read so often which host has which buckets. */
export const placementTrustMs = 1000;

/** ` and …`: the product belongs on the host of this index; nothing for the only host. */
export function andPlaced(indexUid: string, itemId: SQL): SQL {
  const host = hostOf(indexUid);
  if (host === 0) return sql``;
  return sql` and exists (select from search_placement pl
    where pl.host = ${host} and pl.bucket = search_bucket(${itemId}) and pl.state <> 'leaving')`;
}

/** The buckets that belong on the host of this index; null: all, because it is the only host. */
export async function readPlacedBuckets(tx: Tx, indexUid: string): Promise<Set<number> | null> {
  const host = hostOf(indexUid);
  if (host === 0) return null;
  const rows = await tx.execute<{ bucket: number }>(sql`
    select bucket from search_placement where host = ${host} and state <> 'leaving'`);
  return new Set(rows.map((row) => row.bucket));
}

/** Excludes a host that lost its index from searches until it is proven again; false: it was not searched. */
export async function excludeHost(tx: Tx, host: number): Promise<boolean> {
  const rows = await tx.execute(sql`
    update search_placement set state = 'filling', changed_at = clock_timestamp()
    where host = ${host} and state = 'serving' returning 1 as excluded`);
  return rows.length > 0;
}
