/** A fixed order of items, of which some are present; finds the present item of any rank. */
export interface Ranks {
  readonly present: number;
  setPresent(item: number, present: boolean): void;
  /** Present items from rank `start` (0: the first), at most `size`. */
  window(start: number, size: number): number[];
}

export function createRanks(order: Int32Array): Ranks {
  const slotOf = new Map(Array.from(order, (item, slot) => [item, slot]));
  const here = new Uint8Array(order.length);
  const tree = new Int32Array(order.length + 1);
  const top = 2 ** Math.floor(Math.log2(Math.max(1, order.length)));
  let present = 0;

  function slotOfRank(rank: number): number {
    let slot = 0;
    let left = rank;
    for (let step = top; step > 0; step >>= 1) {
      const count = tree[slot + step];
      if (slot + step <= order.length && count !== undefined && count <= left) {
        slot += step;
        left -= count;
      }
    }
    return slot;
  }

  return {
    get present() {
      return present;
    },
    setPresent(item, isPresent) {
      const slot = slotOf.get(item) ?? 0;
      const change = (isPresent ? 1 : 0) - (here[slot] ?? 0);
      if (change === 0) return;
      here[slot] = isPresent ? 1 : 0;
      present += change;
      for (let i = slot + 1; i <= order.length; i += i & -i) tree[i] = (tree[i] ?? 0) + change;
    },
    window(start, size) {
      const items: number[] = [];
      for (let slot = slotOfRank(start); slot < order.length && items.length < size; slot += 1) {
        if (here[slot]) items.push(order[slot] ?? 0);
      }
      return items;
    },
  };
}
