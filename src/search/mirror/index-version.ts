import { sql } from "drizzle-orm";
import type { Db } from "../../db/open.ts";
import type { Cache } from "../../lib/cache.ts";

/** Differs from the last one when the mirror has sent or finished anything since. */
export type IndexVersion = () => Promise<string>;

const trustMs = 100;

/**
 * The mirror takes up a change within 250 ms, so what was computed under the present version misses
 * nothing that is older than about 350 ms and the time in which the version is read; a replaced index
 * has another version as well.
 */
export function createIndexVersion(db: Db, cache: Cache): IndexVersion {
  return cache.remember("index version", trustMs, () => readVersion(db));
}

async function readVersion(db: Db): Promise<string> {
  const [row] = await db.execute<{ version: string }>(sql`
    select concat_ws(' ', (select max(id) from mirror_batch),
      (select count(*) from mirror_batch where state in ('building', 'sent')),
      (select string_agg(index_uid, ' ') from mirror_index where state = 'serving')) as version`);
  return row?.version ?? "";
}
