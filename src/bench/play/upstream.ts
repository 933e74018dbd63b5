import { batchSize } from "../../crawl/scoring/scoring.ts";
import { createRandom } from "../../lib/random.ts";
import { addition, deletion, silentEdit, type World } from "../worlds/world.ts";

/** By `modified`, by item id (newest: the highest first), by order count. */
export type SearchOrder = "modified" | "newest" | "oldest" | "popular";

export type Upstream = ReturnType<typeof createUpstream>;

/** The upstream in memory: it answers as the API does, from the state of the simulated moment. */
export function createUpstream(world: World) {
  const live = Uint8Array.from(world.liveAtStart);
  const content = Int32Array.from(world.contentAtStart);
  const modified = Float64Array.from(world.modifiedAtStart);
  const popularity = popularityOf(world);
  const keywords = itemsByKeyword(world).map((found) => {
    const items = Int32Array.from(found);
    return {
      newest: createRanks(items.toReversed()),
      popular: createRanks(
        Int32Array.from(items).sort((a, b) => (popularity[b] ?? 0) - (popularity[a] ?? 0)),
      ),
      /** Updates of `modified`, oldest first; only an item's latest entry counts, the one of its slot. */
      log: [...items]
        .filter((item) => live[item])
        .sort((a, b) => (modified[a] ?? 0) - (modified[b] ?? 0)),
      logSlot: new Map<number, number>(),
    };
  });
  for (const keyword of keywords) {
    for (const [slot, item] of keyword.log.entries()) {
      keyword.logSlot.set(item, slot);
      keyword.newest.setPresent(item, true);
      keyword.popular.setPresent(item, true);
    }
  }
  const { events } = world;
  let next = 0;

  function apply(index: number): void {
    const item = events.item[index] ?? 0;
    const kind = events.kind[index] ?? 0;
    const finders = (world.keywordsOf[item] ?? []).flatMap((k) => keywords[k] ?? []);
    if (kind === deletion) live[item] = 0;
    else content[item] = events.content[index] ?? 0;
    if (kind === addition) live[item] = 1;
    if (kind === addition || kind === deletion) {
      for (const { newest, popular } of finders) {
        newest.setPresent(item, kind === addition);
        popular.setPresent(item, kind === addition);
      }
    }
    if (kind === deletion || kind === silentEdit) return;
    modified[item] = events.at[index] ?? 0;
    for (const { log, logSlot } of finders) logSlot.set(item, log.push(item) - 1);
  }

  function newestModified(
    { log, logSlot }: { log: readonly number[]; logSlot: ReadonlyMap<number, number> },
    start: number,
    size: number,
  ): number[] {
    const items: number[] = [];
    let skip = start;
    for (let slot = log.length - 1; slot >= 0 && items.length < size; slot -= 1) {
      const item = log[slot] ?? 0;
      if (logSlot.get(item) !== slot || !live[item]) continue;
      if (skip > 0) skip -= 1;
      else items.push(item);
    }
    return items;
  }

  return {
    live,
    content,
    modified,
    /** Applies all events up to that moment; calls `onChange` with each item before it changes. */
    advance(
      to: number,
      onChange: (item: number, at: number, kind: number, apply: () => void) => void,
    ): void {
      while (next < events.at.length && (events.at[next] ?? 0) <= to) {
        const index = next;
        next += 1;
        const item = events.item[index] ?? 0;
        onChange(item, events.at[index] ?? 0, events.kind[index] ?? 0, () => apply(index));
      }
    },
    /** At most `size` live items from that position. */
    search(keyword: number, order: SearchOrder, start: number, size = batchSize): number[] {
      const known = keywords[keyword];
      if (!known) return [];
      if (order === "modified") return newestModified(known, start, size);
      if (order !== "oldest") return known[order].window(start, size);
      const end = Math.max(0, known.newest.present - start);
      const first = Math.max(0, end - size);
      return known.newest.window(first, end - first).toReversed();
    },
    found: (keyword: number) => keywords[keyword]?.newest.present ?? 0,
  };
}

function itemsByKeyword({ keywords, keywordsOf }: World): number[][] {
  const byKeyword = Array.from({ length: keywords }, (): number[] => []);
  for (const [item, finders] of keywordsOf.entries()) {
    for (const keyword of finders) byKeyword[keyword]?.push(item);
  }
  return byKeyword;
}

/** Order counts follow importance roughly; in a world without orders they are random. */
function popularityOf(world: World): Float64Array {
  const random = createRandom(7);
  return world.weight.map((weight) =>
    world.ordered ? weight * Math.exp(0.3 * random.normal()) : random.next(),
  );
}

/** A fixed order of items, of which some are present; finds the present item of any rank. */
function createRanks(order: Int32Array) {
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
    setPresent(item: number, isPresent: boolean): void {
      const slot = slotOf.get(item) ?? 0;
      const change = (isPresent ? 1 : 0) - (here[slot] ?? 0);
      if (change === 0) return;
      here[slot] = isPresent ? 1 : 0;
      present += change;
      for (let i = slot + 1; i <= order.length; i += i & -i) tree[i] = (tree[i] ?? 0) + change;
    },
    /** Present items from rank `start` (0: the first), at most `size`. */
    window(start: number, size: number): number[] {
      const items: number[] = [];
      for (let slot = slotOfRank(start); slot < order.length && items.length < size; slot += 1) {
        if (here[slot]) items.push(order[slot] ?? 0);
      }
      return items;
    },
  };
}
