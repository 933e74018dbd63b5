import { updateJob } from "../../src/crawl/budget/jobs.ts";
import type { SimulatedCrawl } from "./simulated-crawl.ts";
import { countEach } from "../../src/lib/collect.ts";

/** What the upstream has now, with the text that its search reads. */
export const items = (crawl: SimulatedCrawl) =>
  crawl.sandbox.control.items().map((item) => ({
    id: Number(item.item_id),
    shopId: String(item.shop_id),
    text: [item.title, item.detail, item.shop_name, ...(item.categories as string[])].join("\n"),
    visible: item.visible === 1,
  }));

/** Ids of the shops with most products, largest first. */
export function largestShops(crawl: SimulatedCrawl, count: number): string[] {
  return [...countEach(items(crawl).map(({ shopId }) => shopId))]
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, count)
    .map(([shopId]) => shopId);
}

/** From now on products are shown by refreshes alone. */
export async function refreshOnly(crawl: SimulatedCrawl): Promise<void> {
  for (const job of ["discover", "feed"] as const) {
    await updateJob(crawl.db, job, { settings: { weight: 0 } }, crawl.clock.now());
  }
}
