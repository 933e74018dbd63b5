import { sql } from "drizzle-orm";
import { systemClock } from "../src/lib/clock.ts";
import { must } from "../src/lib/must.ts";
import { readArguments } from "./support/arguments.ts";
import { say } from "./support/servers.ts";
import { withKurabe, type CrawledSandbox } from "./support/with-kurabe.ts";

/**
 * Lets the whole of Kurabe follow a sandbox with accelerated time, and compares the freshness that
 * `/v1/status` reports with the truth: the weighted share of stored products that equal the
 * sandbox's own state at that moment. Exit code 1 if they differ by more than 2 points at the end.
 *
 *   npx tsx scripts/prove-freshness.ts [--minutes 3 --speed 2000 --calls-per-second 4 --products 1000]
 */
const args = readArguments({ minutes: 3, speed: 2000, "calls-per-second": 4, products: 1000 });
/** Weighted share of the stored products that equal the sandbox's now; deleted ones count as stale. */
async function truth({ db, sandbox }: CrawledSandbox): Promise<number> {
  const rows = await db.execute<{
    item_id: number;
    weight: number;
    price: number;
    stock: number;
    title: string;
  }>(sql`
    select item_id, weight, price, stock, title from product join product_schedule using (item_id)`);
  let equal = 0;
  let total = 0;
  for (const row of rows) {
    const item = sandbox.control.item(row.item_id);
    total += row.weight;
    if (item && item.price === row.price && item.stock === row.stock && item.title === row.title) {
      equal += row.weight;
    }
  }
  return equal / Math.max(total, 1e-9);
}

const { products, speed } = args;
const difference = await withKurabe(
  { products, speed },
  args["calls-per-second"],
  async (crawled) => {
    let difference = Infinity;
    const endsAtMs = systemClock.monotonicMs() + args.minutes * 60_000;
    while (systemClock.monotonicMs() < endsAtMs) {
      await systemClock.sleep(15_000);
      const answer = await fetch(`${must(crawled.service.url, "an address")}/v1/status`);
      const { products, freshness } = (await answer.json()) as {
        products: number;
        freshness: { expected_share: number };
      };
      const actual = await truth(crawled);
      difference = Math.abs(freshness.expected_share - actual);
      const calls = crawled.sandbox.control.calls.all().length;
      const percent = (share: number) => `${(share * 100).toFixed(1)}%`;
      say(
        `${products} products, ${calls} calls: reported ${percent(freshness.expected_share)}, true ${percent(actual)}`,
      );
    }
    return difference;
  },
);
process.exitCode = difference <= 0.02 ? 0 : 1;
