import type { Child } from "hono/jsx";
import { Hono } from "hono";
import { DropCard } from "../browse/list-pages.tsx";
import { ago, beginning, count } from "../shared/format.ts";
import { Layout } from "../shared/page/layout.tsx";
import { openPage, sendPage, type Page, type PageDeps } from "../shared/page/page.ts";
import { ProvenPrice } from "../shared/product/price.tsx";
import { FirstPicture, ProductTile } from "../shared/product/product-tile.tsx";
import { Viewed } from "../shared/product/viewed.tsx";
import { createHomeBlocks, type HomeBlocks } from "./blocks.ts";
import { ofShop } from "../shared/text-language.tsx";
import { asksForSearch, searchFor } from "../shared/search-address.ts";
import type { ApiEnv } from "../../api/http/deps.ts";

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
