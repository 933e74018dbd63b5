import { sql } from "drizzle-orm";
import { batchSize } from "../scoring/scoring.ts";
import { anyId, idList, rowsOf } from "../../db/rows.ts";
import type { Db, Tx } from "../../db/open.ts";
import type { refreshRequest } from "../../db/schema.ts";
import { readBudget } from "../budget/budget-today.ts";
import { stillLasts, type DayRules } from "../budget/accounts.ts";
import { readCrawlState } from "../safety/pause.ts";
import { dayStart } from "../../lib/calendar.ts";
import { readClientCalls, readSplit } from "../budget/on-demand-quota.ts";

export type RefreshOutcome = NonNullable<(typeof refreshRequest.$inferSelect)["outcome"]>;

/** How long a request waits for other requests of its shop, in milliseconds. */
const gatherMs = 150;
/** After this nobody waits for the request any more, and its call is better spent on others. */
const lapseMs = 3_600_000;
/** If the next try of a failing shop or product is further away than this, the waiting client is told so. */
const briefMs = 30_000;
/** Seconds that a call takes: each batch ahead adds them to an estimate. */
const callSeconds = 1;

export type RefreshTicket =
  /** Queued for the crawler; all clients that ask for the same product share the request. */
  | { verdict: "queued"; requestId: number; etaSeconds: number }
  /** No call is left until then: for anybody, or for this client alone. */
  | { verdict: "spent" | "share_spent"; resumeAt: Date }
  /** The crawler makes no calls until then for another reason; null: until ops resume it. */
  | { verdict: "held"; resumeAt: Date | null };

export interface RefreshParams {
  itemId: number;
  /** The client whose share of the day's quota it uses; null: none. */
  client: string | null;
}

/** Asks the crawler to check a product (not a deleted one) as soon as possible. */
export async function requestRefresh(
  db: Db,
  rules: DayRules,
  { itemId, client }: RefreshParams,
  now: Date,
): Promise<RefreshTicket> {
  const [state, budget, ahead] = await Promise.all([
    readCrawlState(db),
    readBudget(db, now, rules),
    readAhead(db, itemId),
  ]);
  if (state.paused) return { verdict: "held", resumeAt: null };
  const pausedUntil = state.block && stillLasts(state.block.until, now) ? state.block.until : now;
  const blockedMs = pausedUntil.getTime() - now.getTime();
  if (blockedMs > lapseMs) return { verdict: "held", resumeAt: pausedUntil };
  const { onDemand } = await readSplit(db, budget, now, rules.firesOf);
  const isShared = ahead.ofShop > 0 && ahead.ofShop % batchSize !== 0;
  if (onDemand <= 0 || (!isShared && ahead.calls >= onDemand)) {
    return { verdict: "spent", resumeAt: budget.resetsAt };
  }
  const requestId = await insertRequest(db, {
    itemId,
    client,
    clientCalls: client === null ? 0 : await readClientCalls(db, budget),
    since: dayStart(now, budget.timezone),
    now,
  });
  if (requestId === null) return { verdict: "share_spent", resumeAt: budget.resetsAt };
  const calls = ahead.calls + (isShared ? 0 : 1);
  return {
    verdict: "queued",
    requestId,
    etaSeconds: Math.ceil(Math.max(0, blockedMs) / 1000) + calls * callSeconds + 1,
  };
}

/** The calls that the open requests need, and the open requests of the product's own shop. */
async function readAhead(db: Db, itemId: number): Promise<{ calls: number; ofShop: number }> {
  const [row] = await db.execute<{ calls: number; of_shop: number }>(sql`
    select coalesce(sum(ceil(n / ${batchSize}::float8)), 0)::int as calls,
      coalesce(sum(n) filter (where shop_id = (
        select shop_id from product_schedule where item_id = ${itemId})), 0)::int as of_shop
    from (
      select c.shop_id, count(*) as n from refresh_request r join product_schedule c using (item_id)
      where r.done_at is null group by 1) shops`);
  return { calls: row?.calls ?? 0, ofShop: row?.of_shop ?? 0 };
}

