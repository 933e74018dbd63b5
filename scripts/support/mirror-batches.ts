import { sql } from "drizzle-orm";
import { readStoredProducts } from "../../src/catalog/products.ts";
import type { Db } from "../../src/db/open.ts";
import { systemClock as clock } from "../../src/lib/clock.ts";
import { must } from "../../src/lib/must.ts";
import { createRandom } from "../../src/lib/random.ts";
import type { Engine } from "../../src/search/engine/engine.ts";
import { toDocument } from "../../src/search/index/document.ts";
import type { Mirror } from "../../src/search/mirror/mirror.ts";
import { readMirrorStatus } from "../../src/search/mirror/status.ts";
import { createSearch } from "../../src/search/search.ts";
import { askMeilisearch } from "../../test/support/json-request.ts";
import { generatedSearches } from "./mirror-catalogue.ts";
import { timed } from "./timed.ts";
import { quantileOf } from "../../src/lib/quantile.ts";

const sizes = [1, 10, 50, 200, 500, 1000, 2000, 5000, 10_000];
const tasksOfEach = 5;

export const toQuantiles = (ms: readonly number[]) => ({
  p50_ms: quantileOf(ms, 0.5),
  p99_ms: quantileOf(ms, 0.99),
});

/** How long the engine takes for one task of so many products with a new price, alone. */
export async function measureBatches(
  db: Db,
  engine: Engine,
  { uid, documents }: { uid: string; documents: number },
): Promise<Record<string, unknown>[]> {
  const random = createRandom(3);
  const lines: Record<string, unknown>[] = [];
  let price = 1_000_000;
  for (const size of sizes.filter((of) => of <= documents)) {
    const ms: number[] = [];
    for (let n = 0; n < tasksOfEach; n += 1) {
      const ids = new Set<number>();
      while (ids.size < size) ids.add(random.integer(1, documents));
      const products = [...(await readStoredProducts(db, [...ids])).values()];
      const payload = products
        .map((product) => JSON.stringify(toDocument({ ...product, price: (price += 1) }, 1)))
        .join("\n");
      const send = async () => engine.awaitTask(await engine.addDocuments(uid, payload), 600_000);
      ms.push(await timed(send));
    }
    const medianMs = quantileOf(ms, 0.5);
    lines.push({
      documents_of_a_task: size,
      task_ms: Math.round(medianMs),
      ms_of_a_document: Number((medianMs / size).toFixed(2)),
    });
  }
  return lines;
}

interface TrickleOptions {
  db: Db;
  mirror: Mirror & { prefix: string };
  meili: { host: string; apiKey: string };
  documents: number;
  /** Products that change, at even intervals: 500,000 a day are 5.8. */
  changesPerSecond: number;
  seconds: number;
  /** Sends one search; resolves with its milliseconds. */
  search(): Promise<number>;
}

/**
 * Changes as they come over the day, while somebody searches without a pause: how long the engine works on them,
 * how long they wait, and what a search takes meanwhile.
 */
export async function measureTrickle(options: TrickleOptions): Promise<Record<string, unknown>> {
  const { db, mirror, documents, changesPerSecond, seconds } = options;
  const random = createRandom(5);
  const startedAt = clock.now();
  const untilMs = clock.monotonicMs() + seconds * 1000;
  const isOver = () => clock.monotonicMs() >= untilMs;
  const running = new AbortController();
  const lags: number[] = [];
  const searches: number[] = [];
  const change = async () => {
    for (let n = 0; !isOver(); n += 1) {
      await db.execute(sql`
        update product set price = price + 1, ver = ver + 1
        where item_id = ${random.integer(1, documents)}`);
      const dueMs = untilMs - seconds * 1000 + ((n + 1) * 1000) / changesPerSecond;
      await clock.sleep(Math.max(0, dueMs - clock.monotonicMs()));
    }
  };
  const send = async () => {
    while (!isOver()) await clock.sleep(await mirror.step(running.signal));
  };
  const look = async () => {
    while (!isOver()) {
      const { serving } = await readMirrorStatus(db, mirror.prefix);
      lags.push(must(serving, "an index").lagSeconds * 1000);
      await clock.sleep(200);
    }
  };
  const visit = async () => {
    while (!isOver()) searches.push(await options.search());
  };
  await Promise.all([change(), send(), look(), visit()]);
  const batches = await readBatches(options.meili, startedAt);
  const sum = (of: (batch: (typeof batches)[number]) => number) =>
    batches.reduce((total, batch) => total + of(batch), 0);
  return {
    changes_per_s: changesPerSecond,
    seconds,
    engine_batches: batches.length,
    changes_of_a_batch: Number(
      (sum((one) => one.documents) / Math.max(1, batches.length)).toFixed(1),
    ),
    engine_batch_ms: toQuantiles(batches.map(({ ms }) => ms)),
    engine_busy_share: Number((sum(({ ms }) => ms) / (seconds * 1000)).toFixed(2)),
    oldest_change_waits: toQuantiles(lags),
    searches: searches.length,
    search: toQuantiles(searches),
  };
}

/** Sends one of many searches and tells its milliseconds. */
export function createSearcher(db: Db, engine: Engine, indexPrefix: string): () => Promise<number> {
  const { search } = createSearch({ db, searchDb: db, engine, clock, indexPrefix });
  const words = generatedSearches(10_000);
  let next = 0;
  return () => {
    const q = must(words[next++ % words.length], "a search");
    return timed(() => search({ q, page: 1, perPage: 20 }));
  };
}

/** What the engine has processed since then; it takes all tasks that wait in one go. */
async function readBatches(
  meili: TrickleOptions["meili"],
  since: Date,
): Promise<{ ms: number; documents: number }[]> {
  const path = `/batches?limit=100000&statuses=succeeded&afterStartedAt=${since.toISOString()}`;
  const answer = await askMeilisearch(meili, "GET", path);
  // Safe: the engine's reference documents this answer.
  const { results } = (await answer.json()) as {
    results: { startedAt: string; finishedAt: string; details: { receivedDocuments?: number } }[];
  };
  return results.map(({ startedAt, finishedAt, details }) => ({
    ms: Date.parse(finishedAt) - Date.parse(startedAt),
    documents: details.receivedDocuments ?? 0,
  }));
}
