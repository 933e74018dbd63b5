import type { Db } from "../db/open.ts";
import {
  readVersionedProducts,
  readVersions,
  type ProductRecord,
  type VersionedProduct,
} from "./products.ts";
import type { CatalogueState } from "./state.ts";

/** As `readProducts`; the same product unchanged is the same object. */
export type ReadProducts = (itemIds: readonly number[]) => Promise<Map<number, ProductRecord>>;

const maxKept = 20_000;

interface Known extends VersionedProduct {
  /** When this was last seen to be the product's version. */
  state: string | null;
}

/**
 * Reads products as they are at this moment, and from Postgres only what it does not know: of known
 * ones the version of their rows, and not even that while nothing at all was committed.
 */
export function createProductReader(db: Db, stateNow: CatalogueState): ReadProducts {
  /** In the order of their last use. */
  const known = new Map<number, Known>();

  function keep(id: number, product: Known): void {
    known.delete(id);
    known.set(id, product);
    const [oldest] = known.keys();
    if (known.size > maxKept && oldest !== undefined) known.delete(oldest);
  }

  /** Those of them that are known as they are now. */
  async function recall(itemIds: readonly number[]): Promise<Map<number, Known>> {
    const kept = new Map(
      itemIds.flatMap((id) => {
        const product = known.get(id);
        return product ? [[id, product]] : [];
      }),
    );
    if (kept.size === 0) return kept;
    const now = await stateNow();
    const unsure = [...kept].filter(([, { state }]) => state === null || state !== now);
    if (unsure.length === 0) return kept;
    const { state, versions } = await readVersions(
      db,
      unsure.map(([id]) => id),
    );
    for (const [id, product] of unsure) {
      if (versions.get(id) === product.version) kept.set(id, { ...product, state });
      else kept.delete(id);
    }
    return kept;
  }

  return async (itemIds) => {
    const found = await recall(itemIds);
    const missing = itemIds.filter((id) => !found.has(id));
    if (missing.length > 0) {
      const { state, products } = await readVersionedProducts(db, missing);
      for (const [id, product] of products) found.set(id, { ...product, state });
    }
    for (const [id, product] of found) keep(id, product);
    return new Map([...found].map(([id, { record }]) => [id, record]));
  };
}
