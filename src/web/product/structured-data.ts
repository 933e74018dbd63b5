import { comparedOf } from "../../catalog/attributes.ts";
import type { Market } from "../../catalog/market.ts";
import type { OffersBody } from "../../api/products/offers/offer-schema.ts";
import type { ProductRecord } from "../../catalog/products.ts";
import { gtin14sOf, toPrintedGtin } from "../../catalog/gtin.ts";
import { beginning } from "../shared/format.ts";
import type { Page } from "../shared/page/page.ts";
import { toSafeImage, toSafeLink } from "../../lib/safe-url.ts";

const maxTextChars = 5000;
/** Offers that are written out; `offerCount` has all of them. */
const maxOffers = 20;

type Offers = OffersBody["offers"];

/** The product with its offers, cheapest in stock first, in schema.org format. */
export function toStructuredData(
  record: ProductRecord,
  { market }: Pick<Page, "market">,
  offers: Offers,
) {
  const images = record.images.flatMap((slot) => {
    const image = slot && toSafeImage(slot["640"] ?? slot["500"] ?? slot["origin"]);
    return image ? [image] : [];
  });
  const gtins = [...gtin14sOf(record)].map(toPrintedGtin);
  return {
    "@context": "https://schema.org",
    "@type": "Product",
    "@id": `/products/${record.itemId}`,
    name: beginning(record.title, 300),
    ...(record.detail === "" ? {} : { description: beginning(record.detail, maxTextChars) }),
    ...(images.length > 0 ? { image: images } : {}),
    ...(record.identifier ? { sku: record.identifier } : {}),
    ...(gtins.length === 1 ? { gtin: gtins[0] } : {}),
    ...(record.categories.length > 0 ? { category: record.categories } : {}),
    ...(record.deletedAt === null && isOfSeveral(offers)
      ? { offers: toAggregate(offers, market.currency) }
      : record.price > 0
        ? { offers: toOwnOffer(record, market) }
        : {}),
  };
}

function toOwnOffer(record: ProductRecord, market: Market) {
  return toOffer({
    url: market.urlOf(record),
    price: record.price,
    currency: market.currency,
    availability: record.deletedAt ? "Discontinued" : stockOf(record.stock > 0),
    condition: record.attributes?.condition ?? null,
    shop: { shop_name: record.shop.shopName, shop_url: record.shop.shopUrl },
  });
}

/** Whether another product of the marketplace is the same; a product alone may have an offer for each variation. */
const isOfSeveral = (offers: Offers): boolean =>
  new Set(offers.map((offer) => offer.item_id)).size > 1;

/** The same product in several offers; all of them have a price. What is sold out or used is no lowest price of what is not. */
function toAggregate(offers: Offers, currency: string) {
  const prices = comparedOf(offers).map(({ price }) => price);
  return {
    "@type": "AggregateOffer",
    lowPrice: Math.min(...prices),
    highPrice: Math.max(...prices),
    priceCurrency: currency,
    offerCount: offers.length,
    offers: offers
      .slice(0, maxOffers)
      .map((offer) => toOffer({ ...offer, availability: stockOf(offer.in_stock) })),
  };
}

/** Those that schema.org has; a condition that no title tells is not known to be new. */
const conditionOf: Record<string, string> = {
  used: "https://schema.org/UsedCondition",
  refurbished: "https://schema.org/RefurbishedCondition",
};

const stockOf = (inStock: boolean) => (inStock ? "InStock" : "OutOfStock");

function toOffer(offer: {
  url: string | null;
  price: number;
  currency: string;
  availability: string;
  condition: string | null;
  shop: { shop_name: string; shop_url: string | null };
}) {
  const { url, shop } = offer;
  const itemCondition = conditionOf[offer.condition ?? ""];
  const shopUrl = toSafeLink(shop.shop_url ?? "");
  return {
    "@type": "Offer",
    ...(url === null ? {} : { url }),
    price: offer.price,
    priceCurrency: offer.currency,
    availability: `https://schema.org/${offer.availability}`,
    ...(itemCondition === undefined ? {} : { itemCondition }),
    seller: {
      "@type": "Organization",
      name: shop.shop_name,
      ...(shopUrl === null ? {} : { url: shopUrl }),
    },
  };
}
