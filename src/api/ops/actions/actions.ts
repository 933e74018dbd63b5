import { replay, type ReplayScope } from "../../../alerts/delivery/report.ts";
import { retryNow } from "../../../crawl/backoff-list.ts";
import { pause, readCrawlState, resume, type CrawlState } from "../../../crawl/safety/pause.ts";
import {
  addKeyword,
  removeKeyword,
  updateKeyword,
  type Keyword,
} from "../../../crawl/learning/keywords.ts";
import {
  decide,
  undoDecision,
  type NewDecision,
  type StoredDecision,
} from "../../../matching/review/decisions.ts";
import type { ApiDeps } from "../../http/deps.ts";
import { refuse } from "../../http/problems/problem.ts";
import { type Actor, createAudited } from "./audit-log.ts";
import { createDeletionActions } from "./deletion-actions.ts";
import { createJobActions } from "./job-actions.ts";
import { createKeyActions } from "./key-actions.ts";
import { createListActions } from "./list-actions.ts";

type ActionDeps = Pick<ApiDeps, "opsDb" | "clock" | "cron" | "startRebuild" | "keys">;

export type OpsActions = ReturnType<typeof createOpsActions>;

/** All actions of operators, for the API and the console; all of them are audited. */
export function createOpsActions({ opsDb, clock, cron, startRebuild, keys }: ActionDeps) {
  const audited = createAudited({ opsDb, clock });

  return {
    ...createListActions({ opsDb, clock }, audited),
    ...createJobActions(cron, audited),
    ...createKeyActions(keys, audited),
    ...createDeletionActions({ opsDb, clock }, audited),

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
  };
}

function unknownKeyword(): never {
  refuse(404, "query_not_found", "there is no such keyword");
}
