import type { Db } from "../db/open.ts";
import { createBoundedMap } from "../lib/bounded-map.ts";
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

const maxKept = 20_000;

interface Known extends VersionedProduct {
  /** When this was last seen to be the product's version. */
  state: string | null;
}

/**
 * Reads from Postgres only what it does not know: of known products the version of their rows, and
 * not even that while nothing at all was committed.
 */
export function createProductReader(db: Db): ReadProducts {
  const known = createBoundedMap<number, Known>(maxKept);

  /** Those of them that still are as they were. */
  async function unchanged(products: ReadonlyMap<number, Known>): Promise<Map<number, Known>> {
    if (products.size === 0) return new Map();
    const { state, versions } = await readVersions(db, [...products.keys()]);
    return new Map(
      [...products].flatMap(([id, product]) =>
        product.version === versions.get(id) ? [[id, { ...product, state }]] : [],
      ),
    );
  }

  async function readAnew(itemIds: readonly number[]): Promise<Map<number, Known>> {
    if (itemIds.length === 0) return new Map();
    const { state, products } = await readVersionedProducts(db, itemIds);
    return new Map([...products].map(([id, product]) => [id, { ...product, state }]));
  }

  return async (itemIds, state) => {
    const records = new Map<number, ProductRecord>();
    const unsure = new Map<number, Known>();
    for (const id of itemIds) {
      const product = known.get(id);
      if (product && state !== null && product.state === state) records.set(id, product.record);
      else if (product) unsure.set(id, product);
    }
    const take = (products: ReadonlyMap<number, Known>) => {
      for (const [id, product] of products) {
        records.set(id, product.record);
        known.set(id, product);
      }
    };
    take(await unchanged(unsure));
    take(await readAnew(itemIds.filter((id) => !records.has(id))));
    return records;
  };
}
