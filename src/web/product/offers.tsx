import { comparedOf } from "../../catalog/attributes.ts";
import type { OffersBody, ProductOffersBody } from "../../api/products/offers/offer-schema.ts";
import { ago, beginning } from "../shared/format.ts";
import type { ProductRecord } from "../../catalog/products.ts";
import type { Page } from "../shared/page/page.ts";
import { Price, Stock } from "../shared/product/price.tsx";
import { ToShop } from "./visitor-actions.tsx";
import { UnitPrice } from "./facts.tsx";
import { ShopText, ofShop } from "../shared/text-language.tsx";
import { WideTable } from "../shared/table.tsx";
import { rankOf } from "../../catalog/unit-price/unit-price.ts";
import { conditionText } from "../shared/product/attribute-text.ts";
import { titleOf } from "../shared/product/product-tile.tsx";

const shownAtMost = 50;

type Offer = OffersBody["offers"][number];

interface OffersProps {
  page: Page;
  itemId: number;
  offers: OffersBody;
  order: OfferOrder;
}

/** The same product in all shops that are known to sell it, in the order that the reader chose. */
export function Offers({ page, itemId, offers: body, order }: OffersProps) {
  const { m } = page;
  const { left_out: leftOut } = body.coverage;
  const others = new Set(body.offers.map((offer) => offer.item_id));
  others.delete(itemId);
  // What nothing is compared with leaves out itself alone.
  const hidden = body.match === null ? 0 : leftOut.gone + leftOut.unknown_price;
  return (
    <section class="card part" aria-labelledby="offers">
      <h2 id="offers">{m.product.offers}</h2>
      {body.match === null ? (
        <p class="quiet">{m.product.offersUnmatched}</p>
      ) : others.size === 0 ? (
        <p class="quiet">{m.product.offersAlone}</p>
      ) : (
        <>
          <p class="quiet">
            {body.offers.every((offer) => offer.match?.kind === "gtin")
              ? m.product.offersMatched(body.match.gtins.slice(0, 4).join(", "))
              : m.product.offersGrouped}
          </p>
          <Orders page={page} offers={body} order={order} />
          <OffersTable page={page} itemId={itemId} offers={body} order={order} />
          {body.offers.length > shownAtMost && (
            <p class="fine">{m.product.firstOnly(shownAtMost)}</p>
          )}
        </>
      )}
      {hidden > 0 && <p class="fine">{m.product.offersLeftOut(hidden)}</p>}
    </section>
  );
}

interface PriceElsewhereProps {
  page: Page;
  record: ProductRecord;
  offers: OffersBody;
}

/** From what price other shops have the same product in stock, unless this one has it for less; of the same condition. */
export function PriceElsewhere({ page, record, offers: { offers } }: PriceElsewhereProps) {
  const { m, money } = page;
  const condition = record.attributes?.condition ?? null;
  const elsewhere = offers.filter(
    (offer) =>
      offer.in_stock && offer.condition === condition && offer.shop.shop_id !== record.shop.shopId,
  );
  if (elsewhere.length === 0) return null;
  const lowest = Math.min(...elsewhere.map((offer) => offer.price));
  const isSoldHere = record.deletedAt === null && record.price > 0 && record.stock > 0;
  const shops = new Set(elsewhere.map((offer) => offer.shop.shop_id)).size;
  return (
    <p>
      {isSoldHere && record.price <= lowest ? (
        <span class="tag good">{m.product.lowestOf(shops + 1)}</span>
      ) : (
        <a href="#offers">{m.product.elsewhereFrom(shops, money(lowest))}</a>
      )}
    </p>
  );
}

function Orders({ page, offers: { offers }, order }: Omit<OffersProps, "itemId">) {
  const { orders, ordersLabel } = page.m.product;
  const hasUnitPrices = offers.some((offer) => offer.unit_price !== null);
  return (
    <nav class="choices" aria-label={ordersLabel}>
      {offerOrders
        .filter((known) => known !== "unit_price" || hasUnitPrices)
        .map((known) => (
          <a
            href={known === "price" ? "?#offers" : `?offers=${known}#offers`}
            aria-current={known === order ? "true" : undefined}
          >
            {orders[known]}
          </a>
        ))}
    </nav>
  );
}

