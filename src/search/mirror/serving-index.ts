import { sql } from "drizzle-orm";
import type { Db } from "../../db/open.ts";
import type { Cache } from "../../lib/cache.ts";
import { EngineUnavailable } from "../engine/engine.ts";
import { defaultIndexPrefix } from "./indexes.ts";

/** The index that answers searches; null before the first one exists. */
export async function readServingIndex(
  db: Db,
  indexPrefix = defaultIndexPrefix,
): Promise<string | null> {
  const [row] = await db.execute<{ index_uid: string }>(sql`
    select index_uid from mirror_index
    where state = 'serving' and starts_with(index_uid, ${indexPrefix})`);
  return row?.index_uid ?? null;
}

const trustMs = 1000;

/**
 * The same, read once a second. An outdated answer is harmless, because a replaced index stays for a
 * day. Throws EngineUnavailable before the first one exists.
 */
export function createServingIndex(
  db: Db,
  cache: Cache,
  indexPrefix = defaultIndexPrefix,
): () => Promise<string> {
  return cache.remember(`serving index ${indexPrefix}`, trustMs, async () => {
    const indexUid = await readServingIndex(db, indexPrefix);
    if (indexUid === null) throw new EngineUnavailable("no_index_yet");
    return indexUid;
  });
}
