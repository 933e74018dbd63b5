import type { Db } from "../db/open.ts";
import type { Cache } from "../lib/cache.ts";
import { sizeOf } from "../lib/size.ts";
import {
  readVersionedProducts,
  readVersions,
  type ProductRecord,
  type VersionedProduct,
} from "./products.ts";

/**
 * As `readProducts`, for a caller to whom the catalogue is in `state` (see `CatalogueState`) or a
 * later one; the same product unchanged is the same object.
 */
export type ReadProducts = (
  itemIds: readonly number[],
  state: string | null,
) => Promise<Map<number, ProductRecord>>;

const keepMs = 600_000;
/** Whoever shows a record keeps its JSON beside it, which is about as large. */
const timesKept = 2;

interface Known extends VersionedProduct {
  /** When this was last seen to be the product's version. */
  state: string | null;
}

/**
 * Reads from Postgres only what it does not know: of known products the version of their rows, and
 * not even that while nothing at all was committed. All readers of one cache know the same.
 */
export function createProductReader(db: Db, cache: Cache): ReadProducts {
  const known = cache.open<Known>("product", keepMs);

  /** Those of them that still are as they were. */
  async function unchanged(products: ReadonlyMap<number, Known>): Promise<Known[]> {
    if (products.size === 0) return [];
    const { state, versions } = await readVersions(db, [...products.keys()]);
    const same = [...products].filter(([id, { version }]) => version === versions.get(id));
    return same.map(([, product]) => {
      product.state = state;
      return product;
    });
  }

  async function readAnew(itemIds: readonly number[]): Promise<Known[]> {
    if (itemIds.length === 0) return [];
    const { state, products } = await readVersionedProducts(db, itemIds);
    return [...products].map(([id, read]) => {
      const product = { ...read, state };
      known.set(String(id), product, timesKept * sizeOf(product));
      return product;
    });
  }

  return async (itemIds, state) => {
    const records = new Map<number, ProductRecord>();
    const unsure = new Map<number, Known>();
    for (const id of itemIds) {
      const product = known.get(String(id));
      if (product && state !== null && product.state === state) records.set(id, product.record);
      else if (product) unsure.set(id, product);
    }
    for (const { record } of await unchanged(unsure)) records.set(record.itemId, record);
    const unread = itemIds.filter((id) => !records.has(id));
    for (const { record } of await readAnew(unread)) records.set(record.itemId, record);
    return records;
  };
}
