import { discardHeldDeletions, releaseHeldDeletions } from "../../catalog/deletions.ts";
import { retryNow } from "../../crawl/backoff-list.ts";
import {
  isCrawlJob,
  isJobName,
  startRun,
  stopRun,
  updateJob,
  type JobName,
  type JobRecord,
  type JobRunRecord,
} from "../../crawl/jobs.ts";
import { pause, readCrawlState, resume, type CrawlState } from "../../crawl/pause.ts";
import { addQuery, removeQuery, updateQuery, type CrawlQuery } from "../../crawl/queries.ts";
import type { Tx } from "../../db/open.ts";
import type { ApiDeps } from "../deps.ts";
import { Problem } from "../problem.ts";
import { invalid } from "../validation.ts";
import { recordAction, type Actor, type AuditEntry } from "./audit-log.ts";
import { toJobFaults, type JobChange } from "./job-change.ts";

type ActionDeps = Pick<ApiDeps, "opsDb" | "clock" | "cron" | "startRebuild">;

export type OpsActions = ReturnType<typeof createOpsActions>;

/**
 * All that operators can do, by whichever door. Each action and its audit row commit together; what
 * is refused is thrown as a Problem and audited too.
 */
export function createOpsActions({ opsDb, clock, cron, startRebuild }: ActionDeps) {
  async function audited<T>(
    by: Actor,
    entry: AuditEntry,
    act: (tx: Tx, now: Date) => Promise<T>,
  ): Promise<T> {
    const now = clock.now();
    try {
      return await opsDb.transaction(async (tx) => {
        const result = await act(tx, now);
        await recordAction(tx, by, entry, now);
        return result;
      });
    } catch (error) {
      if (error instanceof Problem) {
        await recordAction(opsDb, by, { ...entry, code: error.details.code }, now);
      }
      throw error;
    }
  }

  return {
    changeJob: (by: Actor, name: string, change: JobChange): Promise<JobRecord> =>
      audited(
        by,
        { action: "change_job", subject: name, detail: { ...change } },
        async (tx, now) => {
          const job = knownName(name);
          const faults = toJobFaults(job, change, cron);
          if (faults.length > 0) throw invalid(faults);
          return (await updateJob(tx, job, change, now)) ?? refuse(unknownJob());
        },
      ),

    /** 409 when a run is active already; of any number of callers at once, one gets the run. */
    runJob: (by: Actor, name: string): Promise<JobRunRecord> =>
      audited(by, { action: "run_job", subject: name }, async (tx, now) => {
        const job = knownName(name);
        return (await startRun(tx, job, "manual", now)) ?? refuse(runActive(job));
      }),

    /** 409 when no run that was started by hand is active, or the job's runs cannot be stopped. */
    stopJob: (by: Actor, name: string): Promise<JobRunRecord> =>
      audited(by, { action: "stop_job", subject: name }, async (tx, now) => {
        const job = knownName(name);
        if (!isCrawlJob(job)) throw notStoppable(job);
        return (await stopRun(tx, job, now)) ?? refuse(noManualRun(job));
      }),

    retryBackoff: (by: Actor, id: number): Promise<void> =>
      audited(by, { action: "retry_backoff", subject: String(id) }, async (tx, now) => {
        if (!(await retryNow(tx, id, now))) throw unknownBackoff();
      }),

    addQuery: (by: Actor, wish: { q: string; shopId: string | null }): Promise<CrawlQuery> =>
      audited(by, { action: "add_query", detail: wish }, async (tx, now) => {
        return (await addQuery(tx, { ...wish, source: "ops" }, now)) ?? refuse(queryExists());
      }),

    changeQuery: (by: Actor, id: number, change: { enabled: boolean }): Promise<CrawlQuery> =>
      audited(by, { action: "change_query", subject: String(id), detail: change }, async (tx) => {
        return (await updateQuery(tx, id, change)) ?? refuse(unknownQuery());
      }),

    removeQuery: (by: Actor, id: number): Promise<void> =>
      audited(by, { action: "remove_query", subject: String(id) }, async (tx, now) => {
        if (!(await removeQuery(tx, id, now))) throw unknownQuery();
      }),

    setPaused: (by: Actor, paused: boolean): Promise<CrawlState> =>
      audited(by, { action: paused ? "pause" : "resume" }, async (tx, now) => {
        await (paused ? pause(tx, now) : resume(tx, now));
        return readCrawlState(tx);
      }),

    /** The name of the index being built; of the one under way when there is one. */
    startRebuild: (by: Actor): Promise<string> =>
      audited(by, { action: "rebuild_mirror" }, () => startRebuild()),

    releaseDeletions: (by: Actor): Promise<number> =>
      audited(by, { action: "release_deletions" }, (tx, now) => releaseHeldDeletions(tx, now)),

    discardDeletions: (by: Actor): Promise<number> =>
      audited(by, { action: "discard_deletions" }, (tx) => discardHeldDeletions(tx)),
  };
}

function refuse(problem: Problem): never {
  throw problem;
}

function knownName(name: string): JobName {
  return isJobName(name) ? name : refuse(unknownJob());
}

function unknownJob(): Problem {
  return new Problem({ status: 404, code: "job_not_found", detail: "there is no such job" });
}

function runActive(name: JobName): Problem {
  const detail = `a run of ${name} is active already`;
  return new Problem({ status: 409, code: "run_active", detail });
}

function noManualRun(name: JobName): Problem {
  const detail = `no run of ${name} that was started by hand is active`;
  return new Problem({ status: 409, code: "no_manual_run", detail });
}

function notStoppable(name: JobName): Problem {
  const detail = `runs of ${name} cannot be stopped: they make no calls and end by themselves`;
  return new Problem({ status: 409, code: "run_not_stoppable", detail });
}

function unknownBackoff(): Problem {
  const detail = "this subject is not backing off any more";
  return new Problem({ status: 404, code: "backoff_not_found", detail });
}

function unknownQuery(): Problem {
  return new Problem({ status: 404, code: "query_not_found", detail: "there is no such keyword" });
}

function queryExists(): Problem {
  const detail = "this keyword is in the list already";
  return new Problem({ status: 409, code: "query_exists", detail });
}
