import { z } from "zod";
import {
  maxPageSize,
  refreshEnvelope,
  searchEnvelope,
  wireRefreshItem,
  wireSearchItem,
} from "../../storefront/wire.ts";
import { imageFields } from "../catalogue/item.ts";
import type { OtherOperation } from "./operation.ts";
import { specified, whole } from "./parameters.ts";

const credentials = {
  client_id: specified(z.string(), "the client id dedicated to Search"),
  client_secret: specified(z.string(), "the client secret dedicated to Search"),
};

/** Sections 4.1 and 4.2; answered by the routes of `search/`. */
export const searchOperations: OtherOperation[] = [
  {
    id: "search",
    method: "GET",
    path: "/1/search",
    purpose: "search products across all shops",
    access: "search",
    parameters: {
      ...credentials,
      q: specified(z.string(), "keywords, separated by spaces"),
      sort: specified(
        z.string().optional(),
        "comma-separated list of `<column> <direction>`: item_id, price, stock, order_count or modified; asc or desc",
      ),
      start: specified(whole(0, Number.MAX_SAFE_INTEGER).optional(), "0 unless told"),
      size: specified(whole(1, maxPageSize).optional(), "10 unless told"),
      fields: specified(
        z.string().optional(),
        "columns searched, comma-separated; shop_name,title,detail,categories unless told",
      ),
      shop_id: specified(z.string().optional(), "restricts the search to one shop"),
    },
    answer: searchEnvelope.extend({ items: z.array(wireSearchItem.extend(imageFields)) }),
  },
  {
    id: "search-refresh",
    method: "GET",
    path: "/1/search/refresh",
    purpose: "re-fetch products found by search",
    access: "search",
    parameters: {
      ...credentials,
      item_id: specified(z.string(), "product ids separated by commas; at most 50"),
      shop_id: specified(z.string(), "shop identifier"),
    },
    answer: refreshEnvelope.extend({ items: z.array(wireRefreshItem.extend(imageFields)) }),
  },
];
