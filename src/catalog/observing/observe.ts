import { sql, type SQL } from "drizzle-orm";
import type { Tx } from "../../db/open.ts";
import { assignments, differs, rowsOf } from "../../db/rows.ts";
import { dayMs } from "../../lib/calendar.ts";
import type { BrokenItem, RefreshItem, SearchItem } from "../../storefront/product.ts";
import { year2000Ms } from "./modified.ts";
import { noteRefuted } from "./loss-guard.ts";
import { noteReturns } from "./returns.ts";
import { storeQuarantine } from "./quarantine.ts";
import { maxCategories } from "../products.ts";
import { storeShops } from "../shops.ts";
import {
  isAhead,
  isWritten,
  toObserved,
  type Observed,
  type Sighting,
  type WrittenRow,
} from "../sighting.ts";
import { storeInParts } from "./store-in-parts.ts";
import { storeUnitPrices } from "../unit-price/unit-prices.ts";
import { withStored } from "./unreadable-fields.ts";
import { storeVariations } from "./variations.ts";

/**
 * Counts the items of one answer: `returned = created + changed + unchanged + quarantined + duplicates`. An item of which
 * single fields could not be read is stored, and counts as such; the quarantine keeps its text.
 */
export interface Tally {
  returned: number;
  created: number;
  changed: number;
  unchanged: number;
  quarantined: number;
  duplicates: number;
}

export interface ObserveResult {
  tally: Tally;
  observed: Observed[];
}

/**
 * Stores one page of a search and quarantines the items that could not be read. Sets every field of an
 * item, restores deleted products under their id, and raises `ver` only for a real change. Call it
 * inside the transaction that also settles the call. With `oneByOne`, after the database has refused
 * the whole page, it finds and quarantines the refused items and stores the rest.
 */
export async function observeSearch(
  tx: Tx,
  sighting: Sighting,
  page: {
    items: readonly SearchItem[];
    broken: readonly BrokenItem[];
    /** The first item's rank by order count, from 0; null for a page in another order. */
    firstRank?: number | null;
  },
  oneByOne = false,
): Promise<ObserveResult> {
  const { items, broken, firstRank = null } = page;
  const ranks = new Map(
    firstRank === null ? [] : items.map((item, i) => [item.itemId, firstRank + i]),
  );
  return store(tx, sighting, { full: true, ranks, items, broken }, oneByOne);
}

/**
 * The same for a refresh. Its answer has no proper price, visibility, order, identifier and
 * variations, so those keep their values. Items that were not requested are quarantined.
 */
export async function observeRefresh(
  tx: Tx,
  sighting: Sighting,
  page: {
    asked: { shopId: string; itemIds: readonly number[] };
    items: readonly RefreshItem[];
    broken: readonly BrokenItem[];
  },
  oneByOne = false,
): Promise<ObserveResult> {
  const { shopId } = page.asked;
  const requested = new Set(page.asked.itemIds);
  const broken = [...page.broken];
  const items = page.items.filter((item) => {
    const fault = !requested.has(item.itemId)
      ? "not asked for"
      : item.shopId !== shopId
        ? `belongs to shop ${item.shopId}, asked at ${shopId}`
        : null;
    if (fault) broken.push({ itemId: item.itemId, reason: fault, raw: JSON.stringify(item) });
    return fault === null;
  });
  return store(tx, sighting, { full: false, ranks: new Map(), items, broken }, oneByOne);
}

type Item = RefreshItem | SearchItem;

interface Answer {
  items: readonly Item[];
  /** The answer is of a search, which shows all fields of an item. */
  full: boolean;
  /** Ranks by order count, by id, if the answer was in that order. */
  ranks: ReadonlyMap<number, number>;
}