function OffersTable({ page, itemId, offers: { offers }, order }: OffersProps) {
  const { m, lang } = page;
  const compared = comparedOf(offers);
  const lowest = compared[0]?.price;
  return (
    <WideTable
      label={m.product.offers}
      class="offers"
      rows={inOrder(offers, order).slice(0, shownAtMost)}
      rowClass={(offer) => (offer.item_id === itemId ? "own" : undefined)}
      columns={({ head, column }) => [
        head(m.product.shop, (offer) => <Seller page={page} itemId={itemId} offer={offer} />),
        column(m.product.price, (offer) => (
          <>
            <Price page={page} price={offer.price} properPrice={null} />
            <UnitPrice page={page} unitPrice={offer.unit_price} look="fine" />
            {offer.condition !== null && (
              <span class="tag">{conditionText(m, offer.condition)}</span>
            )}
            {offer.price === lowest && offer.in_stock && compared.includes(offer) && (
              <span class="tag good">{m.product.cheapest}</span>
            )}
          </>
        )),
        column(m.product.stock, (offer) => (
          <>
            <Stock stock={offer.in_stock ? offer.stock : 0} m={m} />
            <span class="fine">{m.product.checked(ago(offer.age_s, lang))}</span>
            {offer.url !== null && (
              <ToShop
                page={page}
                itemId={offer.item_id}
                isSoldOut={!offer.in_stock}
                about={beginning(offer.shop.shop_name, 60)}
              />
            )}
          </>
        )),
      ]}
    />
  );
}

type OfferProps = Pick<OffersProps, "page" | "itemId"> & { offer: Offer };

function Seller({ page, itemId, offer }: OfferProps) {
  const name = <ShopText page={page} text={offer.shop.shop_name} />;
  return (
    <>
      {offer.item_id === itemId ? (
        <>
          {name} <span class="tag">{page.m.product.thisOne}</span>
        </>
      ) : (
        <a href={`/products/${offer.item_id}`}>{name}</a>
      )}
      <Reason page={page} itemId={itemId} offer={offer} />
      {offer.variation !== null && (
        <span class="fine" dir="auto">
          {beginning(offer.variation.variation, 60)}
        </span>
      )}
    </>
  );
}

/** What makes the offer of another shop the same product, where no barcode does, and its own name. */
function Reason({ page, itemId, offer }: OfferProps) {
  const { m } = page;
  if (offer.item_id === itemId || offer.match === null || offer.match.kind === "gtin") return null;
  return (
    <span class="fine" dir="auto">
      {m.product.matchKinds[offer.match.kind]}:{" "}
      <ShopText page={page} text={offer.title} most={80} />
    </span>
  );
}

/** `price`: as the API has them, the cheapest in stock first. `checked`: the last confirmed first. */
export const offerOrders = ["price", "unit_price", "checked"] as const;
export type OfferOrder = (typeof offerOrders)[number];

/** The order that the address names; anything else is the usual order. */
export function toOfferOrder(text: string | undefined): OfferOrder {
  return offerOrders.find((known) => known === text) ?? "price";
}

/** Ordered by the price of a unit; offers in stock come first, and offers without such a price last. */
export function inOrder(offers: readonly Offer[], order: OfferOrder): readonly Offer[] {
  if (order === "price") return offers;
  if (order === "checked") return offers.toSorted((a, b) => a.age_s - b.age_s);
  return offers.toSorted(
    (a, b) => Number(b.in_stock) - Number(a.in_stock) || compareUnitPrices(a, b),
  );
}

/** Prices of grams, millilitres and pieces cannot be compared: they stand one kind after the other. */
const units = ["g", "ml", "piece"] as const;

function compareUnitPrices(a: Offer, b: Offer): number {
  const [one, other] = [a.unit_price?.quantity, b.unit_price?.quantity];
  if (!one || !other) return Number(!one) - Number(!other);
  return (
    units.indexOf(one.unit) - units.indexOf(other.unit) ||
    rankOf(a.price, one) - rankOf(b.price, other)
  );
}

/** Products that may be another one, so that their prices are not compared. */
export function Similar({ page, similar }: { page: Page; similar: ProductOffersBody["similar"] }) {
  const { m } = page;
  if (similar.length === 0) return null;
  return (
    <section class="card part" aria-labelledby="similar">
      <h2 id="similar">{m.product.similar}</h2>
      <p class="quiet">{m.product.similarNote}</p>
      <WideTable
        label={m.product.similar}
        class="offers"
        rows={similar}
        columns={({ head, column }) => [
          head(m.product.product, (offer) => (
            <>
              <a href={`/products/${offer.item_id}`} {...ofShop(offer.title, page)}>
                {titleOf(offer, page, 80)}
              </a>
              <ShopText page={page} text={offer.shop.shop_name} class="fine" />
            </>
          )),
          column(m.product.price, ({ price }) => (
            <Price page={page} price={price} properPrice={null} />
          )),
          column(m.product.stock, (offer) => (
            <Stock stock={offer.in_stock ? offer.stock : 0} m={m} />
          )),
        ]}
      />
    </section>
  );
}
