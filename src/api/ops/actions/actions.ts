import { removeWebhooksOf } from "../../../alerts/delivery/endpoints.ts";
import { replay, type ReplayScope } from "../../../alerts/delivery/report.ts";
import {
  discardHeld,
  releaseHeld,
  type Decided,
  type HeldScope,
} from "../../../catalog/observing/held-deletions.ts";
import { endGuard } from "../../../catalog/observing/loss-guard.ts";
import { retryNow } from "../../../crawl/backoff-list.ts";
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
import { pause, readCrawlState, resume, type CrawlState } from "../../../crawl/safety/pause.ts";
import {
  addKeyword,
  removeKeyword,
  updateKeyword,
  type Keyword,
} from "../../../crawl/learning/keywords.ts";
import type { Tx } from "../../../db/open.ts";
import { given } from "../../../lib/given.ts";
import { transact } from "../../../db/transact.ts";
import {
  createKey,
  mostKeys,
  revokeKey,
  type CreatedKey,
  type NewKey,
} from "../../../keys/stored-keys.ts";
import {
  decide,
  undoDecision,
  type NewDecision,
  type StoredDecision,
} from "../../../matching/review/decisions.ts";
import type { ApiDeps } from "../../http/deps.ts";
import { refuse } from "../../http/problems/problem.ts";
import { invalid } from "../../http/route.ts";
import { type Actor, type AuditEntry, createAudited } from "./audit-log.ts";
import { createListActions } from "./list-actions.ts";
import { toJobFaults, type JobChange } from "../crawl/job-change.ts";

/** Held deletions per transaction: locks are held for some hundred milliseconds. */
const SLICE = 1000;

type ActionDeps = Pick<ApiDeps, "opsDb" | "clock" | "cron" | "startRebuild" | "keys">;

export type OpsActions = ReturnType<typeof createOpsActions>;

