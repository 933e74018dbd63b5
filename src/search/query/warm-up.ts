import type { Db } from "../../db/open.ts";
import type { Clock } from "../../lib/clock.ts";
import { EngineUnavailable, type Engine } from "../engine/engine.ts";
import { readServingIndex } from "../mirror/serving-index.ts";
import { locales } from "../index/settings.ts";

/** Finds next to nothing, and needs what all searches need: the engine's dictionary, and the index's settings. */
export const warmUpQuery = {
  q: "手作りの財布",
  locales,
  filter: "in_stock = true",
  sort: ["price:asc"],
  limit: 1,
};

export interface WarmUpOptions {
  db: Db;
  /** Patient: the first search after the engine's start takes seconds. */
  engine: Engine;
  clock: Clock;
  signal: AbortSignal;
  /** How long an index is waited for that is about to be made; 0 where nobody is known to make one. */
  indexWithinMs: number;
}

const retryMs = 50;

/**
 * The engine reads its dictionary at the first search after its start, and on the first start of all
 * there is no index yet: until this resolves, searches would be answered by Postgres. An engine that
 * does not answer is not waited for, nor is one that refuses.
 */
export async function warmUp(options: WarmUpOptions): Promise<void> {
  const { db, engine, clock, signal } = options;
  const startedMs = clock.monotonicMs();
  while (!signal.aborted) {
    const indexUid = await readServingIndex(db);
    if (indexUid !== null && (await isAnswered(engine, indexUid))) return;
    if (clock.monotonicMs() - startedMs >= options.indexWithinMs) return;
    await clock.sleep(retryMs, signal);
  }
}

/** false: the index is entered, and the engine does not have it yet. */
async function isAnswered(engine: Engine, indexUid: string): Promise<boolean> {
  const [sent] = await Promise.allSettled([engine.search(indexUid, warmUpQuery)]);
  if (sent.status === "fulfilled") return true;
  return sent.reason instanceof EngineUnavailable;
}
