import type { Db } from "../../db/open.ts";
import type { Clock } from "../../lib/clock.ts";
import { EngineUnavailable, type Engine } from "../engine/engine.ts";
import { readServingIndex } from "../mirror/indexes/serving-index.ts";
import { locales } from "../index/settings.ts";

/** Finds almost nothing, but needs what every search needs: the dictionary and the index's settings. */
export const warmUpQuery = {
  q: "手作りの財布",
  locales,
  filter: "in_stock = true",
  sort: ["price:asc"],
  limit: 1,
};

const retryMs = 50;

/**
 * The engine reads its dictionary at the first search after its start, and before the very first start
 * there is no index: until this resolves, Postgres would answer searches. It does not wait for an
 * engine that does not answer or refuses.
 */
export async function warmUp(options: {
  db: Db;
  /** With a long timeout: the first search after the engine's start takes seconds. */
  engine: Engine;
  clock: Clock;
  signal: AbortSignal;
  indexPrefix: string;
  /** How long to wait for an index that is about to be created; 0 if none is expected. */
  indexWithinMs: number;
}): Promise<void> {
  const { db, engine, clock, signal, indexPrefix } = options;
  const startedMs = clock.monotonicMs();
  while (!signal.aborted) {
    const indexUid = await readServingIndex(db, indexPrefix);
    if (indexUid !== null && (await isAnswered(engine, indexUid))) return;
    if (clock.monotonicMs() - startedMs >= options.indexWithinMs) return;
    await clock.sleep(retryMs, signal);
  }
}

/** false: the index is registered, but the engine does not have it yet. */
async function isAnswered(engine: Engine, indexUid: string): Promise<boolean> {
  const [sent] = await Promise.allSettled([engine.search(indexUid, warmUpQuery)]);
  if (sent.status === "fulfilled") return true;
  return sent.reason instanceof EngineUnavailable;
}
