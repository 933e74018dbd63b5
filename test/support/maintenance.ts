import type { Db } from "../../src/db/open.ts";
import { maintenanceTasks, type Retention } from "../../src/service/worker/maintenance.ts";

/** Runs every maintenance task once; throws at the first failure. */
export async function runMaintenance(db: Db, now: Date, retention: Retention): Promise<void> {
  const { signal } = new AbortController();
  for (const task of maintenanceTasks(db, now, retention)) await task.run(signal);
}
