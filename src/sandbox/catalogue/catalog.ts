import type { SandboxItem } from "./item.ts";

/** Called after every change; `after` is null for a deleted product. */
export interface CatalogWatcher {
  item?(before: SandboxItem | undefined, after: SandboxItem | null): void;
  shopClosed?(shopId: string): void;
}

export type Catalog = ReturnType<typeof createCatalog>;

/** All products of the upstream, in memory. */
export function createCatalog(initial: Iterable<SandboxItem>) {
  const byId = new Map<number, SandboxItem>();
  const byShop = new Map<string, Map<number, SandboxItem>>();
  const watchers: CatalogWatcher[] = [];
  let version = 0;

  const tell = (before: SandboxItem | undefined, after: SandboxItem | null) => {
    for (const watcher of watchers) watcher.item?.(before, after);
  };

  function takeOut(item: SandboxItem): void {
    byId.delete(item.item_id);
    const shop = byShop.get(item.shop_id);
    shop?.delete(item.item_id);
    if (shop?.size === 0) byShop.delete(item.shop_id);
    version += 1;
  }

  function remove(itemId: number): boolean {
    const item = byId.get(itemId);
    if (!item) return false;
    takeOut(item);
    tell(item, null);
    return true;
  }

  /** Adds a product, or replaces the one with its id. */
  function put(item: SandboxItem): void {
    const before = byId.get(item.item_id);
    if (before && before.shop_id !== item.shop_id) takeOut(before);
    byId.set(item.item_id, item);
    const shop = byShop.get(item.shop_id) ?? new Map<number, SandboxItem>();
    byShop.set(item.shop_id, shop.set(item.item_id, item));
    version += 1;
    tell(before, item);
  }

  for (const item of initial) put(item);
  return {
    /** Rises with every change. Results of another version may be stale. */
    get version() {
      return version;
    },
    get size() {
      return byId.size;
    },
    get: (itemId: number) => byId.get(itemId),
    items: (): Iterable<SandboxItem> => byId.values(),
    shopIds: () => byShop.keys(),
    ofShop: (shopId: string): Iterable<SandboxItem> => byShop.get(shopId)?.values() ?? [],
    put,
    remove,
    /** Returns how many products were deleted. */
    closeShop(shopId: string): number {
      const ids = [...(byShop.get(shopId)?.keys() ?? [])];
      for (const id of ids) remove(id);
      for (const watcher of watchers) watcher.shopClosed?.(shopId);
      return ids.length;
    },
    watch(watcher: CatalogWatcher): void {
      watchers.push(watcher);
    },
  };
}
