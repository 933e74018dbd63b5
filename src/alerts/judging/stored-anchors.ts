import { sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/open.ts";
import { anyId, rowsOf } from "../../db/rows.ts";
import { storedQuery, type SavedQuery } from "../../db/schema.ts";
import { isExhausted, isOutage, transact } from "../../db/transact.ts";
import { createCache } from "../../lib/cache.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Logger } from "../../lib/logger.ts";
import {
  createWordFrequencies,
  type WordFrequencies,
} from "../../search/query/words/word-frequencies.ts";
import { anchorsOf, anchorsVersion, readFrequency, type Anchor } from "./anchors.ts";

/** The caller has locked these saved searches. */
export async function writeAnchors(
  tx: Tx,
  searches: readonly { savedSearchId: number; anchors: readonly Anchor[] }[],
): Promise<void> {
  const ids = searches.map(({ savedSearchId }) => savedSearchId);
  await tx.execute(sql`delete from saved_search_anchor where saved_search_id = ${anyId(ids)}`);
  const rows = searches.flatMap(({ savedSearchId, anchors }) =>
    anchors.map(({ kind, key, also }) => ({ kind, key, also, saved_search_id: savedSearchId })),
  );
  await tx.execute(sql`
    insert into saved_search_anchor (kind, key, also, saved_search_id)
    select kind, key, also, saved_search_id from ${rowsOf("saved_search_anchor", rows)}`);
  await tx.execute(sql`
    update saved_search set anchors_version = ${anchorsVersion} where saved_search_id = ${anyId(ids)}`);
}

/** Saved searches per transaction. */
const sliceSize = 500;

/**
 * Finds the anchors of saved searches anew that were written by a Kurabe which reads words in another way: by these, a
 * change could miss its searches. Each call renews a slice; the answer is whether all are renewed. Saved searches that
 * somebody changes meanwhile are left out, because their anchors are written with the change.
 */
export function createAnchorRenewal(deps: {
  db: Db;
  clock: Clock;
  logger: Logger;
}): () => Promise<boolean> {
  const { db, clock, logger } = deps;
  const readWords = createWordFrequencies(db, createCache(clock));
  let renewedTo = 0;
  let isDone = false;
  async function renewNext(): Promise<void> {
    const ids = await readNext(db, renewedTo);
    const last = ids.at(-1);
    if (last === undefined) {
      isDone = true;
      return;
    }
    const words = await readWords();
    await transact(db, clock, (tx) => renew(tx, words, ids));
    renewedTo = last;
  }
  return async () => {
    if (isDone) return true;
    try {
      await renewNext();
    } catch (error) {
      if (isOutage(error) || isExhausted(error)) throw error;
      logger.error({ err: error }, "saved searches keep the anchors of an earlier version");
      isDone = true;
    }
    return isDone;
  };
}

async function readNext(db: Db, after: number): Promise<number[]> {
  const rows = await db.execute<{ saved_search_id: number }>(sql`
    select saved_search_id from saved_search
    where saved_search_id > ${after} and anchors_version <> ${anchorsVersion}
    order by saved_search_id limit ${sliceSize}`);
  return rows.map((row) => row.saved_search_id);
}

async function renew(tx: Tx, words: WordFrequencies, ids: readonly number[]): Promise<void> {
  const rows = await tx.execute<{ saved_search_id: number; query: unknown }>(sql`
    select saved_search_id, query from saved_search
    where saved_search_id = ${anyId(ids)} and anchors_version <> ${anchorsVersion}
    order by saved_search_id for no key update skip locked`);
  const searches = rows.flatMap(({ saved_search_id: savedSearchId, query }) => {
    const { data } = storedQuery.safeParse(query);
    return data ? [{ savedSearchId, query: data as SavedQuery }] : [];
  });
  const frequency = await readFrequency(tx, words, {
    shop_id: searches.flatMap(({ query }) => query.shop_id ?? []),
    category: searches.flatMap(({ query }) => query.category ?? []),
  });
  await writeAnchors(
    tx,
    searches.map(({ savedSearchId, query }) => ({
      savedSearchId,
      anchors: anchorsOf(query, frequency),
    })),
  );
}
