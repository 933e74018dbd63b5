import { isWebhook, removeWebhooksOf } from "../../../alerts/delivery/endpoints.ts";
import { replay, type ReplayScope } from "../../../alerts/delivery/report.ts";
import { dropQuarantined, recheckQuarantined } from "../../../catalog/observing/quarantine.ts";
import { retryNow } from "../../../crawl/backoff-list.ts";
import { pause, readCrawlState, resume, type CrawlState } from "../../../crawl/safety/pause.ts";
import {
  addKeyword,
  removeKeyword,
  updateKeyword,
  type Keyword,
} from "../../../crawl/learning/keywords.ts";
import { transact } from "../../../db/transact.ts";
import {
  createKey,
  createKeyText,
  findKey,
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
import { resendDeadLetters } from "../../../search/mirror/writes/dead-letters.ts";
import {
  discardHeld,
  releaseHeld,
  type Decided,
  type HeldScope,
} from "../../../catalog/observing/held-deletions.ts";
import { isShop } from "../../../catalog/shops.ts";
import { endGuard } from "../../../catalog/observing/loss-guard.ts";
import type { Tx } from "../../../db/open.ts";
import { given } from "../../../lib/given.ts";
import type { ApiDeps } from "../../http/deps.ts";
import { refuse } from "../../http/problems/problem.ts";
import { type Actor, type AuditEntry, createAudited, type Audited } from "./audit-log.ts";
import { createJobActions } from "./job-actions.ts";

type Ids = readonly number[];

type ActionDeps = Pick<ApiDeps, "opsDb" | "clock" | "cron" | "startRebuild" | "keys">;

export type OpsActions = ReturnType<typeof createOpsActions>;

/**
 * All actions of operators, for the API and the console; all of them are audited. Those on several rows of a
 * list return how many were still there.
 */
export function createOpsActions({ opsDb, clock, cron, startRebuild, keys }: ActionDeps) {
  const audited = createAudited({ opsDb, clock });

  return {
    ...createJobActions(cron, audited),
    ...createDeletionActions({ opsDb, clock }, audited),

    retryBackoff: (by: Actor, id: number): Promise<void> =>
      audited(by, { action: "retry_backoff", subject: String(id) }, async (tx, now) => {
        const isThere = await retryNow(tx, id, now);
        if (!isThere) refuse(404, "backoff_not_found", "this subject is not backing off any more");
      }),

    /** A transaction for each, because each locks a shop before its product; the first has the audit row. */
    retryBackoffs: async (by: Actor, ids: Ids): Promise<number> => {
      const [first, ...others] = ids;
      if (first === undefined) return 0;
      const done = [
        await audited(by, { action: "retry_backoff", detail: { ids } }, (tx, now) =>
          retryNow(tx, first, now),
        ),
      ];
      for (const id of others) {
        done.push(await transact(opsDb, clock, (tx) => retryNow(tx, id, clock.now())));
      }
      return done.filter(Boolean).length;
    },

    recheckQuarantined: (by: Actor, ids: Ids): Promise<number> =>
      audited(by, { action: "recheck_quarantined", detail: { ids } }, (tx, now) =>
        recheckQuarantined(tx, ids, now),
      ),

    dropQuarantined: (by: Actor, ids: Ids): Promise<number> =>
      audited(by, { action: "drop_quarantined", detail: { ids } }, (tx) =>
        dropQuarantined(tx, ids),
      ),

    addKeyword: (by: Actor, request: { q: string; shopId: string | null }): Promise<Keyword> =>
      audited(by, { action: "add_query", detail: request }, async (tx, now) => {
        const added = await addKeyword(tx, { ...request, source: "ops" }, now);
        return added ?? refuse(409, "query_exists", "this keyword is in the list already");
      }),

    addKeywords: (
      by: Actor,
      { texts, shopId }: { texts: readonly string[]; shopId: string | null },
    ): Promise<{ added: number; known: number }> =>
      audited(by, { action: "add_query", detail: { texts, shopId } }, async (tx, now) => {
        const words = [...new Set(texts)].toSorted();
        let added = 0;
        for (const q of words) {
          if (await addKeyword(tx, { q, shopId, source: "ops" }, now)) added += 1;
        }
        return { added, known: words.length - added };
      }),

    changeKeyword: (by: Actor, id: number, change: { enabled: boolean }): Promise<Keyword> =>
      audited(by, { action: "change_query", subject: String(id), detail: change }, async (tx) => {
        return (await updateKeyword(tx, id, change)) ?? unknownKeyword();
      }),

    changeKeywords: (
      by: Actor,
      { ids, change }: { ids: Ids; change: "enable" | "disable" | "remove" },
    ): Promise<number> => {
      const enabled = change === "enable";
      const entry: AuditEntry =
        change === "remove"
          ? { action: "remove_query", detail: { ids } }
          : { action: "change_query", detail: { ids, enabled } };
      return audited(by, entry, async (tx, now) => {
        let changed = 0;
        // In the order of their ids, so that two such changes do not block each other.
        for (const id of [...new Set(ids)].toSorted((a, b) => a - b)) {
          const isDone =
            change === "remove"
              ? await removeKeyword(tx, id, now)
              : (await updateKeyword(tx, id, { enabled })) !== null;
          if (isDone) changed += 1;
        }
        return changed;
      });
    },

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
      audited(by, { action: "replay_deliveries", detail: { ...scope } }, async (tx, now) => {
        if (
          "from" in scope &&
          scope.webhookId !== undefined &&
          !(await isWebhook(tx, scope.webhookId))
        ) {
          refuse(404, "webhook_not_found", "there is no such webhook");
        }
        return replay(tx, scope, now);
      }),

    /** Returns the name of the index being built, also if its build was already running. */
    startRebuild: (by: Actor): Promise<string> =>
      audited(by, { action: "rebuild_mirror" }, (tx) => startRebuild(tx)),

    resendDeadLetters: (by: Actor, itemIds: Ids): Promise<number> =>
      audited(by, { action: "resend_dead_letters", detail: { item_ids: itemIds } }, (tx) =>
        resendDeadLetters(tx, itemIds),
      ),

    /** The only answer with the text of the key. This process accepts it from now on. The same text makes no second key. */
    createKey: async (by: Actor, request: NewKey, text = createKeyText()): Promise<CreatedKey> => {
      const same = await findKey(opsDb, text);
      if (same) return same.revokedAt === null ? { stored: same, text } : unknownKey();
      const entry: AuditEntry = { action: "create_key", detail: { ...request } };
      const created = await audited(by, entry, async (tx, now) => {
        const detail = `there are ${mostKeys} live keys already; revoke those that nobody uses`;
        const one =
          (await createKey(tx, { ...request, text }, now)) ?? refuse(409, "too_many_keys", detail);
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
        if (!isLive) unknownKey();
        await removeWebhooksOf(tx, id, now);
      });
      await Promise.allSettled([keys.refresh()]);
    },
  };
}

function unknownKey(): never {
  refuse(404, "key_not_found", "there is no such live key");
}

function unknownKeyword(): never {
  refuse(404, "query_not_found", "there is no such keyword");
}

type DecidedAndGuard = Decided & {
  /** Whether deletions are no longer held from now on. */
  endedGuard: boolean;
};

/** Held deletions per transaction: locks are held for some hundred milliseconds. */
const sliceSize = 1000;

/** Decisions about deletions that are held because they are so many. */
function createDeletionActions(
  { opsDb, clock }: Pick<ApiDeps, "opsDb" | "clock">,
  audited: Audited,
) {
  /**
   * Decides about the deletions held by then, in several transactions; the first one contains the audit row.
   * Resets the guard once nothing is held. If the process dies before the end, the rest stays held.
   */
  const decideHeld =
    (action: "release_deletions" | "discard_deletions", decide: typeof releaseHeld) =>
    async (by: Actor, scope: HeldScope, heldBy = clock.now()): Promise<DecidedAndGuard> => {
      const total = { taken: 0, deleted: 0, endedGuard: false };
      const isAll = scope.itemIds === undefined && scope.shopId === undefined;
      const step = async (tx: Tx, now: Date) => {
        if (scope.shopId !== undefined && !(await isShop(tx, scope.shopId))) {
          refuse(404, "shop_not_found", "no shop with this shop_id has ever been seen");
        }
        const decided = await decide(tx, { scope, heldBy, limit: sliceSize }, now);
        const isOver = decided.taken < sliceSize && (isAll || total.taken + decided.taken > 0);
        return { ...decided, endedGuard: isOver && (await endGuard(tx, now)) };
      };
      const add = ({ taken, deleted, endedGuard }: DecidedAndGuard) => {
        total.taken += taken;
        total.deleted += deleted;
        total.endedGuard ||= endedGuard;
        return taken === sliceSize;
      };
      const detail = given({ item_ids: scope.itemIds, shop_id: scope.shopId });
      let goesOn = add(await audited(by, { action, detail }, step));
      while (goesOn) goesOn = add(await transact(opsDb, clock, (tx) => step(tx, clock.now())));
      return total;
    };

  return {
    /** Products that a later call has shown stay. */
    releaseDeletions: decideHeld("release_deletions", releaseHeld),
    discardDeletions: decideHeld("discard_deletions", discardHeld),
  };
}
