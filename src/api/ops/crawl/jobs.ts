import { z } from "@hono/zod-openapi";
import {
  listJobs,
  readLastRuns,
  type JobRecord,
  type JobRunRecord,
} from "../../../crawl/budget/jobs.ts";
import { given } from "../../../lib/given.ts";
import { membersOf, toIso, toMembers } from "../../http/to-members.ts";
import {
  createRoutes,
  strict,
  instantSchema,
  jsonAnswer,
  objectAnswer,
  orNull,
  requiredJson,
  conflict,
  notFound,
  failure,
  textOrNull,
} from "../../http/route.ts";
import { byApi, type OpsContext, opsRoute } from "../context.ts";
import { jobChange } from "../actions/job-actions.ts";

export const runSchema = z
  .object({
    id: z.int(),
    job: z.string(),
    trigger: z.enum(["cron", "manual", "startup"]),
    started_at: instantSchema,
    finished_at: instantSchema.nullable(),
    outcome: textOrNull("done, failed, or stopped by ops; null while it is active"),
    error: z.string().nullable(),
    calls: z.int(),
  })
  .openapi("JobRun");

export const toRun = (run: JobRunRecord) => membersOf(runSchema, run);

const jobSchema = z
  .object({
    name: z.string(),
    cron: z.string(),
    enabled: z.boolean(),
    settings: z.record(z.string(), z.unknown()),
    updated_at: instantSchema,
    next_runs: z.array(instantSchema).describe("three; none while it is disabled"),
    active_run: orNull(runSchema),
    last_run: orNull(runSchema).describe("the last one that ended"),
  })
  .openapi("Job");

const params = strict({ name: z.string() });

const listRoute = opsRoute("get /jobs", {
  operationId: "listJobs",
  summary: "The schedule: expressions, next runs, last outcomes",
  responses: { 200: objectAnswer("Jobs", "JobList", { items: z.array(jobSchema) }) },
});

const changeRoute = opsRoute("patch /jobs/{name}", {
  operationId: "changeJob",
  summary: "Change a job; if any part is invalid, nothing is changed",
  request: { params, body: requiredJson(jobChange) },
  responses: { 200: jsonAnswer("The job as it is now", jobSchema), ...notFound },
});

const runRoute = opsRoute("post /jobs/{name}/run", {
  operationId: "runJob",
  summary:
    "Start a run at once, independent of cron; it keeps the budget, and the pace too after half of the day's calls",
  request: { params },
  responses: { 202: jsonAnswer("The run", runSchema), ...notFound, ...conflict },
});

const stopRoute = opsRoute("post /jobs/{name}/stop", {
  operationId: "stopJob",
  summary: "Stop a manual run of a crawl job: sent calls are finished, and no more are made for it",
  request: { params },
  responses: {
    200: jsonAnswer("The run as it ended", runSchema),
    ...notFound,
    409: failure("No active run can be stopped"),
  },
});

export function jobRoutes({ opsDb, cron, actions }: OpsContext) {
  const toJob = async (job: JobRecord): Promise<z.infer<typeof jobSchema>> => {
    const { active, last } = await readLastRuns(opsDb, job.name);
    return {
      ...toMembers(job),
      next_runs: job.enabled ? cron.nextRuns(job.cron, 3).map((at) => toIso(at)) : [],
      active_run: active && toRun(active),
      last_run: last && toRun(last),
    };
  };
  return createRoutes()
    .openapi(listRoute, async (c) =>
      c.json({ items: await Promise.all((await listJobs(opsDb)).map(toJob)) }, 200),
    )
    .openapi(changeRoute, async (c) => {
      const { name } = c.req.valid("param");
      const changed = await actions.changeJob(byApi(c), name, given(c.req.valid("json")));
      return c.json(await toJob(changed), 200);
    })
    .openapi(runRoute, async (c) => {
      const { name } = c.req.valid("param");
      return c.json(toRun(await actions.runJob(byApi(c), name)), 202);
    })
    .openapi(stopRoute, async (c) => {
      const { name } = c.req.valid("param");
      return c.json(toRun(await actions.stopJob(byApi(c), name)), 200);
    });
}