async function store(
  tx: Tx,
  sighting: Sighting,
  seen: Answer & { broken: readonly BrokenItem[] },
  oneByOne: boolean,
): Promise<ObserveResult> {
  const returned = seen.items.length + seen.broken.length;
  const unique = newestPerId(seen.items);
  const storeItems = async (part: Tx, items: readonly Item[]) => {
    await storeShops(part, sighting, items);
    return storeProducts(part, sighting, { ...seen, items: await withStored(part, items) });
  };
  const { observed, refused } = oneByOne
    ? await storeInParts(tx, unique, storeItems)
    : { observed: await storeItems(tx, unique), refused: [] };
  const broken = [...seen.broken, ...refused];
  const inPart = unique.flatMap(({ itemId, unreadable }) =>
    unreadable ? [{ itemId, reason: unreadable.reason, raw: unreadable.raw }] : [],
  );
  await storeQuarantine(tx, sighting, [...broken, ...inPart]);
  const created = observed.filter((o) => o.fate === "created").length;
  const changed = observed.filter((o) => o.fate === "changed").length;
  return {
    tally: {
      returned,
      created,
      changed,
      unchanged: unique.length - refused.length - created - changed,
      quarantined: broken.length,
      duplicates: seen.items.length - unique.length,
    },
    observed,
  };
}

/** Of two that are as new the dearer one, in whatever order they come: otherwise each answer might change the price. */
function newestPerId<T extends RefreshItem>(items: readonly T[]): T[] {
  const byId = new Map<number, T>();
  for (const item of items) {
    const other = byId.get(item.itemId);
    const newer = other ? item.modified - other.modified || item.price - other.price : 1;
    if (newer > 0) byId.set(item.itemId, item);
  }
  // Sorted, so that concurrent transactions lock rows in the same order.
  return [...byId.values()].toSorted((a, b) => a.itemId - b.itemId);
}

const refreshed = ["shop_id", "title", "detail", "price", "stock", "images", "categories"];
const searchOnly = ["proper_price", "visible", "list_order", "identifier", "variations"];

/**
 * Writes the items of one answer, each id once, with history and variations. A refresh leaves the
 * fields that it does not show. Items that a later call has shown or proven deleted are not written
 * and not returned. Each product's row is written once; triggers of `product` then mark it for the search
 * index (`mirror`) and for the readers of changes (`pending_change`).
 */
async function storeProducts(tx: Tx, sighting: Sighting, seen: Answer): Promise<Observed[]> {
  if (seen.items.length === 0) return [];
  const carried = seen.full ? [...refreshed, ...searchOnly] : refreshed;
  const at = sql`${sighting.sentAt.toISOString()}::timestamptz`;
  const modified = seen.full
    ? sql`case when ${isOlder(sighting)} then p.modified else excluded.modified end`
    : sql`excluded.modified`;
  const mayRestore = seen.full ? sql`not ${mayLag(sighting)}` : sql`true`;
  const contentDiffers = sql`(${differs(carried)} or p.modified <> ${modified})`;
  const valueDiffers = differs(seen.full ? ["price", "proper_price", "stock"] : ["price", "stock"]);
  const input = seen.items.map((item) => ({
    ...toInputRow(item),
    order_rank: seen.ranks.get(item.itemId),
  }));
  const rows = await tx.execute<WrittenRow>(sql`
    with input as (
      select * from ${rowsOf("product", input)} x
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
        ${assignments(carried)}, modified = ${modified},
        ver = p.ver + (${contentDiffers} or p.state = 'gone')::int,
        state = 'live', deleted_at = null, deleted_call_id = null,
        checked_at = ${seenAt},
        changed_at = case when ${contentDiffers} or p.state = 'gone' then ${seenAt} else p.changed_at end,
        price_since = case when ${valueDiffers} or p.state = 'gone' then ${seenAt} else p.price_since end,
        order_rank = coalesce(excluded.order_rank, p.order_rank), last_call_id = excluded.last_call_id
      where (p.checked_at < ${at} and (p.deleted_at is null or p.deleted_at <= ${at} and ${mayRestore}) or ${isAhead(sighting)})
        ${seen.full ? sql`and not (${isOlder(sighting)} and ${differs(carried)})` : sql``}
      returning new.item_id, new.title, new.price, new.proper_price, new.stock, new.price_since, new.variations,
        old.ver is null as created, new.ver <> old.ver as changed, ${differs(carried, "old", "new")} as differs,
        case when old.checked_at > new.checked_at then new.checked_at else old.checked_at end as prev_confirmed_at, old.price as prev_price, old.stock as prev_stock,
        old.modified as prev_modified, old.categories as prev_categories, new.modified, new.shop_id, new.order_rank,
        new.categories, new.deletions, new.checked_at,
        old.ver is null or old.variations <> new.variations as variations_changed,
        (${isRefuted(sighting)}) is true as refuted,
        case when old.state = 'gone' then json_build_object('itemId', new.item_id, 'shopId', new.shop_id, 'formerShopId', old.shop_id,
          'deletedAt', old.deleted_at) end as returned
    ), history as (
      insert into price_interval
        (item_id, first_seen, price, proper_price, stock, prev_confirmed_at, prev_price, prev_stock, call_id)
      select item_id, price_since, price, proper_price, stock, prev_confirmed_at, prev_price, prev_stock, ${sighting.callId}
      from written where price_since = checked_at
    ), released as (
      delete from held_deletion h using written w where h.item_id = w.item_id and h.proven_at <= ${at}
    )
    select item_id, shop_id, created, coalesce(changed, false) as changed, differs, variations_changed, refuted, returned, modified,
      order_rank, price, stock, categories, deletions,
      case when not created then json_build_object('checkedAt', prev_confirmed_at, 'modified', prev_modified,
        'price', prev_price, 'stock', prev_stock, 'categories', prev_categories) end as before,
      case when created or changed then title end as title,
      case when created or changed then variations end as variations
    from written`);
  await noteRefuted(tx, sighting, rows.filter((row) => row.refuted).length);
  await noteReturns(
    tx,
    sighting,
    rows.flatMap(({ returned }) => returned ?? []),
  );
  await storeUnitPrices(tx, rows.filter(isWritten));
  if (seen.full) await storeVariations(tx, seen.items, rows);
  return rows.map(toObserved);
}

