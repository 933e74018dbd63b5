import { isDeepStrictEqual } from "node:util";
import { sql } from "drizzle-orm";
import { z } from "zod";
import { loadConfig } from "../src/config.ts";
import {
  jobNames,
  readLastRuns,
  startRun,
  updateJob,
  type CrawlJob,
} from "../src/crawl/budget/jobs.ts";
import type { Db } from "../src/db/open.ts";
import { crawlQuery } from "../src/db/schema.ts";
import { systemClock as clock } from "../src/lib/clock.ts";
import { must } from "../src/lib/must.ts";
import { toFacetKey } from "../src/search/index/facet-key.ts";
import { capped, normalise } from "../src/search/index/normalise.ts";
import { withNumbersApart } from "../src/search/index/number-edges.ts";
import { startSandbox, type RunningSandbox, type SandboxOptions } from "../src/sandbox/server.ts";
import { startService, type Service } from "../src/service/service.ts";
import { askMeilisearch } from "../test/support/json-request.ts";
import { readArguments, needed } from "./support/arguments.ts";
import { closing } from "./support/closing.ts";
import { inFolder, logger, say } from "./support/servers.ts";

/**
 * Crawls a catalogue file through a sandbox with the whole of Kurabe, then compares Postgres (plain
 * SQL) and the search index (raw HTTP) with the sandbox's own state, field by field; then replays
 * `--days` of changes, crawls all keywords again from the beginning, and compares again. Exit code 1 if anything differs.
 *
 *   npx tsx scripts/prove-catalogue.ts --catalog FILE [--changes FILE --days 21]
 */
const values = readArguments({ catalog: needed, changes: null, days: 21 });

interface CrawledSandbox {
  sandbox: RunningSandbox;
  service: Service;
  db: Db;
}

/** Runs `work` with a sandbox and the whole of Kurabe, which crawls it as fast as it can; removes both. */
function withKurabe<T>(
  options: Omit<SandboxOptions, "clock">,
  work: (crawled: CrawledSandbox) => Promise<T>,
): Promise<T> {
  return inFolder(async (dataDir) => {
    const sandbox = await startSandbox({ clock, dailyLimit: 1_000_000, ...options });
    return closing(sandbox.close, async () => {
      const config = loadConfig({
        DATA_DIR: dataDir,
        PORT: "0",
        STOREFRONT_BASE_URL: sandbox.url,
        STOREFRONT_DAILY_LIMIT: "1000000",
        STOREFRONT_MAX_CALLS_PER_SECOND: "1000",
        CRAWL_PACING: "burst",
        CRAWL_KEYWORDS: sandbox.keywords.join(","),
      });
      const { signal } = new AbortController();
      const roles = { api: true, worker: true };
      const service = await startService(config, roles, { clock, logger, signal });
      return closing(service.stop, () => {
        const connections = { maxConnections: 2, statementTimeoutMs: 60_000 };
        return work({ sandbox, service, db: service.resources.pool("prove", connections) });
      });
    });
  });
}

type Row = Record<string, unknown>;
const seconds = (sinceMs: number) => (clock.monotonicMs() - sinceMs) / 1000;

const columns = [
  "item_id",
  "title",
  "detail",
  "price",
  "proper_price",
  "stock",
  "visible",
  "list_order",
  "identifier",
  "modified",
  "shop_id",
  "shop_name",
  "shop_url",
  "categories",
  "variations",
] as const;

function pick(item: Row): Row {
  return Object.fromEntries(columns.map((name) => [name, item[name]]));
}

/** Ids whose rows differ or are missing on one side. */
function differences(ours: Map<unknown, Row>, theirs: Map<unknown, Row>): unknown[] {
  const ids = new Set([...ours.keys(), ...theirs.keys()]);
  return [...ids].filter((id) => !isDeepStrictEqual(ours.get(id), theirs.get(id)));
}

async function rowsOf(db: Db): Promise<Map<unknown, Row>> {
  const rows = await db.execute<Row>(sql`
    select item_id, title, detail, price, proper_price, stock, visible, list_order, identifier, modified,
      p.shop_id, shop_name, shop_url, categories, variations
    from product p join shop using (shop_id) where state = 'live'`);
  return new Map(rows.map((row) => [row.item_id, pick(row)]));
}

/** The index has titles in the form in which queries look for them. */
const searchable = (title: unknown) => withNumbersApart(capped(normalise(String(title)), 1000));

