import { z } from "@hono/zod-openapi";
import type { JobRunRecord } from "../../crawl/budget/jobs.ts";
import { instantSchema } from "../http/schema-parts.ts";
import { toIso } from "../products/to-product.ts";

export const runSchema = z
  .object({
    id: z.int(),
    job: z.string(),
    trigger: z.enum(["cron", "manual", "startup"]),
    started_at: instantSchema,
    finished_at: instantSchema.nullable(),
    outcome: z
      .string()
      .nullable()
      .openapi({ description: "done, failed, or stopped by ops; null while it is active" }),
    error: z.string().nullable(),
    calls: z.int(),
  })
  .openapi("JobRun");

export function toRun(run: JobRunRecord): z.infer<typeof runSchema> {
  const { id, job, trigger, outcome, error, calls } = run;
  const times = { started_at: toIso(run.startedAt), finished_at: toIso(run.finishedAt) };
  return { id, job, trigger, ...times, outcome, error, calls };
}
