import {
  discardHeld,
  releaseHeld,
  type Decided,
  type HeldScope,
} from "../../../catalog/observing/held-deletions.ts";
import { endGuard } from "../../../catalog/observing/loss-guard.ts";
import { isShop } from "../../../catalog/shops.ts";
import type { Tx } from "../../../db/open.ts";
import { transact } from "../../../db/transact.ts";
import { given } from "../../../lib/given.ts";
import type { ApiDeps } from "../../http/deps.ts";
import { refuse } from "../../http/problems/problem.ts";
import type { Actor, Audited } from "./audit-log.ts";

/** Held deletions per transaction: locks are held for some hundred milliseconds. */
const SLICE = 1000;

/** Decisions about deletions that are held because they are so many. */
export function createDeletionActions(
  { opsDb, clock }: Pick<ApiDeps, "opsDb" | "clock">,
  audited: Audited,
) {
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
      if (scope.shopId !== undefined && !(await isShop(tx, scope.shopId))) {
        refuse(404, "shop_not_found", "no shop with this shop_id has ever been seen");
      }
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
    /** Returns how many took effect. Products that a later call has shown stay. */
    releaseDeletions: async (by: Actor, scope: HeldScope, heldBy?: Date): Promise<number> =>
      (await decideHeld(by, "release_deletions", scope, heldBy)).deleted,

    discardDeletions: async (by: Actor, scope: HeldScope, heldBy?: Date): Promise<number> =>
      (await decideHeld(by, "discard_deletions", scope, heldBy)).taken,
  };
}
