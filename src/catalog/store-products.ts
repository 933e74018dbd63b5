import { sql, type SQL } from "drizzle-orm";
import { idList } from "../db/lists.ts";
import type { Tx } from "../db/open.ts";
import type { VariationRow } from "../db/schema.ts";
import type { RefreshItem, SearchItem } from "../storefront/product.ts";
import { toGtin14 } from "./gtin.ts";
import type { Observed, Sighting } from "./sighting.ts";
import { storeUnitPrices } from "./unit-prices.ts";

const refreshed = [
  "shop_id",
  "title",
  "detail",
  "price",
  "stock",
  "images",
  "categories",
  "modified",
];
const searchOnly = ["proper_price", "visible", "list_order", "identifier", "variations"];

/** What is known of the answer besides its items. */
export interface Shown {
  /** The answer is of a search, which shows all fields of an item. */
  full: boolean;
  /** Ranks by order count, by id, if the answer was in that order. */
  ranks: ReadonlyMap<number, number>;
}

/**
 * Writes the items of one answer, each id once, with history and variations. A refresh leaves the
 * fields that it does not show. Items that a later call has shown or proven deleted are not written
 * and not returned. Each product's row is written once.
 */
export async function storeProducts(
  tx: Tx,
  sighting: Sighting,
  seen: Shown & { items: readonly (RefreshItem | SearchItem)[] },
): Promise<Observed[]> {
  if (seen.items.length === 0) return [];
  const carried = seen.full ? [...refreshed, ...searchOnly] : refreshed;
  const at = sql`${sighting.sentAt.toISOString()}::timestamptz`;
  const contentDiffers = differs(carried);
  const valueDiffers = differs(seen.full ? ["price", "proper_price", "stock"] : ["price", "stock"]);
  const input = seen.items.map((item) => ({
    ...toInputRow(item),
    order_rank: seen.ranks.get(item.itemId),
  }));
  const rows = await tx.execute<WrittenRow>(sql`
    with input as (
      select * from json_to_recordset(${JSON.stringify(input)}::text::json) as x(
        item_id bigint, shop_id text, title text, detail text, price bigint, proper_price bigint,
        stock bigint, visible int, list_order bigint, identifier text, images jsonb, variations jsonb,
        categories jsonb, modified bigint, order_rank int)
      ${seen.full ? sql`` : sql`where exists (select from product p where p.item_id = x.item_id)`}
    ), written as (
      insert into product as p (
        item_id, shop_id, ver, state, title, detail, price, proper_price, stock, visible, list_order,
        identifier, images, variations, categories, modified,
        first_seen_at, checked_at, changed_at, price_since, order_rank, last_call_id)
      select item_id, shop_id, 1, 'live', title, detail, price, proper_price, stock,
        coalesce(visible, 1), coalesce(list_order, 0), identifier, images,
        coalesce(variations, '[]'), categories, modified,
        ${at}, ${at}, ${at}, ${at}, order_rank, ${sighting.callId}
      from input order by item_id
      on conflict (item_id) do update set
        ${assignments(carried)},
        ver = p.ver + (${contentDiffers} or p.state = 'gone')::int,
        state = 'live', deleted_at = null, deleted_call_id = null,
        checked_at = excluded.checked_at,
        changed_at = case when ${contentDiffers} or p.state = 'gone' then ${at} else p.changed_at end,
        price_since = case when ${valueDiffers} or p.state = 'gone' then ${at} else p.price_since end,
        order_rank = coalesce(excluded.order_rank, p.order_rank), last_call_id = excluded.last_call_id
      where p.checked_at < excluded.checked_at and (p.deleted_at is null or p.deleted_at <= excluded.checked_at)
      returning new.item_id, new.title, new.price, new.proper_price, new.stock, new.price_since, new.variations,
        old.ver is null as created, new.ver <> old.ver as changed, old.checked_at as prev_confirmed_at, old.price as prev_price, old.stock as prev_stock,
        old.modified as prev_modified, old.categories as prev_categories, new.modified, new.shop_id, new.order_rank,
        new.categories,
        old.ver is null or old.variations <> new.variations as variations_changed
    ), history as (
      insert into price_interval
        (item_id, first_seen, price, proper_price, stock, prev_confirmed_at, prev_price, prev_stock, call_id)
      select item_id, ${at}, price, proper_price, stock, prev_confirmed_at, prev_price, prev_stock, ${sighting.callId}
      from written where price_since = ${at}
    ), released as (
      delete from held_deletion h using written w where h.item_id = w.item_id and h.proven_at <= ${at}
    )
    select item_id, shop_id, created, coalesce(changed, false) as changed, variations_changed, modified,
      prev_confirmed_at, prev_modified, order_rank, price, stock, categories,
      prev_price, prev_stock, prev_categories,
      case when created or changed then title end as title,
      case when created or changed then variations end as variations
    from written`);
  await storeUnitPrices(tx, rows.filter(isWritten));
  if (seen.full) await storeVariations(tx, seen.items, rows);
  return rows.map(toObserved);
}

