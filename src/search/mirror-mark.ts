import { sql } from "drizzle-orm";
import type { Db } from "../db/open.ts";
import type { Clock } from "../lib/clock.ts";

/** Differs from the last one when the mirror has sent or finished anything since. */
export type MirrorMark = () => Promise<string>;

const trustMs = 100;

/**
 * The mirror takes up a change within 250 ms, so what was computed under the mark of now misses
 * nothing that is older than about 350 ms; a replaced index has another mark as well.
 */
export function createMirrorMark(db: Db, clock: Clock): MirrorMark {
  let known: { mark: Promise<string>; atMs: number } | null = null;
  return async () => {
    if (known && clock.monotonicMs() - known.atMs < trustMs) return known.mark;
    const asked = { mark: readMark(db), atMs: clock.monotonicMs() };
    known = asked;
    try {
      return await asked.mark;
    } catch (error) {
      if (known === asked) known = null;
      throw error;
    }
  };
}

async function readMark(db: Db): Promise<string> {
  const [row] = await db.execute<{ mark: string }>(sql`
    select concat_ws(' ', (select max(id) from mirror_batch),
      (select count(*) from mirror_batch where state in ('building', 'sent')),
      (select string_agg(index_uid, ' ') from mirror_index where state = 'serving')) as mark`);
  return row?.mark ?? "";
}
