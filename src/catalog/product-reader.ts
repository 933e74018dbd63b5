import type { Db } from "../db/open.ts";
import {
  readVersionedProducts,
  readVersions,
  type ProductRecord,
  type VersionedProduct,
} from "./products.ts";

/** As `readProducts`; the same product unchanged is the same object. */
export type ReadProducts = (itemIds: readonly number[]) => Promise<Map<number, ProductRecord>>;

const maxKept = 20_000;
const maxChecksAtOnce = 2;

interface Check {
  ids: Set<number>;
  versions: Promise<Map<number, string>>;
}

/**
 * Reads products as they are at this moment, and from Postgres only what it does not know: of known
 * ones just the version of their rows, in one statement for all who ask meanwhile. Nobody is given
 * an answer of a statement that began before they asked.
 */
export function createProductReader(db: Db): ReadProducts {
  /** In the order of their last use. */
  const known = new Map<number, VersionedProduct>();
  let underWay = 0;
  let next: Check | null = null;

  /** Joins the statement that is to begin next. */
  function check(itemIds: readonly number[]): Promise<Map<number, string>> {
    next ??= openCheck();
    for (const id of itemIds) next.ids.add(id);
    const { versions } = next;
    begin();
    return versions;
  }

  let release: (() => void) | null = null;

  function openCheck(): Check {
    const ids = new Set<number>();
    const turn = new Promise<void>((resolve) => (release = resolve));
    return { ids, versions: turn.then(() => readVersions(db, [...ids])) };
  }

  function begin(): void {
    if (!next || underWay >= maxChecksAtOnce) return;
    const { versions } = next;
    next = null;
    underWay += 1;
    release?.();
    const end = () => {
      underWay -= 1;
      begin();
    };
    versions.then(end, end);
  }

  function keep(id: number, product: VersionedProduct): ProductRecord {
    known.delete(id);
    known.set(id, product);
    const [oldest] = known.keys();
    if (known.size > maxKept && oldest !== undefined) known.delete(oldest);
    return product.record;
  }

  return async (itemIds) => {
    const wanted = itemIds.filter((id) => known.has(id));
    const versions = wanted.length > 0 ? await check(wanted) : new Map<number, string>();
    const records = new Map<number, ProductRecord>();
    const unknown: number[] = [];
    for (const id of itemIds) {
      const product = known.get(id);
      if (product && product.version === versions.get(id)) records.set(id, keep(id, product));
      else unknown.push(id);
    }
    if (unknown.length > 0) {
      const read = await readVersionedProducts(db, unknown);
      for (const [id, product] of read) records.set(id, keep(id, product));
    }
    return records;
  };
}
