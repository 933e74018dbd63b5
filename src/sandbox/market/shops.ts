import { z } from "zod";
import type { Catalog } from "../catalogue/catalog.ts";
import { type Journal, createRecords } from "../state/journal.ts";

export const shopRecord = z.object({
  shop_id: z.string(),
  shop_name: z.string(),
  shop_url: z.string(),
  shop_introduction: z.string(),
  mail_address: z.string(),
});

export type Shop = z.infer<typeof shopRecord>;

/**
 * The open shops. A shop exists from its first product until it is closed: then it is deleted, and its
 * owner loses access. Selling out does not close it.
 */
export function createShops(journal: Journal, catalog: Catalog) {
  const shops = createRecords(journal, "shop", shopRecord);
  catalog.watch({
    item(_, after) {
      if (!after) return;
      const { shop_id, shop_name, shop_url } = after;
      const known = shops.get(shop_id);
      if (known?.shop_name === shop_name && known.shop_url === shop_url) return;
      shops.put(shop_id, { ...(known ?? newShop(shop_id)), shop_name, shop_url });
    },
    shopClosed: (shopId) => shops.remove(shopId),
  });
  return {
    get: (shopId: string) => shops.get(shopId),
    /** Finds the shop of an e-mail address or shop id, as an owner types it. */
    byLogin(login: string): Shop | undefined {
      const text = login.trim().toLowerCase();
      for (const shop of shops.values()) {
        if (shop.shop_id.toLowerCase() === text || shop.mail_address.toLowerCase() === text) {
          return shop;
        }
      }
      return undefined;
    },
    all: () => shops.values(),
    open: (shop: Shop) => shops.put(shop.shop_id, shop),
  };
}

function newShop(shopId: string): Pick<Shop, "shop_id" | "shop_introduction" | "mail_address"> {
  return { shop_id: shopId, shop_introduction: "", mail_address: `${shopId}@shops.example.com` };
}
