import { sql } from "drizzle-orm";
import type { Db } from "../../src/db/open.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { silentLogger as logger } from "../../src/lib/logger.ts";
import { verifyAllHosts } from "../../src/search/cluster/host-mirrors.ts";
import { engineOf, type SearchHost } from "./search-hosts.ts";

export async function countStates(
  db: Db,
): Promise<Record<"filling" | "serving" | "leaving", number>> {
  const rows = await db.execute<{ state: string; n: number }>(sql`
    select state, count(*)::int as n from search_placement group by 1`);
  const counts = Object.fromEntries(rows.map(({ state, n }) => [state, n]));
  return { filling: 0, serving: 0, leaving: 0, ...counts };
}

/** What Kurabe does not tell: the documents that a host has. */
export async function countAt(db: Db, { url }: SearchHost): Promise<number> {
  const [row] = await db.execute<{ index_uid: string }>(sql`
    select index_uid from mirror_index i join search_host h using (host)
    where h.url = ${url} and i.state = 'serving'`);
  return engineOf(url).countDocuments(row?.index_uid ?? "");
}

export async function readPlaces(db: Db): Promise<Set<string>> {
  const rows = await db.execute<{ place: string }>(sql`
    select bucket || ' ' || url as place from search_placement join search_host using (host)
    where state <> 'leaving'`);
  return new Set(rows.map((row) => row.place));
}

/** Compares every document of every host with the catalogue, and counts the differences. */
export async function differencesAtHosts(db: Db, indexPrefix: string): Promise<number> {
  const reports = await verifyAllHosts({ db, clock: systemClock, logger, engineOf, indexPrefix });
  return [...reports.values()].reduce(
    (sum, report) =>
      sum + (report && report !== "outdated" ? report.missing + report.stale + report.stray : 1),
    0,
  );
}

/** Changes prices of one shop's products, one after another. */
export function keepWriting(db: Db, shopId: string) {
  const stopping = new AbortController();
  let writes = 0;
  const done = (async () => {
    while (!stopping.signal.aborted) {
      await db.execute(sql`
        update product set price = price + 1, ver = ver + 1 where shop_id = ${shopId}`);
      writes += 1;
      await systemClock.sleep(100, stopping.signal);
    }
  })();
  // Whoever stops it is told; a test that failed before need not hear of it.
  done.catch(() => undefined);
  return async () => {
    stopping.abort();
    await done;
    return { writes };
  };
}
