import { readCategories } from "../../catalog/counts.ts";
import { readPriceDrops } from "../../catalog/history/price-drops.ts";
import { livingOf } from "../../catalog/products.ts";
import { readCatalogStatus } from "../../catalog/status/status.ts";
import type { PageDeps } from "../shared/page/page.ts";

const cards = 8;
const tiles = 12;
/** Prices that fell within so many days, by at least so many percent. */
const drops = { days: 7, percent: 5 };
const trustMs = 60_000;
const countTrustMs = 15_000;

/** Lists are empty where nothing is to be shown, or their source does not answer. */
export type HomeBlocks = Awaited<ReturnType<ReturnType<typeof createHomeBlocks>>>;

type Deps = Pick<PageDeps, "db" | "clock" | "cache" | "search" | "readProducts" | "logger">;

/** Reads what the home page shows. What visitors have in common is remembered for a minute, prices are not. */
export function createHomeBlocks(deps: Deps) {
  const { db, clock, cache, search, readProducts, logger } = deps;
  const readStatus = cache.remember("home: status", countTrustMs, () =>
    readCatalogStatus(db, clock.now()),
  );
  /** Its products are read anew each time, so that an older list may be shown while the next one is read. */
  const remember = <T>(name: string, read: () => Promise<T[]>) =>
    cache.remember(`home: ${name}`, trustMs, read, trustMs);
  const readDrops = remember("price drops", async () => {
    const since = new Date(clock.now().getTime() - drops.days * 86_400_000);
    const found = await readPriceDrops(db, {
      since,
      minPercent: drops.percent,
      onlyCurrent: true,
      onlyInStock: true,
      shopIds: [],
      categories: [],
      group: "product",
      sort: "newest",
      limit: cards,
      offset: 0,
    });
    return found.drops;
  });
  const readNewest = remember("new products", async () => {
    const { ids } = await search({
      sort: "first_seen:desc",
      inStock: true,
      page: 1,
      perPage: cards,
    });
    return ids;
  });
  const readTiles = remember("categories", async () => {
    const found = await readCategories(db, { limit: tiles, offset: 0 });
    return Promise.all(
      found.map(async ({ category, products }) => {
        const query = { categories: [category], inStock: true, page: 1, perPage: 1 };
        const { ids } = await search({ ...query, sort: "popularity:desc" });
        return { category, products, itemId: ids[0] ?? null };
      }),
    );
  });

  /** A block whose source fails is left out; the page stands. */
  const orNone = <T>(block: Promise<T[]>): Promise<T[]> =>
    block.catch((error: unknown) => {
      logger.warn({ err: error }, "a block of the home page is left out");
      return [];
    });

  return async () => {
    const [status, fallen, newest, shown] = await Promise.all([
      readStatus(),
      orNone(readDrops()),
      orNone(readNewest()),
      orNone(readTiles()),
    ]);
    const itemIds = [
      ...fallen.map(({ itemId }) => itemId),
      ...newest,
      ...shown.flatMap(({ itemId }) => itemId ?? []),
    ];
    const { records } = await readProducts([...new Set(itemIds)]);
    return {
      status,
      drops: fallen.flatMap((drop) =>
        livingOf([drop.itemId], records)
          .filter(({ price, stock }) => price === drop.price && stock > 0)
          .map((record) => ({ drop, record })),
      ),
      newest: livingOf(newest, records),
      categories: shown.map(({ category, products, itemId }) => ({
        category,
        products,
        /** The most looked-at product in stock; null: there is none to show. */
        record: livingOf(itemId === null ? [] : [itemId], records)[0] ?? null,
      })),
    };
  };
}
