import type { Child } from "hono/jsx";
import type { CategoryRecord } from "../../catalog/counts.ts";
import type { PriceDrop } from "../../catalog/history/price-drops.ts";
import type { ProductRecord } from "../../catalog/products.ts";
import type { ShopRecord } from "../../catalog/shops.ts";
import { beginning, count, date } from "../shared/format.ts";
import { Layout, titleOfPage } from "../shared/page/layout.tsx";
import type { Page } from "../shared/page/page.ts";
import { Price } from "../shared/product/price.tsx";
import { ProductTile } from "../shared/product/product-tile.tsx";
import { ofShop } from "../shared/text-language.tsx";
import { searchFor } from "../shared/search-address.ts";

interface ListPageProps {
  page: Page;
  title: string;
  description: string;
  /** Path without parameters. */
  path: string;
  /** From 1. */
  number: number;
  hasMore: boolean;
  children: Child;
}

/** One page of a list, with links to those before and after it. */
function ListPage(props: ListPageProps) {
  const { page, title, path, number, hasMore } = props;
  const { m } = page;
  const href = (to: number) => (to === 1 ? path : `${path}?page=${to}`);
  return (
    <Layout
      page={page}
      title={titleOfPage(page, title, number)}
      description={props.description}
      canonical={href(number)}
    >
      <h1>{title}</h1>
      <p class="quiet">{props.description}</p>
      {props.children}
      {(number > 1 || hasMore) && (
        <nav class="paging" aria-label={m.search.pages}>
          {number > 1 && (
            <a href={href(number - 1)} rel="prev">
              {m.search.previous}
            </a>
          )}
          <span aria-current="page">{number}</span>
          {hasMore && (
            <a href={href(number + 1)} rel="next">
              {m.search.next}
            </a>
          )}
        </nav>
      )}
    </Layout>
  );
}

type Numbered = Pick<ListPageProps, "page" | "number" | "hasMore">;

export function CategoriesPage(props: Numbered & { categories: readonly CategoryRecord[] }) {
  const { m } = props.page;
  return (
    <ListPage
      {...props}
      path="/categories"
      title={m.browse.categories}
      description={m.browse.categoriesText}
    >
      <ul class="names">
        {props.categories.map(({ category, products }) => (
          <li>
            <a href={searchFor("category", category)} {...ofShop(category, props.page)}>
              {beginning(category, 60)}
            </a>{" "}
            <span class="fine number">{count(products)}</span>
          </li>
        ))}
      </ul>
    </ListPage>
  );
}

export function ShopsPage(props: Numbered & { shops: readonly ShopRecord[] }) {
  const { m } = props.page;
  return (
    <ListPage {...props} path="/shops" title={m.browse.shops} description={m.browse.shopsText}>
      <ul class="names">
        {props.shops.map(({ shopId, shopName, products }) => (
          <li>
            <a href={searchFor("shop_id", shopId)} {...ofShop(shopName, props.page)}>
              {beginning(shopName, 60).trim() || shopId}
            </a>{" "}
            <span class="fine number">{count(products)}</span>
          </li>
        ))}
      </ul>
    </ListPage>
  );
}

export interface ShownDrop {
  drop: PriceDrop;
  record: ProductRecord;
}

export function PriceDropsPage(props: Numbered & { drops: readonly ShownDrop[] }) {
  const { page } = props;
  const { m } = page;
  return (
    <ListPage
      {...props}
      path="/price-drops"
      title={m.browse.priceDrops}
      description={m.browse.priceDropsText}
    >
      {props.drops.length === 0 && <p>{m.browse.noDrops}</p>}
      <ul class="results">
        {props.drops.map((one) => (
          <DropCard page={page} heading="h2" {...one} />
        ))}
      </ul>
    </ListPage>
  );
}

/** A product with the price that fell. */
export function DropCard(props: ShownDrop & { page: Page; heading: "h2" | "h3"; eager?: boolean }) {
  const { page, drop, record, heading, eager = false } = props;
  const { m, lang } = page;
  const { price, priceBefore } = drop;
  const prices = (
    <Price page={page} price={price} properPrice={priceBefore} before={m.browse.before} />
  );
  return (
    <ProductTile page={page} record={record} heading={heading} prices={prices} eager={eager}>
      <p class="fine">{m.product.lowAt(date(drop.seenAt, "day", lang))}</p>
    </ProductTile>
  );
}
