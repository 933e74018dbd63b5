import { toSafeLink } from "../lib/safe-url.ts";

/** Where the marketplace sells its products, and in what money. */
export interface Market {
  /** The code of ISO 4217. Prices are whole numbers of this currency. */
  currency: string;
  /** See `loopbackPicturesOf`. */
  loopbackPictures: string | null;
  /** The origin of this site as visitors see it; null: that of each request. */
  publicUrl: string | null;
  /** The product's page in its shop; null if no safe web address can be made. */
  urlOf(product: Sold): string | null;
}

interface Sold {
  itemId: number;
  shop: { shopId: string; shopUrl: string };
}

export const defaultMarket = { urlTemplate: "{shop_url}items/{item_id}", currency: "JPY" };

/** `urlTemplate` has passed `urlTemplateFault`. */
export function createMarket(settings: {
  urlTemplate: string;
  currency: string;
  loopbackPictures?: string | null;
  publicUrl?: string | null;
}): Market {
  const { urlTemplate, currency, loopbackPictures = null, publicUrl = null } = settings;
  const needsShopUrl = urlTemplate.includes("{shop_url}");
  return {
    currency,
    loopbackPictures,
    publicUrl,
    urlOf({ itemId, shop }) {
      const shopUrl = needsShopUrl ? toBase(shop.shopUrl) : "";
      return shopUrl === null
        ? null
        : toSafeLink(fill(urlTemplate, { shopUrl, shopId: shop.shopId, itemId }));
    },
  };
}

/** What is wrong with a template; null: nothing. */
export function urlTemplateFault(template: string): string | null {
  if (/[{}]/.test(template.replaceAll(placeholder, ""))) {
    return "may have only the placeholders {shop_url}, {shop_id} and {item_id}";
  }
  const example = { shopUrl: "https://shop.example/", shopId: "shop-1", itemId: 1 };
  return toSafeLink(fill(template, example)) === null
    ? "must make http or https addresses without credentials, such as https://shop.example/items/{item_id}"
    : null;
}

const placeholder = /\{(shop_url|shop_id|item_id)\}/g;

/** A shop's address that is not the beginning is a part of another address, so it is encoded. */
function fill(
  template: string,
  { shopUrl, shopId, itemId }: { shopUrl: string; shopId: string; itemId: number },
): string {
  return template.replaceAll(placeholder, (_, name: string, offset: number) => {
    if (name === "item_id") return String(itemId);
    if (name === "shop_id") return encodeURIComponent(shopId);
    return offset === 0 ? shopUrl : encodeURIComponent(shopUrl);
  });
}

/** Ends in `/`. Null for an address with a query or fragment, which no path can follow. */
function toBase(shopUrl: string): string | null {
  const url = toSafeLink(shopUrl);
  if (url === null || /[?#]/.test(url)) return null;
  return url.endsWith("/") ? url : `${url}/`;
}

const currencies = new Set(Intl.supportedValuesOf("currency"));

export function isCurrency(code: string): boolean {
  return currencies.has(code);
}
