import { and, eq, isNull, sql, desc, lt, ne } from "drizzle-orm";
import type { Tally } from "../../catalog/observing/observe.ts";
import type { Db, Tx } from "../../db/open.ts";
import { apiCall, quarantine } from "../../db/schema.ts";
import { idList, type RowOf, toRecords } from "../../db/rows.ts";
import { isRecord } from "../../lib/is-record.ts";
import { lookedAt, toNewestPage, type NewestPage } from "../../db/newest.ts";

export type Purpose = CallRecord["purpose"];

/** The ledger's outcome of a call that was counted but never sent, because its time had passed. */
export const notSent = "not_sent";

export interface CallResult {
  /** `ok`, or the code of the failure. */
  outcome: string;
  error?: string;
  finishedAt: Date;
  durationMs: number;
  found?: number | null;
  gone?: number;
  tally?: Tally;
}

/**
 * Writes the outcome into the ledger once; false if it was there already: then an earlier run of a
 * repeated transaction did commit.
 */
export async function settleCall(tx: Tx, callId: number, result: CallResult): Promise<boolean> {
  const { tally, durationMs, ...entry } = result;
  const rows = await tx
    .update(apiCall)
    .set({ ...entry, ...tally, durationMs: Math.round(durationMs) })
    .where(and(eq(apiCall.id, callId), isNull(apiCall.finishedAt)))
    .returning({ id: apiCall.id });
  return rows.length === 1;
}

export type CallRecord = typeof apiCall.$inferSelect;

/** When the last call of any process was sent or is to be sent; null before the first. */
export async function readLastCallAt(db: Db): Promise<Date | null> {
  const [row] = await db.execute<{ at: string | null }>(
    sql`select reserved_at as at from api_call order by id desc limit 1`,
  );
  return row?.at ? new Date(row.at) : null;
}

/** `unknown`: reserved, but no outcome was ever recorded. */
export const callStatuses = ["ok", "failed", "unknown"] as const;

export interface CallFilter {
  purpose?: Purpose | undefined;
  status?: (typeof callStatuses)[number] | undefined;
  /** The code of the failure. */
  outcome?: string | undefined;
  shopId?: string | undefined;
  /** A part of the keyword. */
  q?: string | undefined;
  /** `2026-01-31` of the upstream's calendar. */
  day?: string | undefined;
}

/** Before the call `before`. */
export async function findCalls(
  db: Db,
  page: CallFilter & { limit: number; before?: number | undefined },
): Promise<NewestPage<CallRecord>> {
  const { limit, before, purpose, status, outcome, shopId, q, day } = page;
  const scope = and(
    before === undefined ? undefined : lt(apiCall.id, before),
    day === undefined ? undefined : eq(apiCall.day, day),
  );
  const calls = db
    .select()
    .from(apiCall)
    .where(scope)
    .orderBy(desc(apiCall.id))
    .limit(lookedAt(limit, [purpose, status, outcome, shopId, q]))
    .as("looked_at");
  const ofStatus = {
    ok: eq(calls.outcome, "ok"),
    failed: ne(calls.outcome, "ok"),
    unknown: isNull(calls.outcome),
  };
  const found = await db
    .select()
    .from(calls)
    .where(
      and(
        purpose === undefined ? undefined : eq(calls.purpose, purpose),
        status === undefined ? undefined : ofStatus[status],
        outcome === undefined ? undefined : eq(calls.outcome, outcome),
        shopId === undefined
          ? undefined
          : sql`coalesce(${calls.params}->>'shop_id', ${calls.params}->>'shopId') = ${shopId}`,
        q === undefined
          ? undefined
          : sql`strpos(lower(${calls.params}->>'q'), lower(${q}::text)) > 0`,
      ),
    )
    .orderBy(desc(calls.id))
    .limit(limit + 1);
  return toNewestPage(db, found.map(withParams), { limit, id: apiCall.id, scope });
}

/** Somebody may have written others into the database. */
function withParams(call: CallRecord): CallRecord {
  const params: unknown = call.params;
  const isReadable = isRecord(params) && !Array.isArray(params);
  return isReadable ? call : { ...call, params: { unreadable: params } };
}

/** What a call did to a product. */
export interface CallProduct {
  itemId: number;
  /** null: never seen. */
  title: string | null;
  shopName: string | null;
  isDeleted: boolean;
  /** null: price and stock did not change. */
  change: {
    price: number;
    stock: number;
    prevPrice: number | null;
    prevStock: number | null;
  } | null;
}

export interface CallDetail {
  call: CallRecord;
  /** Those it asked for by id, and those it proved deleted. Of a search's items no list is kept. */
  products: CallProduct[];
  quarantined: { id: number; itemId: number | null; reason: string }[];
}

/** How far the time of a value can be from that of its call; keeps other months out of the search. */
const near = "1 day";
const mostProducts = 200;

export async function readCall(db: Db, id: number): Promise<CallDetail | null> {
  const [stored] = await db.select().from(apiCall).where(eq(apiCall.id, id));
  if (!stored) return null;
  const call = withParams(stored);
  const [products, quarantined] = await Promise.all([
    readProducts(db, call),
    db
      .select({ id: quarantine.id, itemId: quarantine.itemId, reason: quarantine.reason })
      .from(quarantine)
      .where(eq(quarantine.callId, id))
      .orderBy(quarantine.id)
      .limit(mostProducts),
  ]);
  return { call, products, quarantined };
}

type Found = Omit<CallProduct, "change"> &
  Omit<NonNullable<CallProduct["change"]>, "price"> & { price: number | null };

async function readProducts(
  db: Db,
  { id, params, reservedAt }: CallRecord,
): Promise<CallProduct[]> {
  const asked = [params.item_id].flat().filter((one) => typeof one === "number");
  const at = reservedAt.toISOString();
  const rows = await db.execute<RowOf<Found>>(sql`
    select i.item_id, p.title, s.shop_name, coalesce(p.deleted_call_id = ${id}, false) as is_deleted,
      v.price, v.stock, v.prev_price, v.prev_stock
    from (
      select x as item_id from ${idList(asked)} as asked(x)
      union (select item_id from product where deleted_call_id = ${id} limit ${mostProducts})
    ) i
    left join product p on p.item_id = i.item_id
    left join shop s on s.shop_id = p.shop_id
    left join lateral (
      select price, stock, prev_price, prev_stock from price_interval v
      where v.item_id = i.item_id and v.call_id = ${id}
        and v.first_seen between ${at}::timestamptz - ${near}::interval and ${at}::timestamptz + ${near}::interval
      limit 1
    ) v on true
    order by i.item_id limit ${mostProducts}`);
  return toRecords<Found>(rows, {}).map(({ price, stock, prevPrice, prevStock, ...product }) => ({
    ...product,
    change: price === null ? null : { price, stock, prevPrice, prevStock },
  }));
}
