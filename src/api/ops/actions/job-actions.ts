import {
  isCrawlJob,
  isJobName,
  startRun,
  stopRun,
  updateJob,
  type JobName,
  type JobRecord,
  type JobRunRecord,
} from "../../../crawl/budget/jobs.ts";
import type { ApiDeps } from "../../http/deps.ts";
import { refuse } from "../../http/problems/problem.ts";
import { invalid } from "../../http/route.ts";
import { toJobFaults, type JobChange } from "../crawl/job-change.ts";
import type { Actor, Audited } from "./audit-log.ts";

/** Changes of jobs, and runs by hand. Each answers 404 if there is no such job. */
export function createJobActions(cron: ApiDeps["cron"], audited: Audited) {
  return {
    changeJob: (by: Actor, name: string, change: JobChange): Promise<JobRecord> =>
      audited(
        by,
        { action: "change_job", subject: name, detail: { ...change } },
        async (tx, now) => {
          const job = knownName(name);
          const faults = toJobFaults(job, change, cron);
          if (faults.length > 0) throw invalid(faults);
          return (await updateJob(tx, job, change, now)) ?? unknownJob();
        },
      ),

    /** 409 if a run is already active; only one of several concurrent callers gets the run. */
    runJob: (by: Actor, name: string): Promise<JobRunRecord> =>
      audited(by, { action: "run_job", subject: name }, async (tx, now) => {
        const job = knownName(name);
        const run = await startRun(tx, job, "manual", now);
        return run ?? refuse(409, "run_active", `a run of ${job} is active already`);
      }),

    /** 409 if no manual run is active, or the job's runs cannot be stopped. */
    stopJob: (by: Actor, name: string): Promise<JobRunRecord> =>
      audited(by, { action: "stop_job", subject: name }, async (tx, now) => {
        const job = knownName(name);
        if (!isCrawlJob(job)) {
          const detail = `runs of ${job} cannot be stopped: they make no calls and end by themselves`;
          refuse(409, "run_not_stoppable", detail);
        }
        const detail = `no run of ${job} that was started by hand is active`;
        return (await stopRun(tx, job, now)) ?? refuse(409, "no_manual_run", detail);
      }),
  };
}

function knownName(name: string): JobName {
  return isJobName(name) ? name : unknownJob();
}

function unknownJob(): never {
  refuse(404, "job_not_found", "there is no such job");
}
