import { sql } from "drizzle-orm";
import { readCountsOf } from "../../catalog/counts.ts";
import type { Db } from "../../db/open.ts";
import { toRecords, type RowOf } from "../../db/rows.ts";
import { readCopies } from "./plan.ts";
import { bucketCount } from "../index/bucket.ts";
import { allHostsPrefix } from "../mirror/indexes/hosts.ts";
import { defaultIndexPrefix } from "../mirror/indexes/indexes.ts";
import { readLagSeconds } from "../mirror/status.ts";

/** Where several search hosts have the products. */
export interface PlacementStatus {
  /** On how many hosts each bucket is to be. */
  copies: number;
  buckets: number;
  /** Buckets that no host may be searched for: Postgres answers instead. */
  unsearchableBuckets: number;
  /** Empty with one host. */
  hosts: HostStatus[];
}

export const oneHostPlacement: PlacementStatus = {
  copies: 1,
  buckets: 0,
  unsearchableBuckets: 0,
  hosts: [],
};

export interface HostStatus {
  url: string;
  /** false: no longer in the settings; its buckets move to the others. */
  isWanted: boolean;
  /** Whether it answers now. */
  isUp: boolean;
  /** null: it has no index yet. */
  indexUid: string | null;
  /** Buckets that are searched there, are being filled, or are about to be deleted. */
  serving: number;
  filling: number;
  leaving: number;
  /** Products that it lacks, or has in an older version. */
  dirty: number;
  lagSeconds: number;
  /** When a comparison with the catalogue last ended; null: none has. */
  verifiedAt: Date | null;
}

type ReadHost = Omit<HostStatus, "isUp" | "dirty" | "lagSeconds">;

export interface PlacementOptions {
  db: Db;
  isUp: (url: string) => Promise<boolean>;
  indexPrefix?: string;
}

export async function readPlacement(options: PlacementOptions): Promise<PlacementStatus> {
  const { db, indexPrefix = defaultIndexPrefix } = options;
  const rows = await db.execute<RowOf<ReadHost>>(sql`
    select h.url, h.wanted as is_wanted, i.index_uid,
      count(*) filter (where p.state = 'serving')::int as serving,
      count(*) filter (where p.state = 'filling')::int as filling,
      count(*) filter (where p.state = 'leaving')::int as leaving,
      (select updated_at from setting where key = 'verify_mirror:h' || h.host) as verified_at
    from search_host h
    left join mirror_index i on i.host = h.host and i.state = 'serving'
      and starts_with(i.index_uid, ${allHostsPrefix(indexPrefix)})
    left join search_placement p on p.host = h.host
    group by h.host, i.index_uid order by h.url`);
  const hosts = toRecords<ReadHost>(rows, { verifiedAt: true });
  const [searched] = await db.execute<{ n: number }>(sql`
    select count(distinct bucket)::int as n from search_placement where state = 'serving'`);
  return {
    copies: await readCopies(db),
    buckets: bucketCount,
    unsearchableBuckets: hosts.length === 0 ? 0 : bucketCount - (searched?.n ?? 0),
    hosts: await Promise.all(hosts.map((host) => toStatus(options, host))),
  };
}

async function toStatus({ db, isUp }: PlacementOptions, host: ReadHost): Promise<HostStatus> {
  const { url, indexUid } = host;
  const counts = await readCountsOf(db, `mirror ${indexUid ?? ""}`, ["dirty"]);
  return {
    ...host,
    isUp: await isUp(url),
    dirty: counts.get("dirty") ?? 0,
    lagSeconds: indexUid === null ? 0 : await readLagSeconds(db, indexUid),
  };
}
