import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { loadConfig } from "../src/config.ts";
import { systemClock } from "../src/lib/clock.ts";
import { createLogger } from "../src/lib/logger.ts";
import { must } from "../src/lib/must.ts";
import { startSandbox } from "../src/sandbox/server.ts";
import { startService } from "../src/service/service.ts";
import { readArguments } from "./arguments.ts";

/**
 * Lets the whole of Kurabe follow a sandbox with accelerated time, and compares the freshness that
 * `/v1/status` reports with the truth: the weighted share of stored products that equal the
 * sandbox's own state at that moment. Exit code 1 if they differ by more than 2 points at the end.
 *
 *   npx tsx scripts/prove-freshness.ts [--minutes 3 --speed 2000 --calls-per-second 4 --products 1000]
 */
const args = readArguments({ minutes: 3, speed: 2000, "calls-per-second": 4, products: 1000 });
const around = {
  clock: systemClock,
  logger: createLogger({ level: "warn", format: "json" }),
  signal: new AbortController().signal,
};
const dataDir = await mkdtemp(join(tmpdir(), "kurabe-prove-"));
const sandbox = await startSandbox({
  clock: systemClock,
  speed: args.speed,
  products: args.products,
  dailyLimit: 1_000_000,
});
const config = loadConfig({
  DATA_DIR: dataDir,
  PORT: "0",
  STOREFRONT_BASE_URL: sandbox.url,
  STOREFRONT_DAILY_LIMIT: "1000000",
  STOREFRONT_MAX_CALLS_PER_SECOND: String(args["calls-per-second"]),
  CRAWL_PACING: "burst",
  CRAWL_KEYWORDS: sandbox.keywords.join(","),
});
const service = await startService(config, { api: true, worker: true }, around);
const db = service.resources.pool("prove", { maxConnections: 2, statementTimeoutMs: 60_000 });

/** Weighted share of the stored products that equal the sandbox's now; deleted ones count as stale. */
async function truth(): Promise<number> {
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

let difference = Infinity;
try {
  const endsAtMs = systemClock.monotonicMs() + args.minutes * 60_000;
  while (systemClock.monotonicMs() < endsAtMs) {
    await systemClock.sleep(15_000);
    const answer = await fetch(`${must(service.url, "an address")}/v1/status`);
    const status = (await answer.json()) as {
      products: number;
      freshness: { expected_share: number };
    };
    const actual = await truth();
    difference = Math.abs(status.freshness.expected_share - actual);
    process.stdout.write(
      `${status.products} products, ${sandbox.control.calls.all().length} calls: reported ` +
        `${(status.freshness.expected_share * 100).toFixed(1)}%, true ${(actual * 100).toFixed(1)}%\n`,
    );
  }
} finally {
  await service.stop();
  await sandbox.close();
  await rm(dataDir, { recursive: true, force: true });
}
process.exitCode = difference <= 0.02 ? 0 : 1;
