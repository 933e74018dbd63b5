import { sql } from "drizzle-orm";
import { idList, type RowOf, toRecords } from "../../db/rows.ts";
import type { Db, Tx } from "../../db/open.ts";
import { webhookDelivery, type webhook } from "../../db/schema.ts";
import { pageOf, type ListPage } from "../../lib/page-of.ts";
import { waitingByEndpoint } from "./queue.ts";

export const deliveryStates = webhookDelivery.state.enumValues;
export type DeliveryState = (typeof deliveryStates)[number];

export interface DeliveryFilter {
  state?: DeliveryState | undefined;
  webhookId?: number | undefined;
  /** Only older ones than this delivery. */
  before?: number | undefined;
  limit: number;
}

export interface Delivery extends Omit<
  typeof webhookDelivery.$inferSelect,
  "nextAt" | "firstAttemptAt"
> {
  /** null: a test message. */
  kind: string | null;
  /** null: there is no further attempt. */
  nextAt: Date | null;
  url: string;
}

/** Newest first. Each state is read through an index, however many messages the others have. */
export async function listDeliveries(
  db: Db,
  filter: DeliveryFilter,
): Promise<ListPage<Delivery, number>> {
  const { webhookId, before = Number.MAX_SAFE_INTEGER, limit } = filter;
  const states = filter.state === undefined ? deliveryStates : [filter.state];
  const rows = await db.execute<RowOf<Delivery>>(sql`
    select d.delivery_id, d.webhook_id, d.event_id, e.kind, d.state, d.attempts,
      case when d.state = 'waiting' then d.next_at end as next_at,
      d.created_at, d.last_attempt_at, d.last_status, d.last_error, h.url
    from (
      select n.* from json_array_elements_text(${JSON.stringify(states)}::text::json) as s(state)
      cross join lateral (
        select * from webhook_delivery w
        where w.state = s.state and w.delivery_id < ${before}
          and ${webhookId === undefined ? sql`true` : sql`w.webhook_id = ${webhookId}`}
        order by w.delivery_id desc limit ${limit + 1}) n
      order by n.delivery_id desc limit ${limit + 1}) d
    join webhook h on h.webhook_id = d.webhook_id
    left join alert_event e on e.event_id = d.event_id
    order by d.delivery_id desc`);
  const found = toRecords<Delivery>(rows, { nextAt: true, createdAt: true, lastAttemptAt: true });
  return pageOf(found, limit, ({ deliveryId }) => deliveryId);
}

/** Messages that one replay takes at most. */
export const mostReplayed = 1000;

/** Some messages, or the dead letters among those made in a time. */
export type ReplayScope =
  | { ids: readonly number[] }
  | { from: Date; to: Date; webhookId?: number | undefined };

/**
 * Sends messages again from the first attempt on, with their old ids. Those that wait already and those of
 * endpoints that are not active are left out. Returns how many, at most `mostReplayed`.
 */
export async function replay(tx: Tx, scope: ReplayScope, now: Date): Promise<number> {
  const which =
    "ids" in scope
      ? sql`d.state in ('delivered', 'dead') and d.delivery_id in ${idList(scope.ids)}`
      : sql`d.state = 'dead'
          and d.created_at >= ${scope.from.toISOString()} and d.created_at < ${scope.to.toISOString()}
          and ${scope.webhookId === undefined ? sql`true` : sql`d.webhook_id = ${scope.webhookId}`}`;
  const rows = await tx.execute(sql`
    update webhook_delivery set state = 'waiting', attempts = 0, next_at = ${now.toISOString()}
    where delivery_id = any (array(
      select d.delivery_id from webhook_delivery d
      where ${which} and d.webhook_id = any (array(select webhook_id from webhook where state = 'active'))
      order by d.delivery_id limit ${mostReplayed} for update skip locked))
    returning delivery_id`);
  return rows.length;
}

export interface Troubled extends Pick<
  typeof webhook.$inferSelect,
  "webhookId" | "url" | "reason" | "failingSince" | "disabledAt"
> {
  state: "active" | "disabled";
  keyId: number | null;
}

/** Disabled and failing endpoints, those disabled last first. */
export async function listTroubled(db: Db, limit: number): Promise<Troubled[]> {
  const rows = await db.execute<RowOf<Troubled>>(sql`
    select h.webhook_id, h.url, h.state, h.reason, h.failing_since, h.disabled_at, o.key_id
    from webhook h join alert_owner o on o.owner_id = h.owner_id
    where h.state = 'disabled' or (h.state = 'active' and h.failing_since is not null)
    order by h.disabled_at desc nulls last, h.failing_since, h.webhook_id limit ${limit}`);
  return toRecords<Troubled>(rows, { failingSince: true, disabledAt: true });
}

export const mostCounted = 2000;

export async function readDeliveryStatus(db: Db, now: Date) {
  const at = now.toISOString();
  // Their orders are those of indexes, so that no plan reads delivered messages.
  const counted = (state: "waiting" | "dead") => {
    const order = state === "waiting" ? sql`webhook_id, next_at` : sql`delivery_id`;
    return sql`(select count(*) from (
      select from webhook_delivery where state = ${sql.raw(`'${state}'`)}
      order by ${order} limit ${mostCounted}) as c)`;
  };
  const [queue] = await db.execute<{ waiting: number; dead: number; lag: number }>(sql`
    ${waitingByEndpoint}
    select ${counted("waiting")} as waiting, ${counted("dead")} as dead,
      coalesce(max(extract(epoch from ${at}::timestamptz - w.next_at)), 0)::float8 as lag
    from waiting w join webhook h on h.webhook_id = w.webhook_id
    where w.next_at <= ${at} and h.state = 'active' and h.failing_since is null
      and (h.not_before is null or h.not_before <= ${at})`);
  const attempts = await db.execute<{ outcome: string; n: number }>(
    sql`select outcome, attempts as n from webhook_count order by outcome`,
  );
  const endpoints = await db.execute<{ reason: string | null; n: number }>(sql`
    select reason, count(*) as n from webhook
    where state = 'disabled' or (state = 'active' and failing_since is not null) group by reason`);
  const countOf = (reason: string | null) => endpoints.find((one) => one.reason === reason)?.n ?? 0;
  return {
    /** Messages by state, each counted up to `mostCounted`. */
    waiting: queue?.waiting ?? 0,
    dead: queue?.dead ?? 0,
    /** Of the oldest message that is due, of endpoints that do not fail. */
    lagSeconds: queue?.lag ?? 0,
    attempts: [...attempts],
    failing: countOf(null),
    disabled: { gone: countOf("gone"), failing: countOf("failing") },
  };
}
