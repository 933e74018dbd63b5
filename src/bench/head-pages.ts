import { BATCH, batchDueAt, bestBatch } from "../crawl/scoring/scoring.ts";
import { dueOffers } from "./due-offers.ts";
import { createDueQueue } from "./heap.ts";
import type { Index, Memory, SimItem } from "./memory.ts";
import { search, type Offer, type SimCall } from "./run.ts";
import type { World } from "./world.ts";

/** Pages of the most ordered: which items each is expected to show, and when it is due. */
export interface HeadPages {
  offers(now: number, price: number): Offer[];
  /** Takes in what a page did show; returns the items it should have shown and did not. */
  settle(
    call: Extract<SimCall, { kind: "search" }>,
    shown: readonly SimItem[],
    now: number,
    price: number,
  ): SimItem[];
}

export function createHeadPages(memory: Memory, world: World, valuation: Index): HeadPages {
  const pages: { keyword: number; start: number; items: readonly SimItem[] }[] = [];
  for (const keyword of memory.keywords) {
    const known = memory.items.flatMap((item) => (item?.keyword === keyword ? [item] : []));
    known.sort((a, b) => b.weight - a.weight);
    for (let start = 0; start < known.length; start += BATCH) {
      pages.push({ keyword: keyword.keywordId, start, items: known.slice(start, start + BATCH) });
    }
  }
  const pageOf = new Map(pages.map((page, index) => [`${page.keyword} ${page.start}`, index]));
  const byDue = createDueQueue(Math.max(1, pages.length));
  for (const index of pages.keys()) byDue.set(index, world.startsAt);

  const known = (item: SimItem) => memory.items[item.itemId] === item;

  const expected = (key: number) => pages[key]?.items.filter(known) ?? [];

  return {
    offers: (now, price) =>
      dueOffers(
        byDue,
        { now, price },
        {
          score(key) {
            const { value } = bestBatch(expected(key), now, valuation.worthOf);
            const { keyword, start } = pages[key] ?? { keyword: 0, start: 0 };
            return { value, bid: value, call: search(keyword, "popular", start) };
          },
          reschedule: (key) =>
            byDue.set(key, batchDueAt(expected(key), now, price, valuation.worthOf)),
        },
      ),
    settle(call, shown, now, price) {
      const index = pageOf.get(`${call.keyword} ${call.start}`);
      const page = index === undefined ? undefined : pages[index];
      if (index === undefined || !page) return [];
      const here = new Set(shown);
      const missing = page.items.filter((item, i, all) => {
        const before = all[i - 1];
        const after = all[i + 1];
        // Between two neighbours that are still there: it has not just moved to another page.
        return (
          known(item) && !here.has(item) && before && after && here.has(before) && here.has(after)
        );
      });
      for (const item of missing) item.suspect = true;
      page.items = shown;
      byDue.set(index, batchDueAt(shown, now, price, valuation.worthOf));
      return missing;
    },
  };
}
