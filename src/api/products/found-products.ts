import { toConditionKind } from "../../catalog/attributes.ts";
import type { ProductRecord } from "../../catalog/products.ts";
import { escapeMarkup } from "../../lib/escape-markup.ts";
import { isOnSale } from "../../search/index/document.ts";
import { highlightClose, highlightOpen, withoutMarks } from "../../search/index/normalise.ts";
import type { OfferGroup, ProductHits, ProductQuery } from "../../search/query/query.ts";
import type { FoundProductBody } from "./product-schema.ts";
import { ageSeconds, gtin14sOf, toPrintedGtin } from "./to-product.ts";

/** A product to show, with what belongs to this search only. */
export interface FoundProduct {
  record: ProductRecord;
  ageSeconds: number;
  highlights: FoundProductBody["highlights"];
  /** Words of the query that it lacks, as typed; empty if it has all. */
  missingWords: readonly string[];
  /** Only if products are grouped. */
  offers?: NonNullable<FoundProductBody["offers"]>;
}

/**
 * The products of a page of hits. The index found and ordered them. Those that by the catalogue no
 * longer exist or match are left out, with a warning.
 */
export function toFoundProducts(
  hits: ProductHits,
  records: ReadonlyMap<number, ProductRecord>,
  query: ProductQuery,
  now: Date,
): { items: FoundProduct[]; warnings: string[] } {
  const existing = hits.ids.flatMap((id) => {
    const record = records.get(id);
    return record && record.state !== "gone" ? [record] : [];
  });
  const matching = existing.filter((record) => matches(record, query, now));
  const warnings: string[] = [];
  const deletedCount = hits.ids.length - existing.length;
  if (deletedCount > 0) warnings.push(left(deletedCount, "deleted a moment ago"));
  const changedCount = existing.length - matching.length;
  if (changedCount > 0) warnings.push(left(changedCount, "changed and no longer match"));
  const items = matching.map((record) => {
    const group = hits.groups.get(record.itemId);
    return {
      record,
      ageSeconds: ageSeconds(record, now),
      missingWords: hits.partial.get(record.itemId) ?? [],
      highlights: {
        title: toHighlightHtml(hits.titles.get(record.itemId) ?? withoutMarks(record.title)),
      },
      ...(group ? { offers: toOffers(group, query.group) } : {}),
    };
  });
  return { items, warnings };
}

function toOffers(
  group: OfferGroup,
  by: ProductQuery["group"],
): NonNullable<FoundProductBody["offers"]> {
  return {
    gtin: by === "gtin" && group.key !== null ? toPrintedGtin(group.key) : null,
    count: group.offers,
    in_stock: group.offersInStock,
    shops: group.shops,
    lowest_price: group.lowestPrice,
    highest_price: group.highestPrice,
  };
}

function left(count: number, why: string): string {
  return `${count} of this page's products ${count === 1 ? "is" : "are"} left out: ${why}; \`found\` still counts ${count === 1 ? "it" : "them"}`;
}

type Restricted = Pick<
  ProductRecord,
  | "price"
  | "properPrice"
  | "stock"
  | "categories"
  | "variations"
  | "shop"
  | "checkedAt"
  | "attributes"
>;

/** Whether a product matches the filters, by the catalogue. The engine alone decides about `q`. */
export function matches(record: Restricted, query: ProductQuery, now: Date): boolean {
  const { priceMin, priceMax, maxAgeSeconds = Infinity } = query;
  const within = (value: string, allowed: readonly string[] | undefined) =>
    !allowed?.length || allowed.includes(value);
  return (
    (priceMin === undefined || (record.price > 0 && record.price >= priceMin)) &&
    (priceMax === undefined || (record.price > 0 && record.price <= priceMax)) &&
    now.getTime() - record.checkedAt.getTime() <= maxAgeSeconds * 1000 &&
    (query.inStock === undefined || query.inStock === record.stock > 0) &&
    (query.onSale === undefined || query.onSale === isOnSale(record)) &&
    within(record.shop.shopId, query.shopIds) &&
    !query.excludeShopIds?.includes(record.shop.shopId) &&
    (!query.categories?.length ||
      record.categories.some((name) => within(name, query.categories))) &&
    (!query.gtins?.length || [...gtin14sOf(record)].some((gtin) => within(gtin, query.gtins))) &&
    hasAttributes(record.attributes, query)
  );
}

function hasAttributes(
  attributes: Restricted["attributes"],
  { conditions, colours, sizes }: ProductQuery,
): boolean {
  const has = (told: readonly (string | null | undefined)[], wanted: readonly string[] = []) =>
    wanted.length === 0 || told.some((value) => value && wanted.includes(value));
  return (
    has([toConditionKind(attributes?.condition ?? null)], conditions) &&
    has(attributes?.colours ?? [], colours) &&
    has([attributes?.size], sizes)
  );
}

/** Escapes first and adds the tags then, so that a shop's text cannot contain markup. */
export function toHighlightHtml(marked: string): string {
  return escapeMarkup(marked).replaceAll(highlightOpen, "<em>").replaceAll(highlightClose, "</em>");
}
