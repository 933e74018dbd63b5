import { sql } from "drizzle-orm";
import { idList, type RowOf } from "../db/rows.ts";
import { executePrepared, type Db, type Tx } from "../db/open.ts";
import type { product } from "../db/schema.ts";
import type { Cache } from "../lib/cache.ts";
import { attributesSql, type ProductAttributes } from "./attributes.ts";
import { createStateReader, readCatalogueState, stateOfStatement } from "./catalogue-state.ts";

/** Of a product that is in more categories, so many are stored, in its shop's order: each is a filter and has a count. */
export const maxCategories = 1000;

/** One product as it was last observed, with its shop. */
export interface StoredProduct extends Omit<
  typeof product.$inferSelect,
  "shopId" | "orderRank" | "lastCallId" | "deletedCallId" | "deletions"
> {
  /** What its title tells; null: it was not read yet. */
  attributes: ProductAttributes | null;
  shop: { shopId: string; shopName: string; shopUrl: string };
}

/** ... what its history says about its price, and where else it is sold. */
export interface ProductRecord extends StoredProduct {
  reduction: Reduction | null;
  group: GroupSummary | null;
}

/** The products of several shops that are one. */
export interface GroupSummary {
  groupId: number;
  /** Its members that are not deleted, two or more. */
  offers: number;
  /** Of the offers in stock, or of all if none is; used ones count only if all of these are used. null: no price is known. */
  lowestPrice: number | null;
  /** Of those of them whose title tells a condition; null: there is none. */
  lowestUsedPrice: number | null;
}

/** What `analytics.reductions` says of a product that is not gone and costs less than its proper price. */
export interface Reduction {
  /** The lowest price confirmed in the 30 days before the present price was first seen. */
  low30d: number | null;
  /** Whether the price is below that; null: those days were not looked at often enough. */
  holds: boolean | null;
}

type StoredRow = RowOf<Omit<StoredProduct, "shop"> & StoredProduct["shop"]>;

type Row = StoredRow & {
  is_reduced: boolean;
  low_30d: number | null;
  holds: boolean | null;
  group_id: number | null;
  offers: number;
  lowest_price: number | null;
  lowest_used_price: number | null;
  version: string;
  catalogue_state: string | null;
};

/** Products by id, deleted ones included; unknown ids are left out. */
export async function readProducts(
  db: Db | Tx,
  itemIds: readonly number[],
): Promise<Map<number, ProductRecord>> {
  const { products } = await readVersionedProducts(db, itemIds);
  return new Map([...products].map(([id, { record }]) => [id, record]));
}

const columns = sql`p.item_id, p.ver, p.state, p.title, p.detail, p.price, p.proper_price, p.stock, p.visible,
  p.list_order, p.identifier, p.images, p.variations, p.categories, p.popularity, p.modified, p.first_seen_at,
  p.checked_at, p.changed_at, p.price_since, p.deleted_at, s.shop_id, s.shop_name, s.shop_url,
  ${attributesSql}`;

const wanted = (itemIds: readonly number[]) => sql`
  json_array_elements_text(${JSON.stringify(itemIds)}::text::json) as wanted(id)
  join product p on p.item_id = wanted.id::bigint
  join shop s using (shop_id)
  left join product_attribute t on t.item_id = p.item_id`;

/** Products, by id, as the index needs them: without their history and groups. */
export async function readStoredProducts(
  db: Db | Tx,
  itemIds: readonly number[],
): Promise<Map<number, StoredProduct>> {
  if (itemIds.length === 0) return new Map();
  const rows = await db.execute<StoredRow>(sql`select ${columns} from ${wanted(itemIds)}`);
  return new Map(rows.map((row) => [row.item_id, toStored(row)]));
}

export interface VersionedProduct {
  /** Changes whenever the row of the product or of its shop is written, and with its attributes and group. */
  version: string;
  record: ProductRecord;
}

