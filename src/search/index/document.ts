import { toConditionKind } from "../../catalog/attributes.ts";
import { toGtin14 } from "../../catalog/gtin.ts";
import { maxCategories, type StoredProduct } from "../../catalog/products.ts";
import { isAccessory, variantsIn } from "./accessory.ts";
import { bucketOf } from "./bucket.ts";
import { fold } from "./fold.ts";
import { toFacetKey } from "./facet-key.ts";
import { toUnitPriceRank } from "../../catalog/unit-price/unit-price.ts";
import { typedForms } from "./japanese-forms.ts";
import { buriedWords, capped, joinedCodes, normalise } from "./normalise.ts";
import { partsOfDecimals, withNumbersApart } from "./number-edges.ts";
import { otherCompounds, otherSpellings } from "./spellings.ts";
import { formsInText } from "./word-forms.ts";

/** Raised whenever `toDocument` says something else about the same product: indexes are then rebuilt. */
export const documentVersion = 29;

/** Words are searched in so many of a product's categories: each of their letters counts in every search. */
const searchedCategories = 20;

/** The part of a product that the search engine has: to find, filter, rank and verify it, not to show it. */
export interface IndexDocument {
  id: number;
  /** `mirror.desired_version` at the time of sending; equal to `mirror.indexed_version` once acknowledged. */
  _ver: number;
  title: string;
  /** How long the title is, in steps of a quarter: of equal matches, the one with less beside it comes first. */
  title_length: number;
  /** Of equal matches, the thing itself comes before what is made for it, and before other models (see `variantsIn`). */
  accessory: boolean;
  variants: number;
  /** What the title hides inside longer tokens or in several (see `buriedWords`, `joinedCodes`, `compoundParts`), and barcodes as the shop wrote them. */
  words: string[];
  /** Other spellings and inflections of the title's words; phrases in quotes are not searched here. */
  forms: string[];
  category_text: string;
  shop_name: string;
  identifier: string | null;
  gtins: string[];
  detail: string;
  /** The upstream's names for filters and facets: see `toFacetKey`. */
  shop_id: string;
  categories: string[];
  /** null, and last in each order by it, if the shop states none: upstream it is 0 then. */
  price: number | null;
  proper_price: number | null;
  /** 0 if no reduction is known; null without a price. */
  discount_percent: number | null;
  stock: number;
  in_stock: boolean;
  on_sale: boolean;
  /** The price of 100 g, 100 ml or 1 piece; null, and last in that order, if the content is not known. */
  unit_price: number | null;
  /** What the title tells; null or empty: nothing of it. Of a condition its first word. */
  condition: string | null;
  colours: string[];
  size: string | null;
  popularity: number;
  modified: number;
  /** Unix seconds. */
  first_seen: number;
  /** Only with several search hosts. */
  bucket?: number;
}

export type DocumentBuilder = (product: StoredProduct, ver: number) => IndexDocument;

/**
 * Pure and total: any product becomes a document of well-formed strings, finite numbers and at most 512
 * KiB of JSON, because one document that the engine cannot read makes its whole task fail.
 */
export function toDocument(product: StoredProduct, ver: number): IndexDocument {
  const title = capped(normalise(product.title), 1000);
  const price = finite(product.price);
  const properPrice = product.properPrice === null ? null : finite(product.properPrice);
  const stock = finite(product.stock);
  const barcodes = barcodesOf(product);
  return {
    id: product.itemId,
    _ver: ver,
    title: withNumbersApart(title),
    title_length: Math.round(Math.log(1 + title.length) / Math.log(1.25)),
    accessory: isAccessory(fold(title)),
    variants: variantsIn(fold(title)),
    words: [
      ...buriedWords(title, 48),
      ...partsOfDecimals(title).slice(0, 24),
      ...joinedCodes(title, 24),
      ...compoundParts(title, 64),
      ...barcodes.slice(0, 100),
    ].map(withNumbersApart),
    forms: [
      ...otherSpellings(title).slice(0, 24),
      ...otherCompounds(title).slice(0, 24),
      ...formsInText(title, 48),
      ...typedForms(title).slice(0, 24),
    ].map(withNumbersApart),
    category_text: toText(
      product.categories
        .slice(0, searchedCategories)
        .map((name) => capped(name, 200))
        .join(" / "),
    ),
    shop_name: toText(product.shop.shopName, 200),
    identifier: product.identifier === null ? null : toText(product.identifier, 200),
    gtins: [...new Set(barcodes.flatMap((barcode) => toGtin14(barcode) ?? []))],
    detail: toText(product.detail, 5000),
    shop_id: toFacetKey(product.shop.shopId),
    categories: product.categories.slice(0, maxCategories).map(toFacetKey),
    price: price > 0 ? price : null,
    proper_price: properPrice,
    discount_percent: price > 0 ? discountPercent(price, properPrice) : null,
    stock,
    in_stock: stock > 0,
    on_sale: isOnSale({ price, properPrice }),
    unit_price: toUnitPriceRank(product),
    condition: toConditionKind(product.attributes?.condition ?? null),
    colours: product.attributes?.colours ?? [],
    size: product.attributes?.size ?? null,
    popularity: finite(product.popularity),
    modified: finite(product.modified),
    first_seen: finite(Math.floor(product.firstSeenAt.getTime() / 1000)),
  };
}