/** All actions of operators, for the API and the console; all of them are audited. */
export function createOpsActions({ opsDb, clock, cron, startRebuild, keys }: ActionDeps) {
  const audited = createAudited({ opsDb, clock });

  /**
   * Decides about the deletions held by then, in several transactions; the first one contains the audit row.
   * Resets the guard once nothing is held. If the process dies before the end, the rest stays held.
   */
  async function decideHeld(
    by: Actor,
    action: "release_deletions" | "discard_deletions",
    scope: HeldScope,
    heldBy = clock.now(),
  ): Promise<Decided> {
    const decide = action === "release_deletions" ? releaseHeld : discardHeld;
    const total: Decided = { taken: 0, deleted: 0 };
    const isAll = scope.itemIds === undefined && scope.shopId === undefined;
    const step = async (tx: Tx, now: Date) => {
      const decided = await decide(tx, { scope, heldBy, limit: SLICE }, now);
      const isOver = decided.taken < SLICE && (isAll || total.taken + decided.taken > 0);
      if (isOver) await endGuard(tx, now);
      return decided;
    };
    const add = ({ taken, deleted }: Decided) => {
      total.taken += taken;
      total.deleted += deleted;
      return taken === SLICE;
    };
    const detail = given({ item_ids: scope.itemIds, shop_id: scope.shopId });
    let goesOn = add(await audited(by, { action, detail }, step));
    while (goesOn) goesOn = add(await transact(opsDb, clock, (tx) => step(tx, clock.now())));
    return total;
  }

  return {
    ...createListActions({ opsDb, clock }, audited),

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

    retryBackoff: (by: Actor, id: number): Promise<void> =>
      audited(by, { action: "retry_backoff", subject: String(id) }, async (tx, now) => {
        const isThere = await retryNow(tx, id, now);
        if (!isThere) refuse(404, "backoff_not_found", "this subject is not backing off any more");
      }),

    addKeyword: (by: Actor, request: { q: string; shopId: string | null }): Promise<Keyword> =>
      audited(by, { action: "add_query", detail: request }, async (tx, now) => {
        const added = await addKeyword(tx, { ...request, source: "ops" }, now);
        return added ?? refuse(409, "query_exists", "this keyword is in the list already");
      }),

    changeQuery: (by: Actor, id: number, change: { enabled: boolean }): Promise<Keyword> =>
      audited(by, { action: "change_query", subject: String(id), detail: change }, async (tx) => {
        return (await updateKeyword(tx, id, change)) ?? unknownKeyword();
      }),

    removeKeyword: (by: Actor, id: number): Promise<void> =>
      audited(by, { action: "remove_query", subject: String(id) }, async (tx, now) => {
        if (!(await removeKeyword(tx, id, now))) unknownKeyword();
      }),

    /** The only answer with the text of the key. This process accepts it from now on. */
    createKey: async (by: Actor, request: NewKey): Promise<CreatedKey> => {
      const entry: AuditEntry = { action: "create_key", detail: { ...request } };
      const created = await audited(by, entry, async (tx, now) => {
        const detail = `there are ${mostKeys} live keys already; revoke those that nobody uses`;
        const one = (await createKey(tx, request, now)) ?? refuse(409, "too_many_keys", detail);
        entry.subject = String(one.stored.keyId);
        return one;
      });
      await Promise.allSettled([keys.refresh()]);
      return created;
    },

    /** This process refuses it from now on, the others within seconds. Its webhooks end with it. */
    revokeKey: async (by: Actor, id: number): Promise<void> => {
      await audited(by, { action: "revoke_key", subject: String(id) }, async (tx, now) => {
        const isLive = await revokeKey(tx, id, now);
        if (!isLive) refuse(404, "key_not_found", "there is no such live key");
        await removeWebhooksOf(tx, id, now);
      });
      await Promise.allSettled([keys.refresh()]);
    },

    /** 404 if one of the products was never seen; 409 if another decision stands than may be replaced. */
    decideMatch: (by: Actor, request: NewDecision): Promise<StoredDecision> =>
      audited(by, { action: "decide_match", detail: { ...request } }, async (tx, now) => {
        const detail = "one of the products has never been seen";
        const stored = (await decide(tx, request, now)) ?? refuse(404, "product_not_found", detail);
        if (!("standing" in stored)) return stored;
        const { id, decision } = stored.standing;
        const other = `decision ${id} about the same products stands: ${decision}`;
        return refuse(409, "decision_stands", other);
      }),

    undoMatchDecision: (by: Actor, id: number): Promise<StoredDecision> =>
      audited(by, { action: "undo_match_decision", subject: String(id) }, async (tx, now) => {
        const undone = await undoDecision(tx, id, now);
        if (undone === "unknown") refuse(404, "decision_not_found", "there is no such decision");
        const detail = "a later decision about the same products has replaced it, or it was undone";
        return undone === "superseded" ? refuse(409, "decision_superseded", detail) : undone;
      }),

    setPaused: (by: Actor, paused: boolean): Promise<CrawlState> =>
      audited(by, { action: paused ? "pause" : "resume" }, async (tx, now) => {
        await (paused ? pause(tx, now) : resume(tx, now));
        return readCrawlState(tx);
      }),

    /** Returns how many messages are sent again. */
    replayDeliveries: (by: Actor, scope: ReplayScope): Promise<number> =>
      audited(by, { action: "replay_deliveries", detail: { ...scope } }, (tx, now) =>
        replay(tx, scope, now),
      ),

    /** Returns the name of the index being built, also if its build was already running. */
    startRebuild: (by: Actor): Promise<string> =>
      audited(by, { action: "rebuild_mirror" }, (tx) => startRebuild(tx)),

    /** Returns how many took effect. Products that a later call has shown stay. */
    releaseDeletions: async (by: Actor, scope: HeldScope, heldBy?: Date): Promise<number> =>
      (await decideHeld(by, "release_deletions", scope, heldBy)).deleted,

    discardDeletions: async (by: Actor, scope: HeldScope, heldBy?: Date): Promise<number> =>
      (await decideHeld(by, "discard_deletions", scope, heldBy)).taken,
  };
}

function knownName(name: string): JobName {
  return isJobName(name) ? name : unknownJob();
}

function unknownJob(): never {
  refuse(404, "job_not_found", "there is no such job");
}

function unknownKeyword(): never {
  refuse(404, "query_not_found", "there is no such keyword");
}
