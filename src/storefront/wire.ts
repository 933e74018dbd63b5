import { z } from "zod";

/** The upstream's answers, with the names of its specification (version 1, sections 2.1 to 2.3, 4 and 7). */
export const imageSizes = ["origin", "76", "146", "300", "500", "640", "sp_480", "sp_640"] as const;
export const imageSlots = [1, 2, 3, 4, 5] as const;

export type ImageKey = `img${(typeof imageSlots)[number]}_${(typeof imageSizes)[number]}`;

export function imageKey(
  slot: (typeof imageSlots)[number],
  size: (typeof imageSizes)[number],
): ImageKey {
  return `img${slot}_${size}`;
}

export const sortColumns = ["item_id", "price", "stock", "order_count", "modified"] as const;
export const sortDirections = ["asc", "desc"] as const;
export type SortTerm = {
  column: (typeof sortColumns)[number];
  direction: (typeof sortDirections)[number];
};
export const maxPageSize = 50;
export const maxRefreshIds = 50;

const maxPrice = 1e12;
/** Of an id, in UTF-8: an index of Postgres holds no longer ones beside its other columns. */
const maxIdBytes = 2000;

const id = z.int().min(1);
const price = z.int().min(0).max(maxPrice);

/** An identity is stored as sent or refused, never corrected, because a corrected one would be another identity. */
const shopId = z
  .string()
  .min(1)
  .refine((text) => text.isWellFormed() && !text.includes("\0"), "not a usable identifier")
  .refine((text) => Buffer.byteLength(text) <= maxIdBytes, `longer than ${maxIdBytes} bytes`);

/** What a product can do without does not make it unreadable. */
const textOrNone = z
  .string()
  .nullish()
  .transform((text) => text ?? "");

const wireVariation = z.object({
  variation_id: id,
  variation: z.string(),
  variation_stock: z.int(),
  variation_identifier: z.string().nullish(),
  barcode: z.string().nullish(),
});

/** Section 2.3. The image fields are read separately, because any of them may be absent or unusable. */
export const wireRefreshItem = z.object({
  item_id: id,
  title: z.string(),
  detail: z.string().nullish(),
  price,
  stock: z.int(),
  modified: z.int().min(0),
  shop_id: shopId,
  shop_name: textOrNone,
  shop_url: textOrNone,
  categories: z.array(z.string()).nullish(),
});

/** Section 2.1. */
export const wireSearchItem = wireRefreshItem.extend({
  proper_price: price.nullish(),
  visible: z.literal([0, 1]),
  list_order: z
    .int()
    .nullish()
    .transform((order) => order ?? 0),
  identifier: z.string().nullish(),
  variations: z.array(wireVariation).nullish(),
});

export type WireRefreshItem = z.infer<typeof wireRefreshItem>;
export type WireSearchItem = z.infer<typeof wireSearchItem>;
export type WireImages = Partial<Record<ImageKey, string | null>>;

export const searchEnvelope = z.object({
  /** Without it the items are as good. */
  found: z.int().min(0).nullable().catch(null),
  /** Nothing depends on it. */
  start: z.int().min(0).catch(0),
  items: z.array(z.unknown()),
});

export const refreshEnvelope = z.object({ items: z.array(z.unknown()) });

export const errorEnvelope = z.object({
  error: z.string(),
  error_description: z.string().nullish().catch(null),
});
