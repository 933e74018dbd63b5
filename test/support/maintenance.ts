import { toJobSettings, type JobRecord } from "../../src/crawl/budget/jobs.ts";
import type { Db } from "../../src/db/open.ts";
import { maintenanceTasks } from "../../src/service/worker/maintenance.ts";

/** Runs every maintenance task once, with these settings of the job; throws at the first failure. */
export async function runMaintenance(db: Db, now: Date, settings?: JobRecord["settings"]) {
  const { signal } = new AbortController();
  const tasks = maintenanceTasks(db, now, toJobSettings("housekeeping", settings));
  for (const task of tasks) await task.run(signal);
}
