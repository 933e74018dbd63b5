import { z } from "@hono/zod-openapi";
import { jobSettingsOf, type JobName } from "../../../crawl/budget/jobs.ts";
import type { Given } from "../../../lib/given.ts";
import { toCronFaultText } from "../../../crawl/budget/cron-fault.ts";
import type { CronPort } from "../../http/deps.ts";
import type { ParameterFault } from "../../http/problems/problem.ts";
import { strict } from "../../http/route.ts";

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
export function toJobFaults(
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
