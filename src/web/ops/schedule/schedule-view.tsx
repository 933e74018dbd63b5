import { listJobs, readLastRuns } from "../../../crawl/budget/jobs.ts";
import { JobCard, type JobState } from "./job-card.tsx";
import { refusedAt, type ConsoleDeps, type OpsPage, type View } from "../shared/ops-page.ts";

export function createSchedule({ opsDb, cron, budget }: ConsoleDeps): View {
  return async (page, c) => {
    const { o } = page;
    const jobs = await listJobs(opsDb);
    const states = await Promise.all(
      jobs.map(async (job): Promise<JobState> => {
        const draft = draftOf(page, job.name, c.req.query());
        const fault = draft === null ? null : cron.fault(draft);
        return {
          job,
          ...(await readLastRuns(opsDb, job.name)),
          nextRuns: job.enabled ? cron.nextRuns(job.cron, 3) : [],
          draft:
            draft === null
              ? null
              : { cron: draft, fault, nextRuns: fault === null ? cron.nextRuns(draft, 3) : [] },
        };
      }),
    );
    return (
      <>
        <h1>{o.tabs.schedule}</h1>
        <p class="quiet">{o.schedule.lead(budget.timezone)}</p>
        {states.map((state) => (
          <JobCard page={page} {...state} />
        ))}
      </>
    );
  };
}

const longestCron = 200;

/** An expression to preview from the address, or a refused one from the form. */
function draftOf(page: OpsPage, job: string, query: Record<string, string>): string | null {
  const preview = query.job === job ? query.cron : undefined;
  const draft = refusedAt(page, job)?.cron ?? preview;
  return draft === undefined ? null : draft.slice(0, longestCron);
}
