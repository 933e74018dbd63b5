import type { Child } from "hono/jsx";
import { gtin14sOf, toPrintedGtin } from "../../catalog/gtin.ts";
import type { ProductRecord } from "../../catalog/products.ts";
import { attributeFacts } from "../shared/product/attribute-text.ts";
import { beginning, date } from "../shared/format.ts";
import type { Page } from "../shared/page/page.ts";
import { toSafeLink } from "../../lib/safe-url.ts";
import { ofShop } from "../shared/text-language.tsx";
import { searchFor } from "../shared/search-address.ts";
import { toUnitPrice, type UnitPrice as Amount } from "../../catalog/unit-price/unit-price.ts";

/** The shop, and other facts in one line each. */
export function Facts({ page, record }: { page: Page; record: ProductRecord }) {
  const { m, lang } = page;
  const gtins = [...gtin14sOf(record)].map(toPrintedGtin);
  return (
    <dl class="facts">
      <Fact name={m.product.shop}>
        <ShopLink page={page} shop={record.shop} />
      </Fact>
      {record.categories.length > 0 && (
        <Fact name={m.product.categories}>
          {record.categories.slice(0, 12).map((category) => (
            <a class="chip" {...ofShop(category, page)} href={searchFor("category", category)}>
              {beginning(category, 40)}
            </a>
          ))}
        </Fact>
      )}
      {record.identifier && (
        <Fact name={m.product.identifier}>{beginning(record.identifier, 80)}</Fact>
      )}
      {gtins.length > 0 && <Fact name={m.product.gtins}>{gtins.slice(0, 8).join(", ")}</Fact>}
      {attributeFacts(m, record.attributes).map(([name, text]) => (
        <Fact name={name}>{beginning(text, 80)}</Fact>
      ))}
      {record.price > 0 && (
        <Fact name={m.product.priceSince}>{date(record.priceSince, "moment", lang)}</Fact>
      )}
      <Fact name={m.product.firstSeen}>{date(record.firstSeenAt, "moment", lang)}</Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: Child }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd dir="auto">{children}</dd>
    </div>
  );
}

/** W2: a shop's address is a link only if it is a web address, and then `nofollow`. */
function ShopLink({ page, shop }: { page: Page; shop: ProductRecord["shop"] }) {
  const { m } = page;
  const href = toSafeLink(shop.shopUrl);
  const name = beginning(shop.shopName, 80).trim() || shop.shopId;
  return (
    <>
      <span {...ofShop(name, page)}>{name}</span>
      {href !== null && (
        <a href={href} rel="noopener nofollow ugc" referrerpolicy="no-referrer" target="_blank">
          {m.product.toShop}
          <span aria-hidden="true"> ↗</span>
        </a>
      )}
      <a href={searchFor("shop_id", shop.shopId)}>{m.product.moreOfShop}</a>
    </>
  );
}

/** What the price is for a unit, and what is known of the shop's regular price. */
export function PriceFacts({ page, record }: { page: Page; record: ProductRecord }) {
  const { m, money } = page;
  const { reduction, properPrice } = record;
  const unitPrice = toUnitPrice(record);
  return (
    <>
      {unitPrice && (
        <p>
          <UnitPrice page={page} unitPrice={unitPrice} look="quiet" />
        </p>
      )}
      {reduction && properPrice !== null && (
        <p class="quiet">
          {reduction.holds === true
            ? m.product.reductionHolds(money(reduction.low30d ?? properPrice))
            : reduction.holds === false && reduction.low30d !== null
              ? m.product.reductionFails(money(properPrice), money(reduction.low30d))
              : m.product.reductionUnknown(money(properPrice))}
        </p>
      )}
    </>
  );
}

/** What the price is for a unit; nothing where that is not known. */
export function UnitPrice(props: { page: Page; unitPrice: Amount | null; look: "quiet" | "fine" }) {
  const { page, unitPrice, look } = props;
  const { m, money } = page;
  if (unitPrice === null) return null;
  return (
    <span class={look}>
      {m.product.unitPrice(money(unitPrice.amount), m.product.units[unitPrice.per])}
    </span>
  );
}
