import { sql } from "drizzle-orm";
import type { Db } from "../../db/open.ts";
import { toRecords, type RowOf } from "../../db/rows.ts";
import type { Cache } from "../../lib/cache.ts";
import { bucketCount } from "../index/bucket.ts";
import { allHostsPrefix, placementTrustMs } from "../mirror/indexes/hosts.ts";
import { oldestChange } from "../mirror/status.ts";

export interface RoutedHost {
  host: number;
  url: string;
  /** Its index in service. */
  indexUid: string;
  /** Age of the oldest change that this host lacks; 0 if there is none. */
  lagSeconds: number;
  /** Those that may be searched there. */
  buckets: number[];
}

export type Route = readonly RoutedHost[];

/** Which host may be searched for which buckets, read once a second. */
export function createRoute(db: Db, cache: Cache, indexPrefix: string): () => Promise<Route> {
  return cache.remember("search placement", placementTrustMs, () => readRoute(db, indexPrefix));
}

export async function readRoute(db: Db, indexPrefix: string): Promise<Route> {
  const rows = await db.execute<RowOf<RoutedHost>>(sql`
    select h.host, h.url, i.index_uid,
      greatest(0, extract(epoch from clock_timestamp() - ${oldestChange(sql`i.index_uid`)}))::float8 as lag_seconds,
      coalesce((select json_agg(p.bucket) from search_placement p
        where p.host = h.host and p.state = 'serving'), '[]') as buckets
    from search_host h join mirror_index i on i.host = h.host and i.state = 'serving'
      and starts_with(i.index_uid, ${allHostsPrefix(indexPrefix)})
    order by h.host`);
  return toRecords<RoutedHost>(rows, {});
}

export interface Target {
  host: RoutedHost;
  buckets: readonly number[];
  /** Finds these buckets only; null: the host has no others. */
  filter: string | null;
}

/** A host so much further behind than the best one is asked only where no other can be. */
const behindSeconds = 30;

/**
 * Each of the buckets at one host: not at those of `excluded`, and at those of `avoided` only where no other
 * has it. null: a bucket is left without a host.
 */
export function chooseTargets(
  hosts: Route,
  buckets: readonly number[],
  { excluded, avoided }: { excluded: ReadonlySet<number>; avoided: ReadonlySet<number> },
): Target[] | null {
  const leastLag = Math.min(...hosts.map((host) => host.lagSeconds));
  const isAvoided = (host: RoutedHost) =>
    avoided.has(host.host) || host.lagSeconds > leastLag + behindSeconds;
  const open = hosts.filter((host) => !excluded.has(host.host));
  const copies = Array.from({ length: bucketCount }, (): RoutedHost[] => []);
  for (const host of open.filter((one) => !isAvoided(one)))
    for (const bucket of host.buckets) copies[bucket]?.push(host);
  for (const host of open.filter(isAvoided))
    for (const bucket of host.buckets) if (copies[bucket]?.length === 0) copies[bucket].push(host);
  const chosen = new Map<RoutedHost, number[]>();
  for (const bucket of buckets) {
    const of = copies[bucket] ?? [];
    const host = of[bucket % of.length];
    if (!host) return null;
    const list = chosen.get(host) ?? [];
    list.push(bucket);
    chosen.set(host, list);
  }
  return [...chosen].map(([host, list]) => ({
    host,
    buckets: list,
    filter: list.length === bucketCount ? null : `bucket IN [${list.join(", ")}]`,
  }));
}

export const allBuckets: readonly number[] = Array.from({ length: bucketCount }, (_, i) => i);