/** The text of a product that is new or was changed; else null. */
type WrittenText = { title: string; variations: VariationRow[] };

function isWritten(row: WrittenRow): row is WrittenRow & WrittenText {
  return row.title !== null && row.variations !== null;
}

function toObserved(row: WrittenRow): Observed {
  return {
    itemId: row.item_id,
    shopId: row.shop_id,
    fate: row.created ? "created" : row.changed ? "changed" : "unchanged",
    modified: row.modified,
    price: row.price,
    stock: row.stock,
    categories: row.categories,
    before: isKnown(row)
      ? {
          checkedAt: new Date(row.prev_confirmed_at),
          modified: row.prev_modified,
          price: row.prev_price,
          stock: row.prev_stock,
          categories: row.prev_categories,
        }
      : null,
    orderRank: row.order_rank,
  };
}

/** The old row, which a product has that was known. */
type OldRow = {
  prev_confirmed_at: string;
  prev_modified: number;
  prev_price: number;
  prev_stock: number;
  prev_categories: string[];
};

function isKnown(row: WrittenRow): row is WrittenRow & OldRow {
  return row.prev_confirmed_at !== null;
}

type WrittenRow = {
  item_id: number;
  shop_id: string;
  created: boolean;
  changed: boolean;
  variations_changed: boolean;
  modified: number;
  order_rank: number | null;
  price: number;
  stock: number;
  categories: string[];
} & { [Column in keyof (OldRow & WrittenText)]: (OldRow & WrittenText)[Column] | null };

function differs(columns: readonly string[]): SQL {
  const list = (table: string) => sql.raw(columns.map((c) => `${table}.${c}`).join(", "));
  return sql`(${list("p")}) is distinct from (${list("excluded")})`;
}

function assignments(columns: readonly string[]): SQL {
  return sql.raw(columns.map((c) => `${c} = excluded.${c}`).join(", "));
}

function toInputRow(item: RefreshItem | SearchItem): Record<string, unknown> {
  const row = {
    item_id: item.itemId,
    shop_id: item.shopId,
    title: item.title,
    detail: item.detail,
    price: item.price,
    stock: item.stock,
    images: item.images,
    categories: item.categories,
    modified: item.modified,
  };
  if (!("properPrice" in item)) return row;
  return {
    ...row,
    proper_price: item.properPrice,
    visible: item.visible,
    list_order: item.listOrder,
    identifier: item.identifier,
    variations: item.variations,
  };
}

/** Fills the table for joins by GTIN. The product row has the same list, so that an answer needs one read. */
async function storeVariations(
  tx: Tx,
  items: readonly (RefreshItem | SearchItem)[],
  rows: readonly { item_id: number; variations_changed?: boolean }[],
): Promise<void> {
  const stale = new Set(rows.filter((r) => r.variations_changed).map((r) => r.item_id));
  if (stale.size === 0) return;
  const fresh = items.flatMap((item) =>
    "variations" in item && stale.has(item.itemId)
      ? newestVariations(item).map((v) => ({
          ...v,
          item_id: item.itemId,
          gtin: toGtin14(v.barcode),
        }))
      : [],
  );
  await tx.execute(sql`
    delete from variation where item_id in ${idList([...stale])}`);
  if (fresh.length === 0) return;
  await tx.execute(sql`
    insert into variation (item_id, variation_id, variation, variation_stock, variation_identifier, barcode, gtin)
    select item_id, variation_id, variation, variation_stock, variation_identifier, barcode, gtin
    from json_to_recordset(${JSON.stringify(fresh)}::text::json) as x(
      item_id bigint, variation_id bigint, variation text, variation_stock bigint,
      variation_identifier text, barcode text, gtin text)`);
}

function newestVariations(item: SearchItem): SearchItem["variations"] {
  return [...new Map(item.variations.map((v) => [v.variation_id, v])).values()];
}
