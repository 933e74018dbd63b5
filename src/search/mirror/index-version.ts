import { sql } from "drizzle-orm";
import type { Db } from "../../db/open.ts";
import type { Cache } from "../../lib/cache.ts";

/** Differs from the last one when the mirror has sent or finished anything since. */
export type MirrorMark = () => Promise<string>;

const trustMs = 100;

/**
 * The mirror takes up a change within 250 ms, so what was computed under the mark of now misses
 * nothing that is older than about 350 ms and the time in which the mark is read; a replaced index
 * has another mark as well.
 */
export function createMirrorMark(db: Db, cache: Cache): MirrorMark {
  return cache.remember("mirror mark", trustMs, () => readMark(db));
}

async function readMark(db: Db): Promise<string> {
  const [row] = await db.execute<{ mark: string }>(sql`
    select concat_ws(' ', (select max(id) from mirror_batch),
      (select count(*) from mirror_batch where state in ('building', 'sent')),
      (select string_agg(index_uid, ' ') from mirror_index where state = 'serving')) as mark`);
  return row?.mark ?? "";
}
