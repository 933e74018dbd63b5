import type { Market } from "../../catalog/market.ts";
import type { ProductRecord } from "../../catalog/products.ts";
import { gtin14sOf, toPrintedGtin } from "../../api/products/to-product.ts";
import { escapeForScript } from "../shared/escape-for-script.ts";
import { beginning } from "../shared/format.ts";
import { toSafeImage, toSafeLink } from "../../lib/safe-url.ts";

const maxTextChars = 5000;

/** The product in schema.org format, as text for a script element. */
export function toStructuredData(record: ProductRecord, market: Market): string {
  const images = record.images.flatMap((slot) => {
    const image = slot && toSafeImage(slot["640"] ?? slot["500"] ?? slot["origin"]);
    return image ? [image] : [];
  });
  const gtins = [...gtin14sOf(record)].map(toPrintedGtin);
  const shopUrl = toSafeLink(record.shop.shopUrl);
  const url = market.urlOf(record);
  const data = {
    "@context": "https://schema.org",
    "@type": "Product",
    "@id": `/products/${record.itemId}`,
    name: beginning(record.title, 300),
    ...(record.detail === "" ? {} : { description: beginning(record.detail, maxTextChars) }),
    ...(images.length > 0 ? { image: images } : {}),
    ...(record.identifier ? { sku: record.identifier } : {}),
    ...(gtins.length === 1 ? { gtin: gtins[0] } : {}),
    ...(record.categories.length > 0 ? { category: record.categories } : {}),
    ...(record.price > 0
      ? {
          offers: {
            "@type": "Offer",
            ...(url === null ? {} : { url }),
            price: record.price,
            priceCurrency: market.currency,
            availability: `https://schema.org/${toAvailability(record)}`,
            seller: {
              "@type": "Organization",
              name: record.shop.shopName,
              ...(shopUrl === null ? {} : { url: shopUrl }),
            },
          },
        }
      : {}),
  };
  return escapeForScript(JSON.stringify(data));
}

function toAvailability(record: ProductRecord): string {
  if (record.deletedAt) return "Discontinued";
  return record.stock > 0 ? "InStock" : "OutOfStock";
}
