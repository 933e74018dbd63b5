import type { Db } from "../../src/db/open.ts";
import { housekeepingTasks, type Retention } from "../../src/service/maintenance.ts";

/** Every task of housekeeping once; throws at the first that fails. */
export async function keepHouse(db: Db, now: Date, retention: Retention): Promise<void> {
  const { signal } = new AbortController();
  for (const task of housekeepingTasks(db, now, retention)) await task.run(signal);
}