/** A product's intervals follow one another as its calls did, whatever the clocks said. */
const seenAt = sql`greatest(excluded.checked_at, p.price_since + interval '1 ms', p.deleted_at)`;

/**
 * Whether a search list shows an older state than the stored one, as it may lag behind refreshes: it is then
 * taken only where nothing has changed since. A refresh alone is believed that a product went back. A stored
 * number that is no moment (see `toModifiedAt`), such as one in the future, and one of another unit tell
 * nothing.
 */
function isOlder({ sentAt }: Sighting): SQL {
  const latestMs = sentAt.getTime() + dayMs;
  return sql`(p.state <> 'gone' and excluded.modified < p.modified and excluded.modified > p.modified / 100
    and (p.modified <= ${Math.floor(latestMs / 1000)}::bigint or p.modified between ${year2000Ms}::bigint and ${latestMs}::bigint))`;
}

/**
 * Whether a list may only lag behind the proof of a deletion: it shows nothing newer. A product that was
 * deleted twice is restored by such a list only after ten minutes, and later with every further deletion:
 * otherwise the products of a shop without refreshes would be deleted and restored again and again.
 */
function mayLag(sighting: Sighting): SQL {
  return sql`(p.deletions > 1
    and ${sighting.sentAt.toISOString()} < p.deleted_at + interval '10 min' * power(2, least(p.deletions, 9) - 2)
    and excluded.shop_id = p.shop_id and ${isAsBefore("p", "excluded", sighting)})`;
}

/**
 * A product was not deleted when a refresh lacked it: it is soon shown as before, in whatever shop, by more than a list
 * that lags.
 */
function isRefuted(sighting: Sighting): SQL {
  return sql`old.state = 'gone'
    and ${sighting.sentAt.toISOString()}::timestamptz - old.deleted_at between interval '10 min' and interval '1 day'
    and ${isAsBefore("old", "new", sighting)}`;
}

/** The deleted product is shown with no later `modified` than its deletion. */
function isAsBefore(gone: "p" | "old", shown: "excluded" | "new", { sentAt }: Sighting): SQL {
  const latestMs = sentAt.getTime() + dayMs;
  const [before, now] = [sql.raw(gone), sql.raw(shown)];
  return sql`(not ${now}.modified between trunc(extract(epoch from ${before}.deleted_at)) and ${Math.floor(latestMs / 1000)}::bigint
    and not ${now}.modified between trunc(extract(epoch from ${before}.deleted_at)) * 1000 and ${latestMs}::bigint)`;
}

function toInputRow(item: Item): Record<string, unknown> {
  const row = {
    item_id: item.itemId,
    shop_id: item.shopId,
    title: item.title,
    detail: item.detail,
    price: item.price,
    stock: item.stock,
    images: item.images,
    categories: item.categories.slice(0, maxCategories),
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