/** The groups of these products, each computed once, by the keys of its members. */
const groupsOf = (itemIds: readonly number[]) => sql`
  summary as materialized (
    select g.group_id, s.offers, coalesce(s.unused_in_stock, s.used_in_stock, s.unused, s.used) as lowest_price,
      coalesce(s.used_in_stock, case when s.unused_in_stock is null then s.used end) as lowest_used_price
    from (select distinct group_id from group_member where item_id in ${idList(itemIds)}) g
    cross join lateral (
      select count(*) as offers,
        min(o.price) filter (where o.price > 0 and o.stock > 0 and a.condition is null) as unused_in_stock,
        min(o.price) filter (where o.price > 0 and a.condition is null) as unused,
        min(o.price) filter (where o.price > 0 and o.stock > 0 and a.condition is not null) as used_in_stock,
        min(o.price) filter (where o.price > 0 and a.condition is not null) as used
      from group_member f join product o on o.item_id = f.item_id
      left join product_attribute a on a.item_id = f.item_id
      where f.group_id = g.group_id and o.state <> 'gone' offset 0
    ) s where s.offers > 1
  )`;

const withGroup = sql`
  left join group_member m on m.item_id = p.item_id left join summary g on g.group_id = m.group_id`;

/** The transactions that wrote the three rows, which are Postgres's own row versions, and what `g` says. */
const version = sql`concat_ws(' ', p.xmin, s.xmin, coalesce(t.xmin::text, '-'), g.group_id, g.offers,
  g.lowest_price, coalesce(g.lowest_used_price::text, '-'))`;

/**
 * `offset 0` keeps it apart, so that it is looked up for each reduced product alone: what it says stays
 * the same until the product's row is written, because what was seen before is never changed.
 */
const reductionOf = sql`
  select r.item_id, r.low_30d, r.holds from analytics.reductions r
  where r.item_id = p.item_id and p.proper_price > p.price offset 0`;

/** Products, and the catalogue state in which they were read. */
export async function readVersionedProducts(
  db: Db | Tx,
  itemIds: readonly number[],
): Promise<{ state: string | null; products: Map<number, VersionedProduct> }> {
  if (itemIds.length === 0) return { state: null, products: new Map() };
  const query = sql`
    with ${groupsOf(itemIds)}
    select ${columns}, r.item_id is not null as is_reduced, r.low_30d, r.holds,
      g.group_id, g.offers, g.lowest_price, g.lowest_used_price, ${version} as version, ${stateOfStatement} as catalogue_state
    from ${wanted(itemIds)} ${withGroup}
    left join lateral (${reductionOf}) r on true`;
  const rows = await ("$client" in db ? executePrepared<Row>(db, query) : db.execute<Row>(query));
  return {
    state: rows[0]?.catalogue_state ?? null,
    products: new Map(
      rows.map((row) => [row.item_id, { version: row.version, record: toRecord(row) }]),
    ),
  };
}

/** The versions alone. */
export async function readVersions(
  db: Db,
  itemIds: readonly number[],
): Promise<{ state: string | null; versions: Map<number, string> }> {
  const rows = await executePrepared<{
    item_id: number;
    version: string;
    catalogue_state: string | null;
  }>(
    db,
    sql`
    with ${groupsOf(itemIds)}
    select p.item_id, ${version} as version, ${stateOfStatement} as catalogue_state
    from ${wanted(itemIds)} ${withGroup}`,
  );
  return {
    state: rows[0]?.catalogue_state ?? null,
    versions: new Map(rows.map((row) => [row.item_id, row.version])),
  };
}

/** Those that are not deleted, in the order of the ids. */
export function livingOf(
  itemIds: readonly number[],
  records: ReadonlyMap<number, ProductRecord>,
): ProductRecord[] {
  return itemIds.flatMap((id) => records.get(id) ?? []).filter(({ state }) => state !== "gone");
}

export async function readProduct(db: Db | Tx, itemId: number): Promise<ProductRecord | null> {
  return (await readProducts(db, [itemId])).get(itemId) ?? null;
}

