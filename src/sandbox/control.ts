import type { CallLog } from "./search/calls.ts";
import type { FaultQueue } from "./search/faults.ts";
import { toSandboxItem, toSearchBody, withFields } from "./catalogue/item.ts";
import type { Order, Purchase } from "./market/orders.ts";
import type { Replay } from "./catalogue/replay.ts";
import type { World } from "./world.ts";

/**
 * Lets a test change the upstream without the API. Items have the format of section 2.1.
 * `createControlRoutes` offers the same over HTTP.
 */
export interface SandboxControl {
  item(itemId: number): Record<string, unknown> | null;
  /** Every product, hidden ones too, by id. */
  items(): Record<string, unknown>[];
  /** Adds a product or replaces it; throws a `ZodError` when it is not one. */
  add(item: unknown): void;
  /** Sets fields and stamps `modified` with the present second; a silent edit leaves `modified` alone. False: no such product. */
  edit(itemId: number, set: Record<string, unknown>, options?: { silent?: boolean }): boolean;
  hide(itemId: number): boolean;
  show(itemId: number): boolean;
  remove(itemId: number): boolean;
  /** Returns how many products were deleted. */
  removeShop(shopId: string): number;
  /** A customer's order; null if this cannot be bought now. */
  order(purchase: Purchase): Order | null;
  /** Resizes images and pays out what is due, now instead of at the next tick. */
  runBatches(): void;
  faults: FaultQueue;
  calls: CallLog;
  /** null when no changes file was given. */
  replay: Replay | null;
}

export function createControl(world: World, faults: FaultQueue, calls: CallLog): SandboxControl {
  const { catalog, market, replay, runBatches } = world;

  const edit: SandboxControl["edit"] = (itemId, set, { silent = false } = {}) => {
    const item = catalog.get(itemId);
    if (!item) return false;
    const stamp = silent ? {} : { modified: market.nowSeconds() };
    catalog.put(withFields(item, { ...stamp, ...set, item_id: itemId }));
    return true;
  };

  return {
    item(itemId) {
      const item = catalog.get(itemId);
      return item ? toSearchBody(item) : null;
    },
    items: () =>
      [...catalog.items()]
        .toSorted((a, b) => a.item_id - b.item_id)
        .map((item) => toSearchBody(item)),
    add: (item) => catalog.put(toSandboxItem(item)),
    edit,
    hide: (itemId) => edit(itemId, { visible: 0 }),
    show: (itemId) => edit(itemId, { visible: 1 }),
    remove: (itemId) => catalog.remove(itemId),
    removeShop: (shopId) => catalog.closeShop(shopId),
    order: (purchase) => market.orders.place(purchase),
    runBatches,
    faults,
    calls,
    replay,
  };
}