interface NewRequest extends RefreshParams {
  /** The calls that this client may spend since `since`. */
  clientCalls: number;
  since: Date;
  now: Date;
}

/**
 * null: the client has spent its share. The inserting statement itself counts the calls, so all
 * processes count together, and at most one request for each of their connections exceeds the share.
 * Requests that were settled without a call, or that join an open one, cost nothing.
 */
async function insertRequest(db: Db, request: NewRequest): Promise<number | null> {
  const { itemId, client, now } = request;
  const dueAt = new Date(now.getTime() + gatherMs).toISOString();
  const mayAsk = sql`(
    ${client}::text is null
    or (select count(distinct coalesce(call_id, -id)) from refresh_request
        where client = ${client} and requested_at >= ${request.since.toISOString()}
          and not (call_id is null and done_at is not null)) < ${request.clientCalls}
    or exists (select from refresh_request where item_id = ${itemId} and done_at is null))`;
  const [row] = await db.execute<{ id: number }>(sql`
    insert into refresh_request as r (item_id, requested_at, due_at, client)
    select ${itemId}::bigint, ${now.toISOString()}::timestamptz, ${dueAt}::timestamptz, ${client}::text
    where ${mayAsk}
    on conflict (item_id) where done_at is null do update set
      requested_at = case when r.call_id is null then excluded.requested_at else r.requested_at end
    returning id`);
  return row?.id ?? null;
}

/** The outcomes of those of these requests that are settled. */
export async function readSettled(
  db: Db,
  requestIds: readonly number[],
): Promise<Map<number, RefreshOutcome>> {
  const rows = await db.execute<{ id: number; outcome: RefreshOutcome }>(sql`
    select id, outcome from refresh_request where id = ${anyId(requestIds)} and done_at is not null`);
  return new Map(rows.map((row) => [row.id, row.outcome]));
}

/**
 * Settles requests that need no call (any more): for products that another call has shown or proven
 * deleted since, for subjects that calls fail on, and requests that have waited too long.
 */
export async function settleWithoutCall(db: Db | Tx, now: Date): Promise<void> {
  const at = now.toISOString();
  const lapsed = new Date(now.getTime() - lapseMs).toISOString();
  const soon = new Date(now.getTime() + briefMs).toISOString();
  // A check in the future is one from before a clock that was ahead was set right.
  const isChecked = sql`p.checked_at between r.requested_at and ${at}::timestamptz + interval '1 minute'`;
  await db.execute(sql`
    update refresh_request r set done_at = ${at}, outcome = case
        when p.state = 'gone' then 'gone' when ${isChecked} then 'answered'
        when r.requested_at < ${lapsed} then 'lapsed' else 'refused' end
    from product p
    where p.item_id = r.item_id and r.done_at is null
      and (p.state = 'gone' or ${isChecked} or r.requested_at < ${lapsed}
        or exists (
          select from backoff b
          where ((b.kind = 'shop' and b.key = p.shop_id) or (b.isolated and b.key = p.item_id::text))
            and b.retry_at > ${soon}))`);
}

/** Settles the open requests of these products, each with its own outcome. */
export async function settleRequests(
  tx: Tx,
  outcomes: ReadonlyMap<number, RefreshOutcome>,
  call: { callId: number; at: Date },
): Promise<void> {
  const rows = [...outcomes].map(([item_id, outcome]) => ({ item_id, outcome }));
  await tx.execute(sql`
    update refresh_request r set done_at = ${call.at.toISOString()}, outcome = x.outcome, call_id = ${call.callId}
    from ${rowsOf("refresh_request", rows)} x where r.item_id = x.item_id and r.done_at is null`);
}

/** A wholly empty answer settles nothing yet: only a second one proves the deletions. */
export async function markTried(tx: Tx, itemIds: readonly number[], callId: number): Promise<void> {
  await tx.execute(sql`
    update refresh_request set call_id = ${callId}
    where done_at is null and item_id in ${idList(itemIds)}`);
}
