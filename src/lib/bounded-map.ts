export interface BoundedMap<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): void;
  delete(key: K): void;
}

/**
 * A map that holds at least the `most` values last set or asked for, and at most twice as many. Two
 * generations, because taking the oldest out of one Map walks over all that were deleted before it.
 */
export function createBoundedMap<K, V extends object>(most: number): BoundedMap<K, V> {
  let young = new Map<K, V>();
  let old = new Map<K, V>();

  function set(key: K, value: V): void {
    young.set(key, value);
    if (young.size < most) return;
    old = young;
    young = new Map();
  }

  return {
    set,
    get(key) {
      const value = young.get(key);
      if (value !== undefined) return value;
      const kept = old.get(key);
      if (kept !== undefined) set(key, kept);
      return kept;
    },
    delete(key) {
      young.delete(key);
      old.delete(key);
    },
  };
}
