import { sql } from "drizzle-orm";
import type { Tx } from "../db/open.ts";
import { databaseErrorCode, isRefusal } from "../db/transact.ts";
import type { BrokenItem, RefreshItem, SearchItem } from "../storefront/product.ts";
import type { Observed, Sighting } from "./sighting.ts";
import { storeProducts, type Shown } from "./store-products.ts";

/** Counts the items of one answer: `returned = created + changed + unchanged + quarantined + duplicates`. */
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
  return store(tx, sighting, { full: true, ranks, items }, broken, oneByOne);
}

/**
 * The same for a refresh. Its answer has no proper price, visibility, order, identifier and
 * variations, so those keep their values. Items that were not requested are quarantined.
 */
export async function observeRefresh(
  tx: Tx,
  sighting: Sighting,
  request: { shopId: string; itemIds: readonly number[] },
  page: { items: readonly RefreshItem[]; broken: readonly BrokenItem[] },
  oneByOne = false,
): Promise<ObserveResult> {
  const requested = new Set(request.itemIds);
  const broken = [...page.broken];
  const items = page.items.filter((item) => {
    const fault = !requested.has(item.itemId)
      ? "not asked for"
      : item.shopId !== request.shopId
        ? `belongs to shop ${item.shopId}, asked at ${request.shopId}`
        : null;
    if (fault) broken.push({ itemId: item.itemId, reason: fault, raw: JSON.stringify(item) });
    return fault === null;
  });
  return store(tx, sighting, { full: false, ranks: new Map(), items }, broken, oneByOne);
}

async function store(
  tx: Tx,
  sighting: Sighting,
  seen: Shown & { items: readonly Item[] },
  unreadable: readonly BrokenItem[],
  oneByOne: boolean,
): Promise<ObserveResult> {
  const returned = seen.items.length + unreadable.length;
  const unique = newestPerId(seen.items);
  const { observed, refused } = oneByOne
    ? await storeWhatIsTaken(tx, sighting, seen, unique)
    : { observed: await storeItems(tx, sighting, seen, unique), refused: [] };
  const broken = [...unreadable, ...refused];
  await storeQuarantine(tx, sighting, broken);
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

type Item = RefreshItem | SearchItem;

async function storeItems(
  tx: Tx,
  sighting: Sighting,
  shown: Shown,
  items: readonly Item[],
): Promise<Observed[]> {
  await storeShops(tx, sighting, items);
  return storeProducts(tx, sighting, { ...shown, items });
}

/** With more refused items than this, the items are not the cause. */
const MOST_REFUSED = 5;
/** The time limit of one part: a single item may be why the whole took too long. */
const PART_TIMEOUT = "3s";

interface Stored {
  observed: Observed[];
  refused: BrokenItem[];
}

async function storeWhatIsTaken(
  tx: Tx,
  sighting: Sighting,
  shown: Shown,
  items: readonly Item[],
): Promise<Stored> {
  const [before] = await tx.execute<{ timeout: string }>(
    sql`select current_setting('statement_timeout') as timeout`,
  );
  const limit = (timeout: string) =>
    tx.execute(sql`select set_config('statement_timeout', ${timeout}, true)`);
  await limit(PART_TIMEOUT);
  const stored: Stored = { observed: [], refused: [] };
  await storeInParts(tx, sighting, shown, items, stored);
  await limit(before?.timeout ?? "0");
  return stored;
}

/** Splits refused items in halves, each in a savepoint, until single items are left. */
async function storeInParts(
  tx: Tx,
  sighting: Sighting,
  shown: Shown,
  items: readonly Item[],
  stored: Stored,
): Promise<void> {
  try {
    stored.observed.push(
      ...(await tx.transaction((part) => storeItems(part, sighting, shown, items))),
    );
  } catch (error) {
    if (!isRefusal(error) || stored.refused.length >= MOST_REFUSED) throw error;
    const [item] = items;
    if (items.length === 1 && item) {
      const reason = `the database refused it (${databaseErrorCode(error)})`;
      stored.refused.push({ itemId: item.itemId, reason, raw: JSON.stringify(item) });
      return;
    }
    const middle = Math.ceil(items.length / 2);
    await storeInParts(tx, sighting, shown, items.slice(0, middle), stored);
    await storeInParts(tx, sighting, shown, items.slice(middle), stored);
  }
}

function newestPerId<T extends RefreshItem>(items: readonly T[]): T[] {
  const byId = new Map<number, T>();
  for (const item of items) {
    const other = byId.get(item.itemId);
    if (!other || other.modified <= item.modified) byId.set(item.itemId, item);
  }
  // Sorted, so that concurrent transactions lock rows in the same order.
  return [...byId.values()].toSorted((a, b) => a.itemId - b.itemId);
}

async function storeShops(
  tx: Tx,
  sighting: Sighting,
  items: readonly RefreshItem[],
): Promise<void> {
  const shops = new Map(items.map((item) => [item.shopId, item]));
  const rows = [...shops.values()].map((item) => ({
    shop_id: item.shopId,
    shop_name: item.shopName,
    shop_url: item.shopUrl,
  }));
  const at = sighting.sentAt.toISOString();
  await tx.execute(sql`
    insert into shop as s (shop_id, shop_name, shop_url, first_seen_at, checked_at, due_at)
    select shop_id, shop_name, shop_url, ${at}, ${at}, ${at}
    from json_to_recordset(${JSON.stringify(rows)}::text::json)
      as x(shop_id text, shop_name text, shop_url text)
    order by shop_id collate "C"
    on conflict (shop_id) do update set
      shop_name = excluded.shop_name, shop_url = excluded.shop_url, checked_at = excluded.checked_at
    where s.checked_at < excluded.checked_at`);
}

async function storeQuarantine(
  tx: Tx,
  sighting: Sighting,
  broken: readonly BrokenItem[],
): Promise<void> {
  if (broken.length === 0) return;
  await tx.execute(sql`
    insert into quarantine (call_id, item_id, reason, raw, seen_at)
    select ${sighting.callId}, item_id, reason, raw, ${sighting.sentAt.toISOString()}
    from json_to_recordset(${JSON.stringify(broken.map((b) => ({ item_id: b.itemId, reason: b.reason, raw: b.raw })))}::text::json)
      as x(item_id bigint, reason text, raw text)`);
}
