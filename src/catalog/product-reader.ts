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
  /**
   * The catalogue state in which all of them were valid (see `readCatalogueState`); null if they come
   * from several states.
   */
  state: string | null;
}

/** Like `readProducts`, at the moment of the call or later. An unchanged product is the same object. */
export type ReadProducts = (itemIds: readonly number[]) => Promise<ReadProductsResult>;

const keepMs = 600_000;
/** Callers cache the JSON of a record too, which is about as large. */
const timesKept = 2;

interface Known extends VersionedProduct {
  /** The catalogue state in which this version was last confirmed. */
  state: string | null;
}

/**
 * Reads from Postgres only what the cache lacks. For cached products it reads the version of their
 * rows, and not even that while nothing was committed. All readers of one cache share its records.
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

  /** The cached records that are still valid. */
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
 * Calls `read` one at a time. All callers that arrive before a read begins share its result, so no
 * caller gets a value that is older than its call.
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
