import { toJobSettings, type JobRecord } from "../../src/crawl/budget/jobs.ts";
import type { Db } from "../../src/db/open.ts";
import { must } from "../../src/lib/must.ts";
import { maintenanceTasks } from "../../src/service/worker/maintenance.ts";

const { signal } = new AbortController();
const tasksOf = (db: Db, now: Date, settings?: JobRecord["settings"]) =>
  maintenanceTasks(db, now, toJobSettings("housekeeping", settings));

/** Runs every maintenance task once, with these settings of the job; throws at the first failure. */
export async function runMaintenance(db: Db, now: Date, settings?: JobRecord["settings"]) {
  for (const task of tasksOf(db, now, settings)) await task.run(signal);
}

export async function runMaintenanceTask(db: Db, now: Date, name: string): Promise<void> {
  const task = tasksOf(db, now).find((one) => one.name === name);
  await must(task, "the task").run(signal);
}
