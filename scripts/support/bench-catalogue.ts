import { sql } from "drizzle-orm";
import { observeSearch } from "../../src/catalog/observing/observe.ts";
import { migrateDb } from "../../src/db/migrate.ts";
import type { Db } from "../../src/db/open.ts";
import { systemClock as clock } from "../../src/lib/clock.ts";
import { createGenerator } from "../../src/sandbox/catalogue/generate.ts";
import { toSearchBody, type SandboxItem } from "../../src/sandbox/catalogue/item.ts";
import { loadCatalog } from "../../src/sandbox/load.ts";
import { createEngine, type Engine } from "../../src/search/engine/engine.ts";
import { createMirror, type Mirror } from "../../src/search/mirror/mirror.ts";
import { readServingIndex } from "../../src/search/mirror/indexes/serving-index.ts";
import { readMirrorStatus } from "../../src/search/mirror/status.ts";
import { must } from "../../src/lib/must.ts";
import { readSearchItems } from "../../src/storefront/read-items.ts";
import { logger, openScriptDb, withServers, type ScratchServers } from "./servers.ts";

export interface BenchCatalogue extends ScratchServers {
  db: Db;
  engine: Engine;
  indexUid: string;
  titles: string[];
  items: SandboxItem[];
}

interface CatalogueOptions {
  /** Given products, or a catalogue file; null: invented products. */
  file: string | readonly SandboxItem[] | null;
  /** How many are invented. */
  products: number;
  /** Applied to every product before it is stored. */
  change?: (item: SandboxItem, index: number) => SandboxItem;
}

/** Runs `work` with servers of its own, whose Postgres has the catalogue and whose index mirrors it. */
export function withBenchCatalogue<T>(
  { file, products, change }: CatalogueOptions,
  work: (catalogue: BenchCatalogue) => Promise<T>,
  prepare?: (databaseUrl: string) => Promise<void>,
): Promise<T> {
  return withServers(async (servers) => {
    await migrateDb(servers.databaseUrl);
    await prepare?.(servers.databaseUrl);
    const { db, close } = openScriptDb(servers.databaseUrl);
    const plain =
      file === null
        ? createGenerator(7).catalog(products)
        : typeof file === "string"
          ? await loadCatalog(file)
          : [...file];
    const items = change ? plain.map(change) : plain;
    await storeItems(db, items);
    const timeouts = { writeTimeoutMs: 60_000, searchTimeoutMs: 8000 };
    const engine = createEngine({ ...servers.meili, clock, ...timeouts });
    const mirror = createMirror({ db, clock, logger, engine });
    await untilMirrored(db, mirror);
    await mirror.release();
    const indexUid = must(await readServingIndex(db), "an index in service");
    const titles = items.map((item) => item.title);
    try {
      return await work({ ...servers, db, engine, indexUid, titles, items });
    } finally {
      await close();
    }
  });
}

/** Stores products as a search of that moment shows them. */
export async function observeItems(
  db: Db,
  items: readonly SandboxItem[],
  sighting = { callId: 1, sentAt: clock.now() },
): Promise<void> {
  for (let from = 0; from < items.length; from += 1000) {
    const page = readSearchItems("[]", items.slice(from, from + 1000).map(toSearchBody));
    await db.transaction((tx) => observeSearch(tx, sighting, page));
  }
}

async function storeItems(db: Db, items: readonly SandboxItem[]): Promise<void> {
  await observeItems(db, items);
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

/** Steps until every product is searchable in the index of this prefix. */
export async function untilMirrored(db: Db, mirror: Mirror, prefix?: string): Promise<void> {
  const running = new AbortController().signal;
  for (;;) {
    const pauseMs = await mirror.step(running);
    // Asked only when the mirror is idle, so that it costs nothing.
    if (pauseMs >= 100) {
      const { serving } = await readMirrorStatus(db, prefix);
      if (serving?.isSearched && serving.clean > 0 && serving.dirty === 0) return;
    }
    await clock.sleep(pauseMs);
  }
}

/** So many different ones of a list, spread evenly. */
export function spread<T>(all: readonly T[], wanted: number): T[] {
  const step = Math.max(1, all.length / wanted);
  return Array.from({ length: Math.min(wanted, all.length) }, (_, i) =>
    must(all[Math.floor(i * step)], "an element"),
  );
}