function toRecord(row: Row): ProductRecord {
  // Many members after a spread make V8 keep the object as a hash table: half as large again, and slow to read.
  return {
    reduction: row.is_reduced ? { low30d: row.low_30d, holds: row.holds } : null,
    group:
      row.group_id === null
        ? null
        : {
            groupId: row.group_id,
            offers: row.offers,
            lowestPrice: row.lowest_price,
            lowestUsedPrice: row.lowest_used_price,
          },
    ...toStored(row),
  };
}

function toStored(row: StoredRow): StoredProduct {
  return {
    itemId: row.item_id,
    ver: row.ver,
    state: row.state,
    title: row.title,
    detail: row.detail,
    price: row.price,
    properPrice: row.proper_price,
    stock: row.stock,
    visible: row.visible,
    listOrder: row.list_order,
    identifier: row.identifier,
    images: row.images,
    variations: row.variations,
    categories: row.categories,
    popularity: row.popularity,
    modified: row.modified,
    firstSeenAt: new Date(row.first_seen_at),
    checkedAt: new Date(row.checked_at),
    changedAt: new Date(row.changed_at),
    priceSince: new Date(row.price_since),
    deletedAt: row.deleted_at === null ? null : new Date(row.deleted_at),
    attributes: row.attributes,
    shop: { shopId: row.shop_id, shopName: row.shop_name, shopUrl: row.shop_url },
  };
}

export interface ReadProductsResult {
  /** By id, deleted products included; unknown ids are left out. */
  records: Map<number, ProductRecord>;
  /**
   * The catalogue state in which all of them were valid (see `readCatalogueState`); null if they come
   * from several states.
   */
  state: string | null;
}

/** Like `readProducts`, at the moment of the call or later. An unchanged product is the same object. */
export type ReadProducts = (itemIds: readonly number[]) => Promise<ReadProductsResult>;

const keepMs = 600_000;
/** Callers cache the JSON of a record too. */
const timesKept = 1.7;

interface Known extends VersionedProduct {
  /** The catalogue state in which this version was last confirmed. */
  state: string | null;
}

/**
 * Reads from Postgres only what the cache lacks. For cached products it reads the version of their
 * rows, and not even that while nothing was committed. All readers of one cache share its records.
 */
export function createProductReader(db: Db, cache: Cache): ReadProducts {
  const known = cache.open<Known>("product", keepMs, timesKept);
  const stateNow = createStateReader(() => readCatalogueState(db));

  async function readAnew(itemIds: readonly number[]): Promise<Known[]> {
    const { state, products } = await readVersionedProducts(db, itemIds);
    return [...products].map(([id, read]) => {
      const product = { ...read, state };
      known.set(String(id), product);
      return product;
    });
  }

  /** The cached records that are still valid. */
  async function unchanged(products: readonly Known[]): Promise<Known[]> {
    const ids = products.map(({ record }) => record.itemId);
    const { state, versions } = await readVersions(db, ids);
    const same = products.filter(({ record, version }) => version === versions.get(record.itemId));
    for (const product of same) product.state = state;
    return same;
  }

  return async (itemIds) => {
    const records = new Map<number, ProductRecord>();
    if (itemIds.length === 0) return { records, state: null };
    const state = await stateNow();
    const unsure: Known[] = [];
    for (const id of itemIds) {
      const product = known.get(String(id));
      if (product && state !== null && product.state === state) records.set(id, product.record);
      else if (product) unsure.push(product);
    }
    let isOfState = true;
    const add = (products: readonly Known[]) => {
      for (const product of products) {
        records.set(product.record.itemId, product.record);
        isOfState &&= product.state === state;
      }
    };
    if (unsure.length > 0) add(await unchanged(unsure));
    const unread = itemIds.filter((id) => !records.has(id));
    if (unread.length > 0) add(await readAnew(unread));
    return { records, state: isOfState ? state : null };
  };
}
