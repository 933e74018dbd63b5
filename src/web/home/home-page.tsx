import type { Child } from "hono/jsx";
import { Hono } from "hono";
import type { ApiEnv } from "../../api/http/deps.ts";
import { readCategories } from "../../catalog/counts.ts";
import { readPriceDrops } from "../../catalog/history/price-drops.ts";
import { livingOf } from "../../catalog/products.ts";
import { readCatalogStatus } from "../../catalog/status/status.ts";
import { DropCard } from "../browse/list-pages.tsx";
import { ago, beginning, count } from "../shared/format.ts";
import { Layout } from "../shared/page/layout.tsx";
import { openPage, sendPage, type Page, type PageDeps } from "../shared/page/page.ts";
import { ProvenPrice } from "../shared/product/price.tsx";
import { FirstPicture, ProductTile } from "../shared/product/product-tile.tsx";
import { Viewed } from "../shared/product/viewed.tsx";
import { ofShop } from "../shared/text-language.tsx";
import { asksForSearch, searchFor } from "../shared/search-address.ts";

/** `/` without a search. With any parameter of one, also an empty `q`, the search page answers. */
export function homeRoutes(deps: PageDeps): Hono<ApiEnv> {
  const readBlocks = createHomeBlocks(deps);
  return new Hono<ApiEnv>().get("/", async (c, next) => {
    const page = openPage(c, deps);
    if (asksForSearch(page.url.searchParams)) return next();
    const blocks = await readBlocks();
    deps.demand.shown(
      [...blocks.drops.map(({ record }) => record), ...blocks.newest].map(({ itemId }) => itemId),
    );
    return sendPage(c, page, <HomePage page={page} blocks={blocks} />);
  });
}

/** Cards that are in sight at once. */
const firstRow = 4;

/** What became cheaper, what there is, what is new, and how fresh it all is. */
function HomePage({ page, blocks }: { page: Page; blocks: HomeBlocks }) {
  const { m } = page;
  const { status, drops, newest, categories } = blocks;
  const p50Seconds = status.freshness?.p50Seconds;
  const products = status.products.live + status.products.missing;
  return (
    <Layout
      page={page}
      title={`${m.name} – ${m.search.tagline}`}
      description={m.search.description}
      canonical="/"
      extras={["viewed.js"]}
    >
      <h1>{m.search.allProducts}</h1>
      <p class="quiet">
        {products === 0 ? m.home.empty : m.home.size(count(products), count(status.shops))}{" "}
        {p50Seconds !== undefined &&
          (p50Seconds < 60 ? m.home.freshNow : m.home.fresh(ago(p50Seconds, page.lang)))}{" "}
        <a href="/?q=">{m.search.everything}</a>
      </p>
      {drops.length > 0 && (
        <Block title={m.browse.priceDrops} href="/price-drops" more={m.home.more}>
          <ul class="results">
            {drops.map((one, i) => (
              <DropCard page={page} heading="h3" {...one} eager={i < firstRow} />
            ))}
          </ul>
        </Block>
      )}
      {categories.length > 0 && (
        <Block title={m.browse.categories} href="/categories" more={m.home.more}>
          <ul class="results tiles">
            {categories.map(({ category, products: n, record }, i) => (
              <li class="card product">
                <FirstPicture
                  page={page}
                  record={record}
                  eager={drops.length === 0 && i < firstRow}
                />
                <div class="about">
                  <h3 {...ofShop(category, page)}>
                    <a href={searchFor("category", category)}>{beginning(category, 40)}</a>
                  </h3>
                  <span class="fine number">{m.search.found(count(n), true)}</span>
                </div>
              </li>
            ))}
          </ul>
        </Block>
      )}
      {newest.length > 0 && (
        <Block title={m.browse.newest} href="/?sort=first_seen%3Adesc" more={m.home.more}>
          <ul class="results">
            {newest.map((record) => (
              <ProductTile
                page={page}
                record={record}
                heading="h3"
                prices={<ProvenPrice page={page} record={record} />}
              />
            ))}
          </ul>
        </Block>
      )}
      <Viewed page={page} />
    </Layout>
  );
}

function Block(props: { title: string; href: string; more: string; children: Child }) {
  const { title, href, more, children } = props;
  return (
    <section class="block">
      <div class="heading">
        <h2>{title}</h2>
        <a href={href}>
          {more}
          <span class="hidden">: {title}</span>
        </a>
      </div>
      {children}
    </section>
  );
}

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
function createHomeBlocks(deps: Deps) {
  const { db, clock, cache, search, readProducts, logger } = deps;
  const readStatus = cache.remember("home: status", countTrustMs, () =>
    readCatalogStatus(db, clock.now()),
  );
  /** Its products are read anew each time, so that an older list may be shown while the next one is read. */
  const remember = <T,>(name: string, read: () => Promise<T[]>) =>
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
  const orNone = <T,>(block: Promise<T[]>): Promise<T[]> =>
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
