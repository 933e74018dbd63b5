import type { StorefrontClient } from "../../storefront/client.ts";
import type { SearchParams } from "../../storefront/request.ts";
import type { SearchItem } from "../../storefront/product.ts";
import type { CallKind } from "./meter.ts";
import type { Upstream, SearchOrder } from "./upstream.ts";
import type { World } from "../worlds/world.ts";

/** Product ids begin at 1, items of a world at 0. */
export const toItemId = (item: number) => item + 1;
export const toItem = (itemId: number) => itemId - 1;
export const toShopId = (shop: number) => `shop-${shop}`;
export const toKeyword = (keyword: number) => `keyword-${keyword}`;

export interface AnsweredCall {
  kind: CallKind;
  /** Items of the world: those that were shown or that a refresh asked for. */
  items: readonly number[];
}

/**
 * The upstream's two operations on a world, without a network. `onCall` is called before each answer,
 * and may throw what the upstream answers instead; `onAnswer` afterwards.
 */
export function createWorldClient(
  world: World,
  upstream: Upstream,
  hooks: { onCall(): void; onAnswer(answered: AnsweredCall): void },
): StorefrontClient {
  const whole = { broken: [], unknownFields: [], truncatedFields: 0 };
  const keywords = new Map(Array.from({ length: world.keywords }, (_, k) => [toKeyword(k), k]));
  const show = (item: number) => toSearchItem(world, upstream, item);
  return {
    async search(params) {
      hooks.onCall();
      const keyword = keywords.get(params.q) ?? -1;
      const kind = orderOf(params);
      const start = params.start ?? 0;
      const items = upstream.search(keyword, kind, start, params.size);
      hooks.onAnswer({ kind, items });
      return { ...whole, found: upstream.found(keyword), start, items: items.map(show) };
    },
    async refresh({ itemIds }) {
      hooks.onCall();
      const items = itemIds.map(toItem);
      hooks.onAnswer({ kind: "refresh", items });
      return { ...whole, items: items.filter((item) => upstream.live[item]).map(show) };
    },
  };
}

function orderOf({ sort }: SearchParams): SearchOrder {
  const [first] = sort ?? [];
  if (first?.column === "modified") return "modified";
  if (first?.column === "order_count") return "popular";
  return first?.direction === "desc" ? "newest" : "oldest";
}

export function toSearchItem(world: World, upstream: Upstream, item: number): SearchItem {
  const shopId = toShopId(world.shopOf[item] ?? 0);
  const { price, stock } = world.states.of(upstream.content[item] ?? 0);
  const category = world.categoryOf(item);
  return {
    itemId: toItemId(item),
    title: `product ${item}`,
    detail: "",
    price,
    stock,
    images: [null, null, null, null, null],
    modified: Math.floor((upstream.modified[item] ?? 0) * 86_400),
    shopId,
    shopName: shopId,
    shopUrl: "https://shop.example",
    categories: category === "" ? [] : [category],
    properPrice: null,
    visible: 1,
    listOrder: 0,
    identifier: null,
    variations: [],
  };
}
