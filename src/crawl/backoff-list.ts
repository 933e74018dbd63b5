import { eq, sql, type SQL } from "drizzle-orm";
import { makeDue } from "../catalog/observing/make-due.ts";
import { type RowOf, textList, toRecords } from "../db/rows.ts";
import type { Db, Tx } from "../db/open.ts";
import { backoff } from "../db/schema.ts";
import { pageOf } from "../lib/page-of.ts";
import type { Subject } from "./safety/backoff.ts";
import type { ListOrder } from "./safety/keyword-backoffs.ts";

export const backoffKinds = backoff.kind.enumValues;
export type BackoffKind = Subject["kind"];
const none: Record<BackoffKind, number> = { keyword: 0, page: 0, shop: 0, product: 0 };

interface NamedShop {
  shopId: string;
  shopName: string;
}

interface NamedList {
  queryId: number;
  q: string;
  order: ListOrder;
  shop: NamedShop | null;
}

/** The subject of a failure, with the names that people know. */
export type NamedSubject =
  | (NamedList & { kind: "keyword" })
  | (NamedList & { kind: "page"; position: number })
  | { kind: "shop"; shop: NamedShop }
  | { kind: "product"; itemId: number; title: string; shop: NamedShop | null };

/** A subject that no call is made about until `retryAt`, because calls about it fail. */
export interface ListedBackoff extends Omit<
  typeof backoff.$inferSelect,
  "kind" | "key" | "part" | "rest"
> {
  subject: NamedSubject;
  /**
   * Products or positions that failed together: how many are requested next, and how many afterwards;
   * null: no halving.
   */
  halving: { next: number; rest: number } | null;
}

export interface BackoffPage {
  /** Sorted by `retryAt`. */
  items: ListedBackoff[];
  /** The position of the next page, which with a filter may be empty; null: this is the last one. */
  next: string | null;
  /** Counts of all kinds, whatever the filter; each is counted up to `mostBackoffsCounted`. */
  totals: Record<BackoffKind, number>;
}

interface Found extends Omit<ListedBackoff, "subject" | "halving"> {
  kind: BackoffKind;
  key: string;
  halvedNext: number | null;
  halvedRest: number;
  q: string | null;
  title: string | null;
  shopId: string | null;
  shopName: string | null;
}

export interface BackoffFilter {
  kind?: BackoffKind | undefined;
  shopId?: string | undefined;
  /** Of the last failure. */
  code?: string | undefined;
}

/** Rows that a page with a filter looks at, because no index serves it. */
const rowsFiltered = 10_000;

/** Reads the page of `backoff` by index, then the names by key. */
export async function readBackoffs(
  db: Db,
  page: BackoffFilter & { limit: number; after?: BackoffPosition | null },
): Promise<BackoffPage> {
  const { limit, kind, after, shopId, code } = page;
  const from = after
    ? sql`and (b.retry_at, b.id) > (${after.retryAt.toISOString()}::timestamptz, ${after.id}::bigint)`
    : sql``;
  const isFiltered = shopId !== undefined || code !== undefined;
  const lookedAt = isFiltered ? rowsFiltered : limit + 1;
  const candidates = sql`
    select b.* from ${textList(kind ? [kind] : backoffKinds)} as k(kind)
    cross join lateral (
      select * from backoff b where b.kind = k.kind ${from}
      order by b.retry_at, b.id limit ${lookedAt}) b
    order by b.retry_at, b.id limit ${lookedAt}`;
  const rows = await db.execute<RowOf<Found>>(sql`
    with page as (
      select * from (${candidates}) b where ${shopId === undefined ? sql`true` : ofShop(shopId)}
        and ${code === undefined ? sql`true` : sql`b.code = ${code}`}
      order by b.retry_at, b.id limit ${limit + 1}
    )
    select b.id, b.kind, b.key, b.failures, b.code, b.reason, b.call_id, b.first_failed_at, b.failed_at, b.retry_at,
      b.isolated, jsonb_array_length(b.part) as halved_next, coalesce(jsonb_array_length(b.rest), 0) as halved_rest,
      k.q, p.title, s.shop_id, s.shop_name
    from page b
    left join lateral (
      select q, shop_id from crawl_query
      where id = case when b.kind in ('keyword', 'page') then split_part(b.key, ':', 1)::bigint end limit 1) k on true
    left join lateral (
      select title, shop_id from product
      where item_id = case when b.kind = 'product' then b.key::bigint end limit 1) p on true
    left join lateral (
      select shop_id, shop_name from shop
      where shop_id = case when b.kind = 'shop' then b.key else coalesce(k.shop_id, p.shop_id) end limit 1) s on true
    order by b.retry_at, b.id`);
  const instants = { firstFailedAt: true, failedAt: true, retryAt: true } as const;
  const found = toRecords<Found>(rows, instants).map(toListed);
  const totals = await count(db, sql`true`);
  const { items, next: following } = pageOf(found, limit, toPosition);
  if (following !== null || !isFiltered) return { items, next: following, totals };
  // There may be more behind the last of the rows looked at.
  const [end] = await db.execute<RowOf<BackoffPosition>>(
    sql`select retry_at, id from (${candidates}) b order by retry_at, id offset ${lookedAt - 1}`,
  );
  const next = end ? toPosition({ retryAt: new Date(end.retry_at), id: end.id }) : null;
  return { items, next, totals };
}

function toPosition({ retryAt, id }: BackoffPosition): string {
  return `${retryAt.getTime()}-${id}`;
}

