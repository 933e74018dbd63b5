import type { Clock } from "../lib/clock.ts";
import { createCatalog, type Catalog } from "./catalogue/catalog.ts";
import { demoKeyword, demoShops } from "./credentials.ts";
import { createGenerator, generatedKeywords, type Generator } from "./catalogue/generate.ts";
import { toFileRow, toSandboxItem, type SandboxItem } from "./catalogue/item.ts";
import { createLife } from "./catalogue/life.ts";
import { loadCatalog, loadChanges } from "./load.ts";
import { createImageBatch } from "./market/image-batch.ts";
import { createMarketplace, type Marketplace } from "./market/marketplace.ts";
import { createReplay, type Change } from "./catalogue/replay.ts";
import { createMemoryJournal, type Journal, type Ids } from "./state/journal.ts";
import { openPostgresJournal } from "./state/postgres-journal.ts";

export interface WorldOptions {
  seed: number;
  products: number;
  catalogFile?: string | undefined;
  changesFile?: string | undefined;
  databaseUrl?: string | undefined;
  live: boolean;
  timezone: string;
  clock: Clock;
}

export type World = ReturnType<typeof createWorld>;

/** What a world is made of. */
interface Origin extends WorldOptions {
  journal: Journal;
  /** null: no file was given. */
  loaded: readonly SandboxItem[] | null;
  changes: readonly Change[] | null;
}

/**
 * A new world, or the one stored in the database. Worlds from files are never stored: they are for
 * measurements and always begin with the file's content.
 */
export async function openWorld(options: WorldOptions): Promise<World> {
  const { seed, products, catalogFile, changesFile, databaseUrl, clock } = options;
  const loaded = catalogFile === undefined ? null : await loadCatalog(catalogFile);
  const changes = changesFile === undefined ? null : await loadChanges(changesFile);
  const journal =
    databaseUrl === undefined || loaded || changes
      ? createMemoryJournal()
      : await openPostgresJournal({ databaseUrl, origin: { seed, products }, clock });
  try {
    const world = createWorld({ ...options, journal, loaded, changes });
    await journal.flush();
    return world;
  } catch (error) {
    await journal.close();
    throw error;
  }
}

/** The whole state of the sandbox, and what changes it. */
function createWorld(origin: Origin) {
  const { journal, changes, seed, clock, timezone } = origin;
  const catalog = createCatalog(storedItems(journal));
  catalog.watch({
    item(before, after) {
      const id = after?.item_id ?? before?.item_id;
      journal.note("item", String(id), after && toFileRow(after));
    },
  });
  const market = createMarketplace({ journal, catalog, clock, timezone });
  const generator = populate(origin, catalog, market);
  catalog.watch({ shopClosed: generator.forgetShop });
  const images = createImageBatch(journal, catalog, market.nowSeconds);
  const replay = changes && createReplay(catalog, changes);
  const quietShopIds = demoShops.map((shop) => shop.shop_id);
  return {
    journal,
    catalog,
    market,
    life: createLife({ catalog, generator, orders: market.orders, seed, quietShopIds }),
    replay,
    keywords: keywordsOf(origin),
    /** The regular work of the service: resizes images, pays out. */
    runBatches() {
      images.run();
      market.payouts.run();
    },
  };
}

function storedItems(journal: Journal): SandboxItem[] {
  return [...journal.stored("item").values()]
    .map(toSandboxItem)
    .toSorted((a, b) => a.item_id - b.item_id);
}

/** Fills a new world; a stored one is not changed. */
function populate(
  { seed, products, journal, loaded }: Origin,
  catalog: Catalog,
  market: Marketplace,
): Generator {
  const isNew = !journal.isResumed;
  if (isNew) for (const shop of demoShops) market.shops.open(shop);
  if (isNew && !loaded) {
    const generator = createGenerator(seed, { ids: market.ids });
    for (const item of generator.catalog(products)) catalog.put(item);
    return generator;
  }
  for (const item of loaded ?? []) catalog.put(item);
  skipTaken(market.ids, loaded ?? []);
  const isDemo = (shopId: string) => demoShops.some((shop) => shop.shop_id === shopId);
  const shops = [...market.shops.all()].filter((shop) => !isDemo(shop.shop_id));
  // Not the same seed, because that would generate the same products again.
  return createGenerator(seed ^ catalog.size, { ids: market.ids, shops });
}

function skipTaken(ids: Ids, items: readonly SandboxItem[]): void {
  for (const { item_id, shop_id, variations } of items) {
    ids.skip("item", item_id);
    for (const { variation_id } of variations) ids.skip("variation", variation_id);
    ids.skip("shop", Number(/^shop-(\d{1,9})$/.exec(shop_id)?.[1] ?? 0));
  }
}

/** Every product shows its shop's name, so the names of all shops find all products of a loaded catalogue. */
function keywordsOf({ loaded, changes, live }: Origin): string[] {
  const added = (changes ?? []).flatMap((change) => (change.op === "add" ? [change.item] : []));
  const names = [...(loaded ?? []), ...added].map((item) => item.shop_name);
  const generated = !loaded || (live && !changes) ? generatedKeywords : [];
  return [...new Set([...generated, ...names, ...(loaded ? [] : [demoKeyword])])];
}
