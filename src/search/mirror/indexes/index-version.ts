import { sql } from "drizzle-orm";
import type { Db } from "../../../db/open.ts";
import type { Cache } from "../../../lib/cache.ts";

/** Returns another text once the mirror has sent or finished a write. */
export type IndexVersion = () => Promise<string>;

const trustMs = 100;

/**
 * The mirror sends a change within 250 ms. So an answer of the present version contains every change
 * older than about 350 ms. A replaced index has another version too.
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
