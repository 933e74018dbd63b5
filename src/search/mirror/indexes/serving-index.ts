import { sql } from "drizzle-orm";
import type { Db } from "../../../db/open.ts";
import type { Cache } from "../../../lib/cache.ts";
import { EngineUnavailable } from "../../engine/engine.ts";
import { defaultIndexPrefix } from "./indexes.ts";

interface ServingIndex {
  indexUid: string;
  /** false: it is being filled, and lacks products. */
  isSearched: boolean;
}

async function readServing(db: Db, indexPrefix: string): Promise<ServingIndex | null> {
  const [row] = await db.execute<{ index_uid: string; searched: boolean }>(sql`
    select index_uid, switched_at is not null as searched from mirror_index
    where state = 'serving' and starts_with(index_uid, ${indexPrefix})`);
  return row ? { indexUid: row.index_uid, isSearched: row.searched } : null;
}

/** The index in service; null before the first one exists. */
export async function readServingIndex(
  db: Db,
  indexPrefix = defaultIndexPrefix,
): Promise<string | null> {
  return (await readServing(db, indexPrefix))?.indexUid ?? null;
}

/** The index in service of the only host; null also while it lacks products, so that Postgres answers. */
export async function readSearchedIndex(db: Db, indexPrefix: string): Promise<string | null> {
  const serving = await readServing(db, indexPrefix);
  return serving?.isSearched ? serving.indexUid : null;
}

const trustMs = 1000;

/**
 * Returns what gives `readSearchedIndex`, read once a second. An outdated answer is harmless, because a
 * replaced index stays for a day. Throws EngineUnavailable where there is none.
 */
export function createServingIndex(
  db: Db,
  cache: Cache,
  indexPrefix = defaultIndexPrefix,
): () => Promise<string> {
  return cache.remember(`serving index ${indexPrefix}`, trustMs, async () => {
    const indexUid = await readSearchedIndex(db, indexPrefix);
    if (indexUid === null) throw new EngineUnavailable("no_index_yet");
    return indexUid;
  });
}
