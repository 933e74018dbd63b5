import { z } from "@hono/zod-openapi";
import {
  isCrawlJob,
  isJobName,
  lockJob,
  startRun,
  stopRun,
  updateJob,
  type JobName,
  type JobRecord,
  type JobRunRecord,
  jobSettingsOf,
} from "../../../crawl/budget/jobs.ts";
import type { Given } from "../../../lib/given.ts";
import { toCronFaultText } from "../../../crawl/budget/cron-fault.ts";
import type { ApiDeps, CronPort } from "../../http/deps.ts";
import { refuse, type ParameterFault } from "../../http/problems/problem.ts";
import { invalid, strict } from "../../http/route.ts";
import type { Actor, Audited } from "./audit-log.ts";

export const jobChange = strict({
  cron: z.string("must be a text").max(200, "must have at most 200 characters").optional(),
  enabled: z.boolean("must be true or false").optional(),
  settings: z
    .record(z.string(), z.number("must be a number"), "must be an object of numbers")
    .optional()
    .openapi({ description: "merged into the job's settings", example: { share: 0.5 } }),
})
  .refine((change) => Object.keys(change).length > 0, "must change something")
  .openapi("JobChange", {
    description: "cron: five fields, minute to day of week, in the upstream's time zone",
    example: { cron: "*/10 * * * *", enabled: true },
  });

export type JobChange = Given<z.infer<typeof jobChange>>;

/** All faults of a change for this job. */
function toJobFaults(
  name: JobName,
  change: JobChange,
  cron: Pick<CronPort, "fault">,
): ParameterFault[] {
  const cronFault = change.cron === undefined ? null : cron.fault(change.cron);
  return [
    ...(cronFault === null ? [] : [{ parameter: "cron", message: toCronFaultText(cronFault) }]),
    ...Object.entries(change.settings ?? {}).flatMap(([key, value]) => {
      const message = settingFault(name, key, value);
      return message === null ? [] : [{ parameter: `settings.${key.slice(0, 100)}`, message }];
    }),
  ];
}

function settingFault(name: JobName, key: string, value: number): string | null {
  const known = new Map(Object.entries(jobSettingsOf(name)));
  const bounds = known.get(key);
  if (!bounds)
    return `is not a setting of ${name}; known are: ${[...known.keys()].join(", ") || "none"}`;
  if (value >= bounds.min && value <= bounds.max) return null;
  return `must be from ${bounds.min} to ${bounds.max}`;
}

/** What a change can concern. */
export type SeenJob = Pick<JobRecord, "cron" | "enabled" | "settings">;

/** Changes of jobs, and runs by hand. Each answers 404 if there is no such job. */
export function createJobActions(cron: ApiDeps["cron"], audited: Audited) {
  return {
    /** 409 if the job differs from `seen` in what is changed, and not already as the change wants it. */
    changeJob: (by: Actor, name: string, change: JobChange, seen?: SeenJob): Promise<JobRecord> =>
      audited(
        by,
        { action: "change_job", subject: name, detail: { ...change } },
        async (tx, now) => {
          const job = knownName(name);
          const stored = (await lockJob(tx, job)) ?? unknownJob();
          if (seen && isContested(change, seen, stored))
            refuse(409, "job_changed", "another operator has changed the same of this job");
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

function isContested(change: JobChange, seen: SeenJob, stored: SeenJob): boolean {
  const [old, now] = [flat(seen), flat(stored)];
  return Object.entries(flat(change)).some(
    ([name, value]) => value !== undefined && old[name] !== now[name] && now[name] !== value,
  );
}

function flat({ cron, enabled, settings }: Partial<SeenJob>): Record<string, unknown> {
  return { ...settings, cron, enabled };
}

function knownName(name: string): JobName {
  return isJobName(name) ? name : unknownJob();
}

function unknownJob(): never {
  refuse(404, "job_not_found", "there is no such job");
}