function ofShop(shopId: string): SQL {
  return sql`case b.kind
    when 'shop' then b.key = ${shopId}
    when 'product' then exists (
      select from product p where p.item_id = b.key::bigint and p.shop_id = ${shopId})
    else exists (
      select from crawl_query k
      where k.id = split_part(b.key, ':', 1)::bigint and k.shop_id = ${shopId}) end`;
}

export interface BackoffPosition {
  retryAt: Date;
  id: number;
}

/** `next` of an earlier page; null for any other text. */
export function toBackoffPosition(text: string): BackoffPosition | null {
  const [, ms, id] = /^(\d{1,15})-(\d{1,15})$/.exec(text) ?? [];
  return ms && id ? { retryAt: new Date(Number(ms)), id: Number(id) } : null;
}

/** A bound on the cost of counting. */
export const mostBackoffsCounted = 10_000;

/** With `order by`, because otherwise a rare kind makes it read the whole table: 0.9 s for a million rows. */
async function count(db: Db, which: SQL): Promise<Record<BackoffKind, number>> {
  const rows = await db.execute<{ kind: BackoffKind; n: number }>(sql`
    select k.kind, (
      select count(*) from (
        select from backoff b where b.kind = k.kind and ${which}
        order by b.retry_at limit ${mostBackoffsCounted}) counted) as n
    from ${textList(backoffKinds)} as k(kind)`);
  return { ...none, ...Object.fromEntries(rows.map(({ kind, n }) => [kind, n])) };
}

/** Subjects that still wait, by kind, each counted up to `mostBackoffsCounted`. */
export function countWaiting(db: Db, now: Date): Promise<Record<BackoffKind, number>> {
  return count(db, sql`b.retry_at > ${now.toISOString()}`);
}

/** Of the subjects that still wait, the one that is tried first. */
export async function readNextRetry(
  db: Db,
  now: Date,
): Promise<Pick<ListedBackoff, "retryAt" | "code" | "reason"> | null> {
  const [next] = await db.execute<RowOf<Pick<ListedBackoff, "retryAt" | "code" | "reason">>>(sql`
    select b.* from ${textList(backoffKinds)} as k(kind)
    cross join lateral (
      select retry_at, code, reason from backoff b
      where b.kind = k.kind and b.retry_at > ${now.toISOString()} order by b.retry_at limit 1) b
    order by b.retry_at limit 1`);
  return next ? { ...next, retryAt: new Date(next.retry_at) } : null;
}

/**
 * Lets the subject be tried at once. Its failures stay counted: another one makes it wait longer still.
 * False if it is not backing off any more.
 */
export async function retryNow(tx: Tx, id: number, now: Date): Promise<boolean> {
  const at = now.toISOString();
  const [found] = await tx
    .select({ kind: backoff.kind, key: backoff.key, isolated: backoff.isolated })
    .from(backoff)
    .where(eq(backoff.id, id));
  if (!found) return false;
  // Shops and products also wait in the shop's queue.
  if (found.kind === "shop") {
    await tx.execute(sql`
      update shop set due_at = ${at} where shop_id = ${found.key} and due_at > ${at}`);
  }
  if (found.kind === "product" && !found.isolated) await makeDue(tx, [Number(found.key)], now);
  const rows = await tx.execute(sql`
    update backoff set retry_at = least(retry_at, ${at}) where id = ${id} returning id`);
  return rows.length === 1;
}

/** The subject in the words of the API and the command line. */
export function toSubjectText(subject: NamedSubject): string {
  switch (subject.kind) {
    case "keyword":
      return `"${subject.q}"${inShop(subject.shop)}, ${orderNames[subject.order]}`;
    case "page":
      return `position ${subject.position} of "${subject.q}"${inShop(subject.shop)}, ${orderNames[subject.order]}`;
    case "shop":
      return `shop ${subject.shop.shopName}`;
    case "product":
      return `"${subject.title}"${inShop(subject.shop)}`;
  }
}

const orderNames: Record<ListOrder, string> = {
  "id-ascending": "all of it",
  "id-descending": "newest ids",
  modified: "newest changes",
  popular: "most ordered",
};

function inShop(shop: NamedShop | null): string {
  return shop === null ? "" : ` in ${shop.shopName}`;
}

function toListed(found: Found): ListedBackoff {
  const { kind, key, halvedNext, halvedRest, q, title, shopId, shopName, ...backingOff } = found;
  return {
    ...backingOff,
    subject: toNamed(found),
    halving: halvedNext === null ? null : { next: halvedNext, rest: halvedRest },
  };
}

/** A subject that was deleted is named by its key. */
function toNamed({ kind, key, q, title, shopId, shopName }: Found): NamedSubject {
  const shop = shopId === null ? null : { shopId, shopName: shopName ?? shopId };
  if (kind === "shop") return { kind, shop: shop ?? { shopId: key, shopName: key } };
  if (kind === "product") return { kind, itemId: Number(key), title: title ?? key, shop };
  const [queryId = "", order = "", position] = key.split(":");
  const list = {
    queryId: Number(queryId),
    q: q ?? `#${queryId}`,
    order: isOrder(order) ? order : "id-ascending",
    shop,
  };
  return kind === "keyword" ? { kind, ...list } : { kind, ...list, position: Number(position) };
}

function isOrder(text: string): text is ListOrder {
  return Object.hasOwn(orderNames, text);
}
