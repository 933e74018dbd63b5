/** URLs by size; only existing sizes. */
export type ImageSlot = Record<string, string>;

export interface Variation {
  variation_id: number;
  variation: string;
  variation_stock: number;
  variation_identifier: string | null;
  barcode: string | null;
}

/** The fields of a product in a refresh. Only a search has the other fields. */
export interface RefreshItem {
  itemId: number;
  title: string;
  detail: string;
  price: number;
  stock: number;
  /** Always five slots, null where unused. */
  images: (ImageSlot | null)[];
  /** The upstream's raw integer; its unit is not specified. */
  modified: number;
  shopId: string;
  shopName: string;
  shopUrl: string;
  categories: string[];
}

export interface SearchItem extends RefreshItem {
  properPrice: number | null;
  visible: number;
  listOrder: number;
  identifier: string | null;
  variations: Variation[];
}

/** An item that could not be read: the reason, and its text as sent (at most 64 KiB). */
export interface BrokenItem {
  itemId: number | null;
  reason: string;
  raw: string;
}

/** `items` and `broken` together are all items of the reply, each in its order. */
export interface ItemPage<T> {
  items: T[];
  broken: BrokenItem[];
  /** Names of unspecified fields, sorted. */
  unknownFields: string[];
  /** How many texts were cut to their maximum length. */
  truncatedFields: number;
}

export interface SearchPage extends ItemPage<SearchItem> {
  found: number;
  start: number;
}

export type RefreshPage = ItemPage<RefreshItem>;
