import { sql } from "drizzle-orm";
import type { Db } from "../db/open.ts";

export interface CatalogStatus {
  products: { live: number; missing: number; gone: number };
  shops: number;
  /** Seconds since products that are not deleted were last verified; null if there are none. */
  freshness: { p50Seconds: number; p95Seconds: number; oldestSeconds: number } | null;
  quarantined: number;
  heldDeletions: number;
}

type Row = {
  live: number;
  missing: number;
  gone: number;
  shops: number;
  quarantined: number;
  held: number;
  p50: number | null;
  p95: number | null;
  oldest: number | null;
};

export async function readCatalogStatus(db: Db, now: Date): Promise<CatalogStatus> {
  const [row] = await db.execute<Row>(sql`
    select count(*) filter (where state = 'live') as live,
      count(*) filter (where state = 'missing') as missing,
      count(*) filter (where state = 'gone') as gone,
      (select count(*) from shop) as shops,
      (select count(*) from quarantine) as quarantined,
      (select count(*) from held_deletion) as held,
      percentile_cont(0.5) within group (order by age) filter (where state <> 'gone') as p50,
      percentile_cont(0.95) within group (order by age) filter (where state <> 'gone') as p95,
      max(age) filter (where state <> 'gone') as oldest
    from (
      select state, greatest(0, extract(epoch from ${now.toISOString()}::timestamptz - checked_at))::float8 as age
      from product) p`);
  if (!row) throw new Error("an aggregate without a row");
  const { p50, p95, oldest } = row;
  return {
    products: { live: row.live, missing: row.missing, gone: row.gone },
    shops: row.shops,
    freshness:
      p50 === null || p95 === null || oldest === null
        ? null
        : { p50Seconds: p50, p95Seconds: p95, oldestSeconds: oldest },
    quarantined: row.quarantined,
    heldDeletions: row.held,
  };
}
