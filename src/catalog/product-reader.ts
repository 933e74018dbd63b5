import type { Db } from "../db/open.ts";
import type { Cache } from "../lib/cache.ts";
import {
  readCatalogueState,
  readVersionedProducts,
  readVersions,
  type ProductRecord,
  type VersionedProduct,
} from "./products.ts";

export interface ReadProductsResult {
  /** By id, deleted products included; unknown ids are left out. */
  records: Map<number, ProductRecord>;
  /** In which all of them were so (see `readCatalogueState`); null where they stem from several. */
  state: string | null;
}

/**
 * As `readProducts` at the moment of asking or later; the same product unchanged is the same object.
 */
export type ReadProducts = (itemIds: readonly number[]) => Promise<ReadProductsResult>;

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
  const known = cache.open<Known>("product", keepMs, timesKept);
  const stateNow = createStateReader(() => readCatalogueState(db));

  async function readAnew(itemIds: readonly number[]): Promise<Known[]> {
    const { state, products } = await readVersionedProducts(db, itemIds);
    return [...products].map(([id, read]) => {
      const product = { ...read, state };
      known.set(String(id), product);
      return product;
    });
  }

  /** Those of them that still are as they were. */
  async function unchanged(products: readonly Known[]): Promise<Known[]> {
    const { state, versions } = await readVersions(
      db,
      products.map(({ record }) => record.itemId),
    );
    const same = products.filter(({ record, version }) => version === versions.get(record.itemId));
    for (const product of same) product.state = state;
    return same;
  }

  return async (itemIds) => {
    const records = new Map<number, ProductRecord>();
    if (itemIds.length === 0) return { records, state: null };
    const state = await stateNow();
    const unsure: Known[] = [];
    for (const id of itemIds) {
      const product = known.get(String(id));
      if (product && state !== null && product.state === state) records.set(id, product.record);
      else if (product) unsure.push(product);
    }
    let isOfState = true;
    const add = (products: readonly Known[]) => {
      for (const product of products) {
        records.set(product.record.itemId, product.record);
        isOfState &&= product.state === state;
      }
    };
    if (unsure.length > 0) add(await unchanged(unsure));
    const unread = itemIds.filter((id) => !records.has(id));
    if (unread.length > 0) add(await readAnew(unread));
    return { records, state: isOfState ? state : null };
  };
}

/**
 * `read`, one at a time, and once for all who ask before it begins: unlike with a cache, nobody is
 * given what was read before they asked.
 */
export function createStateReader<T>(read: () => Promise<T>): () => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | null = null;
  const begin = () => {
    next = null;
    return read();
  };
  return () => {
    next ??= last.then(begin, begin);
    last = next;
    return next;
  };
}
