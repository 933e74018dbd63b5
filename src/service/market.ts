import { createMarket, type Market } from "../catalog/market.ts";
import type { Config } from "../config.ts";
import { loopbackPicturesOf } from "../lib/safe-url.ts";

export function marketOf({ storefront, publicUrl }: Config): Market {
  return createMarket({
    urlTemplate: storefront.productUrlTemplate,
    currency: storefront.currency,
    loopbackPictures: loopbackPicturesOf(storefront.baseUrl),
    publicUrl,
  });
}
