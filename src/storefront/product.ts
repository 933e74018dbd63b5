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
  unreadable?: Unreadable;
}

/** Of an item that is stored in spite of them: fields that hold what a new product has; a known one keeps its own. */
export interface Unreadable extends Evidence {
  fields: readonly KeptField[];
}

/** What a product can do without. */
export type KeptField = Exclude<
  keyof SearchItem,
  "itemId" | "title" | "price" | "stock" | "images" | "shopId" | "unreadable"
>;

export interface SearchItem extends RefreshItem {
  properPrice: number | null;
  visible: number;
  listOrder: number;
  identifier: string | null;
  variations: Variation[];
}

/** Why something could not be read, and the item's text as sent (at most 64 KiB). */
interface Evidence {
  reason: string;
  raw: string;
}

/** An item that could not be read. */
export interface BrokenItem extends Evidence {
  itemId: number | null;
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
  /** null: the number could not be read. */
  found: number | null;
  start: number;
}

export type RefreshPage = ItemPage<RefreshItem>;
