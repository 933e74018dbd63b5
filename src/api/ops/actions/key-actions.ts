import { removeWebhooksOf } from "../../../alerts/delivery/endpoints.ts";
import {
  createKey,
  mostKeys,
  revokeKey,
  type CreatedKey,
  type NewKey,
} from "../../../keys/stored-keys.ts";
import type { ApiDeps } from "../../http/deps.ts";
import { refuse } from "../../http/problems/problem.ts";
import type { Actor, AuditEntry, Audited } from "./audit-log.ts";

export function createKeyActions(keys: ApiDeps["keys"], audited: Audited) {
  return {
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
  };
}
