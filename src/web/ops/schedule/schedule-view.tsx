import {
  isCrawlJob,
  isJobName,
  jobSettingsOf,
  type JobRecord,
  type JobRunRecord,
  listJobs,
  readLastRuns,
} from "../../../crawl/budget/jobs.ts";
import type { CronFault } from "../../../crawl/budget/cron-fault.ts";
import { Action, FormToken, NoticeLine } from "../shared/frame.tsx";
import {
  mayOperate,
  nameOf,
  refusedAt,
  typedAt,
  type OpsPage,
  type ConsoleDeps,
  type View,
} from "../shared/ops-page.ts";
import { Moment } from "../shared/cells.tsx";

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
  const draft = typedAt(page, job)?.cron ?? preview;
  return draft === undefined ? null : draft.slice(0, longestCron);
}

interface JobState {
  job: JobRecord;
  active: JobRunRecord | null;
  last: JobRunRecord | null;
  nextRuns: readonly Date[];
  /** An expression that is previewed or was refused; not saved. */
  draft: { cron: string; fault: CronFault | null; nextRuns: readonly Date[] } | null;
}

function JobCard({ page, ...state }: JobState & { page: OpsPage }) {
  const { o } = page;
  const { job, active } = state;
  return (
    <section class="card panel job" id={`job-${job.name}`} aria-labelledby={`${job.name}-heading`}>
      <header>
        <h2 id={`${job.name}-heading`}>
          <code>{job.name}</code>
        </h2>
        <p class="quiet">{nameOf(o.schedule.jobs, job.name)}</p>
      </header>
      <NoticeLine
        page={page}
        at={job.name}
        words={cronWords(page, state.draft)}
        names={fieldNames(page)}
      />
      <div class="job-parts">
        <JobForm page={page} {...state} />
        <div class="job-runs">
          <div id={`runs-${job.name}`} data-live>
            <Runs page={page} {...state} />
          </div>
          {!active && (
            <Action
              page={page}
              to={`/ops/jobs/${job.name}/run`}
              label={o.schedule.run}
              about={job.name}
            />
          )}
        </div>
      </div>
    </section>
  );
}

function JobForm({ page, job, draft }: JobState & { page: OpsPage }) {
  const { o } = page;
  const refused = refusedAt(page, job.name);
  const typed = typedAt(page, job.name);
  const bounds = isJobName(job.name) ? Object.entries(jobSettingsOf(job.name)) : [];
  const cronId = `cron-${job.name}`;
  const { cron, settings } = job;
  const seen = typed?.seen ?? JSON.stringify({ cron, enabled: job.enabled, settings });
  const enabled = typed ? typed.enabled !== undefined : job.enabled;
  return (
    <form
      method="post"
      action={`/ops/jobs/${job.name}#job-${job.name}`}
      class="job-form"
      data-cron={job.name}
    >
      <FormToken page={page} />
      <input type="hidden" name="seen" value={seen} />
      <fieldset class="bare" disabled={!mayOperate(page)}>
        <label for={cronId}>{o.schedule.cron}</label>
        <input
          id={cronId}
          name="cron"
          value={draft?.cron ?? job.cron}
          class="cron"
          required
          maxlength={200}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          aria-describedby={refused ? "notice" : `draft-${job.name}`}
          {...(draft?.fault ? { "aria-invalid": "true" } : {})}
        />
        <div id={`draft-${job.name}`} aria-live="polite">
          {draft && !refused && <Draft page={page} draft={draft} />}
        </div>
        <label class="switch">
          <input type="checkbox" name="enabled" checked={enabled} /> {o.schedule.enabled}
        </label>
        {bounds.length > 0 && (
          <details open={typed !== null && (refused === null || draft?.fault === null)}>
            <summary>{o.schedule.settings}</summary>
            {bounds.map(([name, { min, max }]) => (
              <label class="setting">
                <span>
                  {nameOf(o.schedule.settingNames, name)}{" "}
                  <span class="fine">{o.schedule.range(String(min), String(max))}</span>
                </span>
                <input
                  name={`settings.${name}`}
                  inputmode="decimal"
                  value={typed?.[`settings.${name}`] ?? toText(job.settings[name])}
                />
              </label>
            ))}
          </details>
        )}
        <p class="buttons">
          <button aria-label={`${o.schedule.save}: ${job.name}`}>{o.schedule.save}</button>
          <button
            class="plain unscripted"
            name="intent"
            value="check"
            aria-label={`${o.schedule.check}: ${job.name}`}
          >
            {o.schedule.check}
          </button>
        </p>
      </fieldset>
    </form>
  );
}

/** The reason for a refused expression in the reader's language; the API's text is English. */
function cronWords({ o }: OpsPage, draft: JobState["draft"]): Record<string, string> {
  return draft?.fault ? { cron: o.schedule.cronFault(draft.fault) } : {};
}

function fieldNames({ o: { schedule } }: OpsPage): Record<string, string> {
  const settings = Object.entries(schedule.settingNames);
  return Object.fromEntries(settings.map(([name, text]) => [`settings.${name}`, text]));
}

function toText(setting: unknown): string {
  return typeof setting === "number" ? String(setting) : "";
}

function Draft({ page, draft }: { page: OpsPage; draft: NonNullable<JobState["draft"]> }) {
  const { o } = page;
  if (draft.fault !== null) {
    return (
      <p class="notice warn">
        {o.schedule.badCron} {o.schedule.cronFault(draft.fault)}
      </p>
    );
  }
  return (
    <div class="notice">
      {o.schedule.nextDraft}: <Times page={page} times={draft.nextRuns} />
    </div>
  );
}

function Runs({ page, job, active, last, nextRuns }: JobState & { page: OpsPage }) {
  const { o, f } = page;
  return (
    <dl class="lines">
      <dt>{o.schedule.next}</dt>
      <dd>
        {job.enabled ? <Times page={page} times={nextRuns} /> : <span>{o.schedule.disabled}</span>}
      </dd>
      {active && (
        <>
          <dt>{o.schedule.running}</dt>
          <dd>
            <span class="tag good">{o.schedule.since(f.time(active.startedAt))}</span>
            {active.trigger === "manual" && isCrawlJob(job.name) && (
              <Action
                page={page}
                to={`/ops/jobs/${job.name}/stop`}
                label={o.schedule.stop}
                about={job.name}
              />
            )}
          </dd>
        </>
      )}
      {(last !== null || active === null) && (
        <>
          <dt>{o.schedule.last}</dt>
          <dd>
            {last === null ? (
              <span class="quiet">{o.schedule.never}</span>
            ) : (
              <LastRun page={page} last={last} />
            )}
          </dd>
        </>
      )}
    </dl>
  );
}

function LastRun({ page: { o, f }, last }: { page: OpsPage; last: JobRunRecord }) {
  return (
    <>
      <span class={last.outcome === "failed" ? "tag sale" : "tag"}>
        {nameOf(o.schedule.outcomes, last.outcome ?? "")}
      </span>{" "}
      {f.ago(last.finishedAt ?? last.startedAt)}
      {last.error !== null && (
        <span class="fine" lang="en">
          {" "}
          {last.error}
        </span>
      )}
    </>
  );
}

function Times({ page: { f }, times }: { page: OpsPage; times: readonly Date[] }) {
  return (
    <ul class="times">
      {times.map((at) => (
        <li>
          <Moment at={at} text={f.nearby(at)} />
        </li>
      ))}
    </ul>
  );
}
