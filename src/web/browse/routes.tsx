import { Hono } from "hono";
import type { ApiEnv, ApiContext } from "../../api/http/deps.ts";
import { sendZipped } from "../../api/http/answer.ts";
import { refuse } from "../../api/http/problems/problem.ts";
import { mostListed, readCategories } from "../../catalog/counts.ts";
import { readPriceDrops } from "../../catalog/history/price-drops.ts";
import { readRange, readRanges, type MappedProduct } from "../../catalog/product-ranges.ts";
import { livingOf, readProducts } from "../../catalog/products.ts";
import { readBiggestShops } from "../../catalog/shops.ts";
import { hourMs } from "../../lib/calendar.ts";
import { openPage, originOf, sendPage, type PageDeps } from "../shared/page/page.ts";
import { searchFor } from "../shared/search-address.ts";
import { CategoriesPage, PriceDropsPage, ShopsPage } from "./list-pages.tsx";

interface List {
  perPage: number;
  lastPage: number;
}
const names: List = { perPage: 200, lastPage: mostListed / 200 };
const pricesFallen: List = { perPage: 24, lastPage: Math.floor(2000 / 24) };
/** Prices that fell within so many days. */
const dropDays = 7;
/** The biggest categories and shops are in the site map. */
const mappedNames = 5000;

/** Lists for shoppers, and what search engines read. */
export function browseRoutes(deps: PageDeps): Hono<ApiEnv> {
  const { db, clock, cache } = deps;
  const ranges = cache.remember("ranges of product ids", hourMs, () => readRanges(db));
  return new Hono<ApiEnv>()
    .get("/categories", async (c) => {
      const page = openPage(c, deps);
      const number = toNumber(c, names);
      const found = await readCategories(db, windowOf(number, names));
      const { rows: categories, hasMore } = toPage(found, number, names);
      return sendPage(c, page, <CategoriesPage {...{ page, number, hasMore, categories }} />);
    })
    .get("/shops", async (c) => {
      const page = openPage(c, deps);
      const number = toNumber(c, names);
      const found = await readBiggestShops(db, windowOf(number, names));
      const { rows: shops, hasMore } = toPage(found, number, names);
      return sendPage(c, page, <ShopsPage {...{ page, number, hasMore, shops }} />);
    })
    .get("/price-drops", async (c) => {
      const page = openPage(c, deps);
      const number = toNumber(c, pricesFallen);
      const { drops: found } = await readPriceDrops(db, {
        since: new Date(clock.now().getTime() - dropDays * 24 * hourMs),
        minPercent: 1,
        onlyCurrent: true,
        shopIds: [],
        categories: [],
        group: "product",
        sort: "newest",
        ...windowOf(number, pricesFallen),
      });
      const { rows: shown, hasMore } = toPage(found, number, pricesFallen);
      const itemIds = shown.map(({ itemId }) => itemId);
      const records = await readProducts(db, itemIds);
      const drops = shown.flatMap((drop) =>
        livingOf([drop.itemId], records).map((record) => ({ drop, record })),
      );
      deps.demand.shown(drops.map(({ record }) => record.itemId));
      return sendPage(c, page, <PriceDropsPage {...{ page, number, hasMore, drops }} />);
    })
    .get("/robots.txt", (c) => sendText(c, toRobots(originOf(c, deps.market)), "text/plain"))
    .get("/sitemap.xml", async (c) =>
      sendText(c, toSiteMapIndex(originOf(c, deps.market), await ranges()), "application/xml"),
    )
    .get("/sitemaps/:name{pages\\.xml|[0-9]{1,12}\\.xml}", async (c) => {
      const origin = originOf(c, deps.market);
      const name = c.req.param("name").slice(0, -".xml".length);
      if (name === "pages") {
        return sendText(c, toPageMap(origin, await readPaths(deps)), "application/xml");
      }
      const range = Number(name);
      if (!(await ranges()).includes(range)) refuse(404, "not_found", "there is no such site map");
      return sendText(c, toProductMap(origin, await readRange(db, range)), "application/xml");
    });
}

/** One more than a page, which tells whether there is another. */
const windowOf = (number: number, { perPage }: List) => ({
  limit: perPage + 1,
  offset: (number - 1) * perPage,
});

/** What a page shows of the rows that its window has; throws 404 beyond the last one. */
function toPage<Row>(found: readonly Row[], number: number, { perPage, lastPage }: List) {
  if (found.length === 0 && number > 1) refuse(404, "not_found", "the list has fewer pages");
  return { rows: found.slice(0, perPage), hasMore: found.length > perPage && number < lastPage };
}

async function readPaths({ db }: PageDeps): Promise<string[]> {
  const all = { limit: mappedNames, offset: 0 };
  const [categories, shops] = await Promise.all([
    readCategories(db, all),
    readBiggestShops(db, all),
  ]);
  return [
    "/",
    "/categories",
    "/shops",
    "/price-drops",
    ...categories.map(({ category }) => searchFor("category", category)),
    ...shops.map(({ shopId }) => searchFor("shop_id", shopId)),
  ];
}

/** The page of the address; throws 404 for one that no list has. */
function toNumber(c: ApiContext, { lastPage }: List): number {
  const text = c.req.query("page") ?? "1";
  const number = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (number >= 1 && number <= lastPage) return number;
  refuse(404, "not_found", `page must be a whole number from 1 to ${lastPage}`);
}

function sendText(c: ApiContext, text: string, type: string): Promise<Response> {
  return sendZipped(c, text, 200, {
    "Content-Type": `${type}; charset=utf-8`,
    "Cache-Control": "public, max-age=3600",
  });
}

/** Pages that nobody should find by a search engine: they are for programs, for ops or of one visitor. */
const closed = [
  "/ops",
  "/v1/",
  "/meili/",
  "/go/",
  "/alerts",
  "/compare",
  "/feeds/",
  "/suggest",
  "/filter-values/",
];

function toRobots(origin: string): string {
  const rules = closed.map((path) => `Disallow: ${path}`);
  return ["User-agent: *", ...rules, "", `Sitemap: ${origin}/sitemap.xml`, ""].join("\n");
}

const namespace = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
const declaration = '<?xml version="1.0" encoding="UTF-8"?>';

/** The index of https://www.sitemaps.org/protocol.html: a map of the site's own pages, and one per range of products. */
function toSiteMapIndex(origin: string, ranges: readonly number[]): string {
  const maps = ["pages", ...ranges.map(String)].map(
    (name) => `<sitemap><loc>${origin}/sitemaps/${name}.xml</loc></sitemap>`,
  );
  return `${declaration}\n<sitemapindex ${namespace}>\n${maps.join("\n")}\n</sitemapindex>\n`;
}

function toProductMap(origin: string, products: readonly MappedProduct[]): string {
  return toMap(
    products.map(
      ({ itemId, changedAt }) =>
        `<url><loc>${origin}/products/${itemId}</loc><lastmod>${changedAt.toISOString().slice(0, 10)}</lastmod></url>`,
    ),
  );
}

/** Paths may have any characters; they are written as `URLSearchParams` writes them. */
function toPageMap(origin: string, paths: readonly string[]): string {
  return toMap(
    paths.map((path) => `<url><loc>${origin}${path.replaceAll("&", "&amp;")}</loc></url>`),
  );
}

const toMap = (urls: readonly string[]) =>
  `${declaration}\n<urlset ${namespace}>\n${urls.join("\n")}\n</urlset>\n`;