/** A product of the upstream as the index should have it. */
const expected = (item: Row): Row => ({
  id: item.item_id,
  price: item.price,
  proper_price: item.proper_price,
  stock: item.stock,
  shop_id: toFacetKey(String(item.shop_id)),
  categories: z.array(z.string()).parse(item.categories).map(toFacetKey),
  modified: item.modified,
  title: searchable(item.title),
});

function held(document: Row): Row {
  const { id, price, proper_price, stock, shop_id, categories, modified, title } = document;
  return { id, price, proper_price, stock, shop_id, categories, modified, title };
}

async function documentsOf({ meili }: Service["resources"], db: Db): Promise<Map<unknown, Row>> {
  const [index] = await db.execute<{ index_uid: string }>(
    sql`select index_uid from mirror_index where state = 'serving'`,
  );
  const uid = must(index, "an index in service").index_uid;
  const documents = new Map<unknown, Row>();
  for (let offset = 0; ; offset += 1000) {
    const path = `/indexes/${uid}/documents?limit=1000&offset=${offset}`;
    const answer = await askMeilisearch(meili, "GET", path);
    const { results } = (await answer.json()) as { results: Row[] };
    for (const row of results) documents.set(row.id, held(row));
    if (results.length < 1000) return documents;
  }
}

async function run(db: Db, job: CrawlJob): Promise<void> {
  while (!(await startRun(db, job, "manual", clock.now()))) await clock.sleep(200);
  while ((await readLastRuns(db, job)).active) await clock.sleep(100);
}

async function mirrored(db: Db): Promise<void> {
  const dirty = sql`select count(*) as n from mirror where desired_version > indexed_version`;
  while ((await db.execute<{ n: number }>(dirty))[0]?.n !== 0) await clock.sleep(100);
}

async function compare({ service, sandbox, db }: CrawledSandbox): Promise<boolean> {
  const visible = sandbox.control.items().filter((item) => item.visible === 1);
  const theirs = new Map<unknown, Row>(visible.map((item) => [item.item_id, pick(item)]));
  const inPostgres = differences(await rowsOf(db), theirs);
  const theirDocuments = new Map<unknown, Row>(
    visible.map((item) => [item.item_id, expected(item)]),
  );
  const inIndex = differences(await documentsOf(service.resources, db), theirDocuments);
  say(
    `  upstream ${theirs.size} visible products; Postgres differs in ${inPostgres.length}, the index in ${inIndex.length}`,
  );
  for (const id of [...inPostgres, ...inIndex].slice(0, 5))
    say(`    e.g. ${String(id)}: ${JSON.stringify(theirs.get(id))}`);
  return inPostgres.length + inIndex.length === 0;
}

async function prove(crawled: CrawledSandbox): Promise<boolean> {
  const { sandbox, db } = crawled;
  // Only calls of this script are to be counted.
  for (const name of jobNames) await updateJob(db, name, { enabled: false }, clock.now());
  const callsSoFar = () => sandbox.control.calls.all().length;
  const startMs = clock.monotonicMs();
  await run(db, "discover");
  const stored = seconds(startMs);
  await mirrored(db);
  const products = (await rowsOf(db)).size;
  say(
    `first crawl: ${products} products with ${callsSoFar()} calls (ideal ${Math.ceil(products / 50)})`,
  );
  say(
    `  stored in ${stored.toFixed(1)} s (${Math.round(products / stored)} products/s), searchable after ${seconds(startMs).toFixed(1)} s`,
  );
  let equal = await compare(crawled);
  const { replay } = sandbox.control;
  if (replay) {
    const until = replay.progress().simulatedSeconds + values.days * 86_400;
    const progress = replay.advanceTo(until);
    say(`replayed ${values.days} days: ${JSON.stringify(progress)}`);
    const before = callsSoFar();
    const againMs = clock.monotonicMs();
    // The changes have the times of the file, long before the crawl: lists of newest changes end with their first page.
    await db.update(crawlQuery).set({ scannedAt: null });
    for (const job of ["feed", "discover", "revalidate"] as const) {
      const at = callsSoFar();
      await run(db, job);
      say(`  ${job}: ${callsSoFar() - at} calls`);
    }
    await mirrored(db);
    say(`  ${callsSoFar() - before} calls, ${seconds(againMs).toFixed(1)} s`);
    equal = (await compare(crawled)) && equal;
  }
  const log = sandbox.control.calls.all();
  say(
    `largest id batch in the upstream's log: ${Math.max(0, ...log.map((call) => call.asked.length))}`,
  );
  return equal;
}

const files = { catalogFile: values.catalog, changesFile: values.changes ?? undefined };
const equal = await withKurabe({ live: false, ...files }, prove);
process.exitCode = equal ? 0 : 1;
