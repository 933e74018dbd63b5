import { jobChange, toChange, type JobChange } from "../../api/ops/job-change.ts";
import { readOrRefuse } from "../../api/http/validation.ts";
import { listJobs, type JobRecord } from "../../crawl/budget/jobs.ts";
import type { FormAction } from "./form-action.ts";
import { byConsole, type ConsoleDeps, type Values } from "./ops-page.ts";

export function jobFormActions({ opsDb, actions }: ConsoleDeps): FormAction[] {
  return [
    {
      path: "/ops/jobs/:name",
      tab: "schedule",
      done: () => "job_saved",
      at: (c) => c.req.param("name") ?? "",
      async work(c, form) {
        const name = c.req.param("name") ?? "";
        if (form.intent === "check") return toTrial(name, form);
        const job = (await listJobs(opsDb)).find((known) => known.name === name);
        const change = readChange(form, job);
        if (Object.keys(change).length > 0) await actions.changeJob(byConsole(c), name, change);
        return null;
      },
    },
    {
      path: "/ops/jobs/:name/run",
      tab: "schedule",
      done: () => "job_started",
      at: (c) => c.req.param("name") ?? "",
      async work(c) {
        await actions.runJob(byConsole(c), c.req.param("name") ?? "");
        return null;
      },
    },
    {
      path: "/ops/jobs/:name/stop",
      tab: "schedule",
      done: () => "run_stopped",
      at: (c) => c.req.param("name") ?? "",
      async work(c) {
        await actions.stopJob(byConsole(c), c.req.param("name") ?? "");
        return null;
      },
    },
  ];
}

/** The address of the schedule that previews the next runs of an expression. */
function toTrial(job: string, { cron = "" }: Values): string {
  return `/ops/schedule?${new URLSearchParams({ job, cron }).toString()}#job-${encodeURIComponent(job)}`;
}

/** Only what differs from the present job, so that the audit log shows what was changed. */
function readChange(form: Values, job: JobRecord | undefined): JobChange {
  const settings = Object.entries(form).flatMap(([field, text]) => {
    const [, name] = /^settings\.(\w+)$/.exec(field) ?? [];
    return name === undefined ? [] : [[name, toNumber(text)] as const];
  });
  const change = toChange(
    readOrRefuse(jobChange, {
      cron: form.cron?.trim() ?? "",
      enabled: form.enabled !== undefined,
      settings: Object.fromEntries(settings),
    }),
  );
  const changed = Object.entries(change.settings ?? {}).filter(
    ([name, value]) => job?.settings[name] !== value,
  );
  return {
    ...(change.cron === undefined || change.cron === job?.cron ? {} : { cron: change.cron }),
    ...(change.enabled === undefined || change.enabled === job?.enabled
      ? {}
      : { enabled: change.enabled }),
    ...(changed.length === 0 ? {} : { settings: Object.fromEntries(changed) }),
  };
}

/** Other text is kept, so that the schema refuses it by name. */
function toNumber(text: string): number | string {
  return text.trim() === "" || Number.isNaN(Number(text)) ? text : Number(text);
}
