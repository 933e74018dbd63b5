import { sql } from "drizzle-orm";
import { observeSearch } from "../src/catalog/observing/observe.ts";
import { migrateDb } from "../src/db/migrate.ts";
import { openDb, type Db } from "../src/db/open.ts";
import { systemClock as clock } from "../src/lib/clock.ts";
import { createLogger } from "../src/lib/logger.ts";
import { createGenerator } from "../src/sandbox/catalogue/generate.ts";
import { toSearchBody, type SandboxItem } from "../src/sandbox/catalogue/item.ts";
import { loadCatalog } from "../src/sandbox/load.ts";
import { createEngine, type Engine } from "../src/search/engine/engine.ts";
import { createMirror } from "../src/search/mirror/mirror.ts";
import { readServingIndex } from "../src/search/mirror/serving-index.ts";
import { readMirrorStatus } from "../src/search/mirror/status.ts";
import { must } from "../src/lib/must.ts";
import { readSearchItems } from "../src/storefront/client.ts";

export interface BenchCatalogue {
  db: Db;
  engine: Engine;
  indexUid: string;
  titles: string[];
  items: SandboxItem[];
  close(): Promise<void>;
}

/**
 * Given products, a catalogue file, or an invented catalogue of so many products, in Postgres and
 * mirrored.
 */
export async function openBenchCatalogue(options: {
  databaseUrl: string;
  meili: { host: string; apiKey: string };
  file: string | readonly SandboxItem[] | null;
  products: number;
  /** Applied to every product before it is stored. */
  change?: (item: SandboxItem, index: number) => SandboxItem;
}): Promise<BenchCatalogue> {
  await migrateDb(options.databaseUrl);
  const { db, close } = openDb({
    url: options.databaseUrl,
    applicationName: "kurabe:bench",
    maxConnections: 4,
    statementTimeoutMs: 120_000,
  });
  const { file } = options;
  const plain =
    file === null
      ? createGenerator(7).catalog(options.products)
      : typeof file === "string"
        ? await loadCatalog(file)
        : file;
  const items = options.change ? plain.map(options.change) : [...plain];
  await storeItems(db, items);
  const engine = createEngine({
    ...options.meili,
    clock,
    writeTimeoutMs: 60_000,
    searchTimeoutMs: 8000,
  });
  await mirrorAll(db, engine);
  return {
    db,
    engine,
    indexUid: must(await readServingIndex(db), "an index in service"),
    titles: items.map((item) => item.title),
    items,
    close,
  };
}

async function storeItems(db: Db, items: readonly SandboxItem[]): Promise<void> {
  for (let from = 0; from < items.length; from += 1000) {
    const page = readSearchItems("[]", items.slice(from, from + 1000).map(toSearchBody));
    const sighting = { callId: 1, sentAt: clock.now() };
    await db.transaction((tx) => observeSearch(tx, sighting, page));
  }
  // Without statistics the next statement may take minutes.
  await db.execute(sql`vacuum analyze`);
  const ranked = items
    .filter((item) => item.order_count > 0)
    .toSorted((a, b) => b.order_count - a.order_count)
    .map((item, rank) => ({ item_id: item.item_id, rank }));
  await db.execute(sql`
    update product p set order_rank = r.rank
    from json_to_recordset(${JSON.stringify(ranked)}::text::json) as r(item_id bigint, rank integer)
    where p.item_id = r.item_id`);
  await db.execute(sql`vacuum analyze product`);
}

async function mirrorAll(db: Db, engine: Engine): Promise<void> {
  const logger = createLogger({ level: "warn", format: "json" });
  const mirror = createMirror({ db, clock, logger, engine });
  const running = new AbortController().signal;
  for (;;) {
    const pauseMs = await mirror.step(running);
    // The mirror is idle only when all products are queued and sent.
    if (pauseMs >= 100) {
      const { serving } = await readMirrorStatus(db, clock.now());
      if (serving?.isSearched && serving.clean > 0 && serving.dirty === 0) break;
    }
    await clock.sleep(pauseMs);
  }
  await mirror.release();
}
