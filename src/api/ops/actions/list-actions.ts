import { dropQuarantined, recheckQuarantined } from "../../../catalog/observing/quarantine.ts";
import { retryNow } from "../../../crawl/backoff-list.ts";
import { addKeyword, removeKeyword, updateKeyword } from "../../../crawl/learning/keywords.ts";
import { transact } from "../../../db/transact.ts";
import { resendDeadLetters } from "../../../search/mirror/writes/dead-letters.ts";
import type { ApiDeps } from "../../http/deps.ts";
import type { Actor, AuditEntry, Audited } from "./audit-log.ts";

type Ids = readonly number[];

/** Actions on several rows of a list at once. Each returns how many were still there. */
export function createListActions(
  { opsDb, clock }: Pick<ApiDeps, "opsDb" | "clock">,
  audited: Audited,
) {
  return {
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

    changeQueries: (
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

    addQueries: (
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

    resendDeadLetters: (by: Actor, itemIds: Ids): Promise<number> =>
      audited(by, { action: "resend_dead_letters", detail: { item_ids: itemIds } }, (tx) =>
        resendDeadLetters(tx, itemIds),
      ),
  };
}
