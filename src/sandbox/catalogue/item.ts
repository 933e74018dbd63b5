import { z } from "zod";
import {
  imageKey,
  imageSizes,
  imageSlots,
  wireRefreshItem,
  wireSearchItem,
  type ImageKey,
  type WireImages,
} from "../../storefront/wire.ts";

/** The keys of each slot, `origin` first. Built once, because every answer has 40 of them per item. */
const slotKeys: ImageKey[][] = imageSlots.map((slot) =>
  imageSizes.map((size) => imageKey(slot, size)),
);
const imageKeys = slotKeys.flat();

export const imageFields: Record<
  string,
  z.ZodOptional<z.ZodNullable<z.ZodString>>
> = Object.fromEntries(imageKeys.map((key) => [key, z.string().nullable().optional()]));

const fileItem = wireSearchItem.extend({ order_count: z.int().min(0).default(0) });
const fileImages = z.object(imageFields);

/** A product of the sandbox: the fields of section 2.1, and the order count, which only a sort order shows. */
export type SandboxItem = ReturnType<typeof toSandboxItem>;
export type SandboxVariation = SandboxItem["variations"][number];

/** Reads a product written as the upstream's search result shows it; throws a `ZodError`. */
export function toSandboxItem(value: unknown) {
  const { detail, proper_price, identifier, variations, categories, ...rest } =
    fileItem.parse(value);
  return {
    ...rest,
    detail: detail ?? "",
    proper_price: proper_price ?? null,
    identifier: identifier ?? null,
    categories: categories ?? [],
    variations: (variations ?? []).map((v) => ({
      ...v,
      variation_identifier: v.variation_identifier ?? null,
      barcode: v.barcode ?? null,
    })),
    images: toImages(value),
  };
}

const fileFields = fileItem.partial().extend(imageFields);

/** Some fields of an item, as a changes file sets them; throws a `ZodError`. Unknown ones stay. */
export function toSandboxFields(set: Record<string, unknown>): Record<string, unknown> {
  fileFields.parse(set);
  return set;
}

/** The item with some fields of section 2.1 (or `order_count`) replaced; throws a `ZodError`. */
export function withFields(item: SandboxItem, set: Record<string, unknown>): SandboxItem {
  const { images, ...fields } = item;
  return toSandboxItem({ ...fields, ...images, ...set });
}

/** Only the sizes that exist; a slot without `origin` is unused. */
function toImages(value: unknown): WireImages {
  const read = fileImages.parse(value);
  const images: WireImages = {};
  for (const key of imageKeys) {
    const url = read[key];
    if (url !== undefined && url !== null) images[key] = url;
  }
  return images;
}

/**
 * An unused slot is null in every size; of a used one, a size not made yet is absent or null
 * (section 2.1, notes): here absent for odd ids and null for even ones, so that clients meet both.
 */
function imageFieldsOf(item: SandboxItem): WireImages {
  const fields: WireImages = {};
  for (const keys of slotKeys) {
    const [origin] = keys;
    const isUsed = origin !== undefined && item.images[origin] !== undefined;
    for (const key of keys) {
      const url = item.images[key];
      if (url !== undefined) fields[key] = url;
      else if (!isUsed || item.item_id % 2 === 0) fields[key] = null;
    }
  }
  return fields;
}

/** The format of catalogue files: section 2.1 and `order_count`. `toSandboxItem` reads it. */
export function toFileRow({ images, ...fields }: SandboxItem) {
  return { ...fields, ...images };
}

/** Section 2.1. */
export function toSearchBody(item: SandboxItem) {
  const { order_count: _, images: __, ...fields } = item;
  return withImages(fields, item);
}

/** Section 2.3. */
export function toRefreshBody(item: SandboxItem) {
  return withImages(wireRefreshItem.parse(item), item);
}

/** Not `{ ...fields, ...images }`: a second spread in a literal takes ten times as long as all the rest of an answer. */
function withImages<T extends object>(fields: T, item: SandboxItem): T & WireImages {
  return Object.assign(fields, imageFieldsOf(item));
}
