import type { Db } from "../db/open.ts";
import type { Engine } from "./engine.ts";
import { readServingIndex } from "./serving.ts";
import { locales } from "./settings.ts";

/**
 * The engine reads its Japanese dictionary at the first search after its start, which takes seconds:
 * this one keeps nobody waiting. That it fails tells nothing that the next search would not tell.
 */
export async function warmUp(db: Db, engine: Engine): Promise<void> {
  await Promise.allSettled([firstSearch(db, engine)]);
}

async function firstSearch(db: Db, engine: Engine): Promise<void> {
  const indexUid = await readServingIndex(db);
  if (indexUid !== null) await engine.search(indexUid, { q: "手作りの財布", locales, limit: 1 });
}
