import { sql } from "drizzle-orm";
import type { Db } from "../../../db/open.ts";
import type { Cache } from "../../../lib/cache.ts";
import { EngineUnavailable } from "../../engine/engine.ts";
import { defaultIndexPrefix } from "./indexes.ts";

/** Without `is_searched` it is being filled, and lacks products. */
async function readServing(db: Db, indexPrefix: string) {
  const [row] = await db.execute<{ index_uid: string; is_searched: boolean }>(sql`
    select index_uid, switched_at is not null as is_searched from mirror_index
    where state = 'serving' and starts_with(index_uid, ${indexPrefix})`);
  return row;
}

/** The index in service; null before the first one exists. */
export async function readServingIndex(
  db: Db,
  indexPrefix = defaultIndexPrefix,
): Promise<string | null> {
  return (await readServing(db, indexPrefix))?.index_uid ?? null;
}

/** The index in service of the only host; null also while it lacks products, so that Postgres answers. */
export async function readSearchedIndex(db: Db, indexPrefix: string): Promise<string | null> {
  const serving = await readServing(db, indexPrefix);
  return serving?.is_searched ? serving.index_uid : null;
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

/** Returns another text once the mirror has sent or finished a write. */
export type IndexVersion = () => Promise<string>;

const versionTrustMs = 100;

/**
 * The mirror sends a change within 250 ms. So an answer of the present version contains every change
 * older than about 350 ms. A replaced index has another version too.
 */
export function createIndexVersion(db: Db, cache: Cache): IndexVersion {
  return cache.remember("index version", versionTrustMs, () => readVersion(db));
}

async function readVersion(db: Db): Promise<string> {
  const [row] = await db.execute<{ version: string }>(sql`
    select concat_ws(' ', (select max(id) from mirror_batch),
      (select count(*) from mirror_batch where state in ('building', 'sent')),
      (select string_agg(index_uid, ' ') from mirror_index where state = 'serving')) as version`);
  return row?.version ?? "";
}
