import type { Child } from "hono/jsx";
import type { ProductRecord } from "../../../catalog/products.ts";
import { isVisible } from "../../../lib/visible.ts";
import { beginning } from "../format.ts";
import type { Page } from "../page/page.ts";
import { Picture } from "./picture.tsx";
import { Stock } from "./price.tsx";
import { ofShop, ShopText } from "../text-language.tsx";

/** The beginning of a product's title, which may have any length or be empty. */
export function titleOf({ title }: { title: string }, { m }: Pick<Page, "m">, most = 120): string {
  return isVisible(title) ? beginning(title.trim(), most) : m.product.untitled;
}

interface FirstPictureProps {
  page: Page;
  record: ProductRecord | null;
  eager?: boolean;
  sizes?: string;
}
export function FirstPicture(props: FirstPictureProps) {
  const { page, record, eager = false, sizes = "(min-width: 60rem) 15rem, 45vw" } = props;
  const slot = record?.images.find((one) => one !== null) ?? null;
  return <Picture page={page} slot={slot} sizes={sizes} alt="" eager={eager} />;
}

interface ProductTileProps {
  page: Page;
  record: ProductRecord;
  heading: "h2" | "h3";
  prices: Child;
  /** Its picture loads at once. */
  eager?: boolean;
  children?: Child;
}

/** A product as a card of a list: picture, title, prices, stock and shop, and what the list adds. */
export function ProductTile(props: ProductTileProps) {
  const { page, record, heading: Heading, eager = false } = props;
  return (
    <li class="card product">
      <FirstPicture page={page} record={record} eager={eager} />
      <div class="about">
        <Heading {...ofShop(record.title, page)}>
          <a href={`/products/${record.itemId}`}>{titleOf(record, page)}</a>
        </Heading>
        {props.prices}
        <p class="line">
          <Stock stock={record.stock} m={page.m} />
          <ShopText page={page} text={record.shop.shopName} class="shop" />
        </p>
        {props.children}
      </div>
    </li>
  );
}
