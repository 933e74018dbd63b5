import type { Child } from "hono/jsx";
import type { ProductRecord } from "../../catalog/products.ts";
import { beginning } from "./format.ts";
import type { Page } from "./page.ts";
import { Picture } from "./picture.tsx";
import { Stock } from "./price.tsx";
import { ofShop } from "./text-language.ts";

export function titleOf(record: ProductRecord, { m }: Page): string {
  return beginning(record.title, 120).trim() || m.product.untitled;
}

/** The picture of a card; without a product an empty one. */
export function FirstPicture({ page, record }: { page: Page; record: ProductRecord | null }) {
  const slot = record?.images.find((one) => one !== null) ?? null;
  return <Picture page={page} slot={slot} sizes="(min-width: 60rem) 15rem, 45vw" alt="" />;
}

interface ProductTileProps {
  page: Page;
  record: ProductRecord;
  heading: "h2" | "h3";
  prices: Child;
  children?: Child;
}

/** A product as a card of a list: picture, title, prices, stock and shop, and what the list adds. */
export function ProductTile(props: ProductTileProps) {
  const { page, record, heading: Heading } = props;
  return (
    <li class="card product">
      <FirstPicture page={page} record={record} />
      <div class="about">
        <Heading {...ofShop(record.title, page)}>
          <a href={`/products/${record.itemId}`}>{titleOf(record, page)}</a>
        </Heading>
        {props.prices}
        <p class="line">
          <Stock stock={record.stock} m={page.m} />
          <span class="shop" {...ofShop(record.shop.shopName, page)}>
            {beginning(record.shop.shopName, 60)}
          </span>
        </p>
        {props.children}
      </div>
    </li>
  );
}