function toText(text: string, limit = Number.POSITIVE_INFINITY): string {
  return withNumbersApart(capped(normalise(text), limit));
}

/** The document of an index on one of several hosts: it has the bucket, too. */
export function toPlacedDocument(product: StoredProduct, ver: number): IndexDocument {
  return { ...toDocument(product, ver), bucket: bucketOf(product.itemId) };
}

/** A price of 0 is none, and nothing is reduced to it. */
export function isOnSale(product: { price: number; properPrice: number | null }): boolean {
  const { price, properPrice } = product;
  return price > 0 && properPrice !== null && properPrice > price;
}

/** The percentage below the proper price, rounded down; 0 if the price is not known or not below it. */
export function discountPercent(price: number, properPrice: number | null): number {
  if (properPrice === null || properPrice <= price || price <= 0) return 0;
  return Math.floor(((properPrice - price) * 100) / properPrice);
}

function barcodesOf(product: StoredProduct): string[] {
  const barcodes = new Set<string>();
  for (const { barcode } of product.variations) {
    if (barcode !== null && barcode !== "") barcodes.add(capped(normalise(barcode), 32));
    if (barcodes.size === 200) break;
  }
  return [...barcodes];
}

/** A number that JSON and the engine return unchanged; adding 0 turns -0 into 0. */
function finite(value: number): number {
  if (!Number.isFinite(value)) return 0;
  const limit = Number.MAX_SAFE_INTEGER;
  return Math.max(-limit, Math.min(limit, value)) + 0;
}

const run = /[\p{L}\p{N}ー]+/gu;
const japanese = /[ぁ-ヺー々一-鿿]/;
const segmenter = new Intl.Segmenter("ja", { granularity: "word" });
const isParticle = (segment = "") => /^[のにをはがでとへも]$/.test(segment);
/** Words that are typed together in one phrase; of longer phrases the engine cuts most as in the text. */
const mostTogether = 3;

/**
 * The words of Japanese that is written without spaces, also two or three of them together: 万年筆 and 万年筆用 of
 * 革万年筆用. The engine cuts a whole text elsewhere than the phrase alone, and does not find the phrase there. For
 * normalised text.
 */
export function compoundParts(text: string, limit: number): string[] {
  const parts = new Set<string>();
  for (const { 0: found, index } of text.matchAll(run)) {
    if (!japanese.test(found)) continue;
    const ends = [index - 1, index + found.length].map((at) => text.charAt(at).trim());
    // Between spaces it is cut as it is alone, but for a number: 40錠.
    const isCutAlike = ends.join("") === "" && !/^\d/.test(found);
    const segments = [...segmenter.segment(found)].map(({ segment }) => segment);
    for (const [from, first] of segments.entries()) {
      if (isParticle(first)) continue;
      for (let to = from + 1; to <= Math.min(segments.length, from + mostTogether); to += 1) {
        const part = segments.slice(from, to).join("");
        const isPhrase = part.length > 1 && japanese.test(part) && !isParticle(segments[to - 1]);
        if (isPhrase && !(isCutAlike && part === found)) parts.add(part);
      }
    }
    if (parts.size >= limit) break;
  }
  return [...parts].slice(0, limit);
}
