import { sql } from "drizzle-orm";
import { attributesSql, type ProductAttributes } from "../../catalog/attributes.ts";
import { toGtin14, toPrintedGtin } from "../../catalog/gtin.ts";
import { idList, type RowOf, toRecords } from "../../db/rows.ts";
import type { Db } from "../../db/open.ts";
import type { ImageSlot, VariationRow } from "../../db/schema.ts";

/** A product as people compare it with another one. */
export interface MatchSide {
  itemId: number;
  title: string;
  /** Including tax; 0: not known. */
  price: number;
  stock: number;
  isGone: boolean;
  image: ImageSlot | null;
  /** As printed below the bars, ascending. */
  gtins: string[];
  categories: string[];
  shop: { shopId: string; shopName: string };
  groupId: number | null;
  /** Null: its title was not read yet. */
  attributes: ProductAttributes | null;
}

/** As read: with its shop's members beside its own. */
type ReadSide = Omit<MatchSide, "image" | "gtins" | "shop"> &
  MatchSide["shop"] & { images: (ImageSlot | null)[]; variations: VariationRow[] };

/** The pairs with their products, deleted ones included; those of a product that is not known are left out. */
export async function withSides<Pair extends { a: number; b: number }>(
  db: Db,
  pairs: readonly Pair[],
): Promise<(Omit<Pair, "a" | "b"> & { a: MatchSide; b: MatchSide })[]> {
  if (pairs.length === 0) return [];
  const sides = await readSides(db, [...new Set(pairs.flatMap(({ a, b }) => [a, b]))]);
  return pairs.flatMap(({ a, b, ...rest }) => {
    const [left, right] = [sides.get(a), sides.get(b)];
    return left && right ? [{ ...rest, a: left, b: right }] : [];
  });
}

async function readSides(db: Db, itemIds: readonly number[]): Promise<Map<number, MatchSide>> {
  const rows = await db.execute<RowOf<ReadSide>>(sql`
    select p.item_id, p.title, p.price, p.stock, p.state = 'gone' as is_gone, p.images, p.variations,
      p.categories, s.shop_id, s.shop_name, m.group_id,
      ${attributesSql}
    from product p join shop s using (shop_id)
    left join group_member m using (item_id) left join product_attribute t using (item_id)
    where p.item_id in ${idList(itemIds)}`);
  return new Map(toRecords<ReadSide>(rows, {}).map((side) => [side.itemId, toSide(side)]));
}

function toSide({ images, variations, shopId, shopName, ...side }: ReadSide): MatchSide {
  return {
    ...side,
    image: images.find((slot) => slot !== null) ?? null,
    gtins: gtinsOf(variations),
    shop: { shopId, shopName },
  };
}

function gtinsOf(variations: readonly VariationRow[]): string[] {
  const all = variations.flatMap(({ barcode }) => toGtin14(barcode) ?? []);
  return [...new Set(all)].map(toPrintedGtin).toSorted();
}
