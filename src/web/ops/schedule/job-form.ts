import { z } from "zod";
import type { ApiContext } from "../../../api/http/deps.ts";
import { type SeenJob, jobChange, type JobChange } from "../../../api/ops/actions/job-actions.ts";
import { given } from "../../../lib/given.ts";
import { readOrRefuse } from "../../../api/http/route.ts";
import { listJobs } from "../../../crawl/budget/jobs.ts";
import type { FormAction } from "../access/form-handler.ts";
import { byConsole, type ConsoleDeps, type Values } from "../shared/ops-page.ts";
import { typedNumber } from "../shared/typed-number.ts";

export function jobFormActions({ opsDb, actions }: ConsoleDeps): FormAction[] {
  const nameIn = (c: ApiContext) => c.req.param("name") ?? "";
  const ofJob = { tab: "schedule", at: nameIn } as const;
  return [
    {
      ...ofJob,
      path: "/ops/jobs/:name",
      done: () => "job_saved",
      async work(c, form) {
        const name = nameIn(c);
        if (form.intent === "check") return { kind: "trial", at: name, values: form };
        const seen = readSeen(form) ?? (await listJobs(opsDb)).find((known) => known.name === name);
        const change = readChange(form, seen);
        if (Object.keys(change).length > 0)
          await actions.changeJob(byConsole(c), name, change, seen);
        return null;
      },
    },
    {
      ...ofJob,
      path: "/ops/jobs/:name/run",
      done: () => "job_started",
      work: (c) => actions.runJob(byConsole(c), nameIn(c)).then(() => null),
    },
    {
      ...ofJob,
      path: "/ops/jobs/:name/stop",
      done: () => "run_stopped",
      work: (c) => actions.stopJob(byConsole(c), nameIn(c)).then(() => null),
    },
  ];
}

const seenJob = z.object({
  cron: z.string(),
  enabled: z.boolean(),
  settings: z.record(z.string(), z.unknown()),
});

/** The job as the operator saw it: what others changed since is not changed back. */
function readSeen(form: Values): SeenJob | null {
  try {
    return seenJob.parse(JSON.parse(form.seen ?? ""));
  } catch {
    return null;
  }
}

/** Only what differs from this job, so that the audit log shows what was changed. */
function readChange(form: Values, job: SeenJob | undefined): JobChange {
  const settings = Object.entries(form).flatMap(([field, text]) => {
    const [, name] = /^settings\.(\w+)$/.exec(field) ?? [];
    return name === undefined ? [] : [[name, typedNumber(text)] as const];
  });
  const change = readOrRefuse(jobChange, {
    cron: form.cron?.trim() ?? "",
    enabled: form.enabled !== undefined,
    settings: Object.fromEntries(settings),
  });
  const changed = Object.entries(change.settings ?? {}).filter(
    ([name, value]) => job?.settings[name] !== value,
  );
  return given({
    cron: change.cron === job?.cron ? undefined : change.cron,
    enabled: change.enabled === job?.enabled ? undefined : change.enabled,
    settings: changed.length === 0 ? undefined : Object.fromEntries(changed),
  });
}
