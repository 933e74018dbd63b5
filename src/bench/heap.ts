/** A queue of small integers by moment, each at most once; moments may be set anew at any time. */
export interface DueQueue {
  readonly size: number;
  set(id: number, at: number): void;
  remove(id: number): void;
  at(id: number): number;
  /** The `k` earliest, earliest first. */
  earliest(k: number): number[];
}

export function createDueQueue(capacity: number): DueQueue {
  const heap = new Int32Array(capacity);
  const place = new Int32Array(capacity).fill(-1);
  const moment = new Float64Array(capacity);
  let size = 0;

  const id = (slot: number) => heap[slot] ?? 0;
  const when = (slot: number) => moment[id(slot)] ?? 0;

  function put(slot: number, value: number): void {
    heap[slot] = value;
    place[value] = slot;
  }

  function rise(slot: number, value: number): void {
    const at = moment[value] ?? 0;
    let s = slot;
    while (s > 0) {
      const parent = (s - 1) >> 1;
      if (when(parent) <= at) break;
      put(s, id(parent));
      s = parent;
    }
    put(s, value);
  }

  function sink(slot: number, value: number): void {
    const at = moment[value] ?? 0;
    let s = slot;
    for (;;) {
      let child = 2 * s + 1;
      if (child >= size) break;
      if (child + 1 < size && when(child + 1) < when(child)) child += 1;
      if (when(child) >= at) break;
      put(s, id(child));
      s = child;
    }
    put(s, value);
  }

  function insert(frontier: number[], slot: number): void {
    const at = when(slot);
    let low = 0;
    let high = frontier.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (when(frontier[middle] ?? 0) > at) low = middle + 1;
      else high = middle;
    }
    frontier.splice(low, 0, slot);
  }

  return {
    get size() {
      return size;
    },
    set(value, at) {
      const slot = place[value] ?? -1;
      const before = moment[value] ?? 0;
      moment[value] = at;
      if (slot < 0) {
        size += 1;
        rise(size - 1, value);
      } else if (at < before) rise(slot, value);
      else sink(slot, value);
    },
    remove(value) {
      const slot = place[value] ?? -1;
      if (slot < 0) return;
      size -= 1;
      place[value] = -1;
      if (slot === size) return;
      const last = id(size);
      const wasAt = moment[value] ?? 0;
      if ((moment[last] ?? 0) < wasAt) rise(slot, last);
      else sink(slot, last);
    },
    at: (value) => moment[value] ?? 0,
    earliest(k) {
      const taken: number[] = [];
      // The slots that may come next, latest first: children of what was taken.
      const frontier = size > 0 ? [0] : [];
      while (taken.length < k) {
        const slot = frontier.pop();
        if (slot === undefined) break;
        taken.push(id(slot));
        for (const child of [2 * slot + 1, 2 * slot + 2]) {
          if (child < size) insert(frontier, child);
        }
      }
      return taken;
    },
  };
}
