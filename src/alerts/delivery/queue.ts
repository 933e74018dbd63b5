import { sql } from "drizzle-orm";
import type { Db } from "../../db/open.ts";
import { oneMore, toRecords, type RowOf } from "../../db/rows.ts";
import type { alertEvent } from "../../db/schema.ts";
import type { Choice, DueEndpoint } from "./choose.ts";

/** A message whose attempt is begun. */
export interface Reserved {
  deliveryId: number;
  webhookId: number;
  /** With this one, which is stored already. */
  attempts: number;
  url: string;
  /** The newest first. */
  secrets: string[];
  failingSince: Date | null;
  /** null: a test message; "lost": its event is not stored any more. */
  event: StoredEvent | null | "lost";
  createdAt: Date;
}

export interface StoredEvent extends Omit<
  typeof alertEvent.$inferSelect,
  "ownerId" | "isQuiet" | "at"
> {
  /** null: deleted since. */
  savedSearchName: string | null;
}

/**
 * A table `waiting` of the endpoints with waiting messages and when the first is due. Goes from endpoint to endpoint through an index, so that the cost
 * depends on the number of endpoints with waiting messages, not on that of messages.
 */
export const waitingByEndpoint = sql`
  with recursive waiting as (
    (select webhook_id, next_at from webhook_delivery where state = 'waiting'
      order by webhook_id, next_at limit 1)
    union all
    select n.webhook_id, n.next_at from waiting w cross join lateral (
      select d.webhook_id, d.next_at from webhook_delivery d
      where d.state = 'waiting' and d.webhook_id > w.webhook_id
      order by d.webhook_id, d.next_at limit 1) n
  )`;

type DueWebhook = DueEndpoint & { isDisabled: boolean };

/** The endpoints with messages to send now, and the disabled ones with messages. */
export async function readDue(db: Db, now: Date): Promise<DueWebhook[]> {
  const at = now.toISOString();
  const rows = await db.execute<RowOf<DueWebhook>>(sql`
    ${waitingByEndpoint}
    select w.webhook_id, h.state = 'disabled' as is_disabled, h.failing_since is not null as is_failing
    from waiting w join webhook h on h.webhook_id = w.webhook_id
    where h.state = 'disabled' or (h.state = 'active' and w.next_at <= ${at}
      and (h.not_before is null or h.not_before <= ${at}))`);
  return toRecords<DueWebhook>(rows, {});
}

/**
 * Begins attempts: counts them and puts each message off until `holdUntil`, in one committed statement.
 * So no other worker sends it meanwhile, and one that dies loses nothing: the message is due again then.
 */
export async function reserve(
  db: Db,
  choices: readonly Choice[],
  now: Date,
  holdUntil: Date,
): Promise<Reserved[]> {
  if (choices.length === 0) return [];
  const list = JSON.stringify(choices.map(({ webhookId, n }) => ({ webhook_id: webhookId, n })));
  const at = now.toISOString();
  const rows = await db.execute<RowOf<ReservedRecord>>(sql`
    with picked as (
      select d.delivery_id
      from json_to_recordset(${list}::text::json) as c(webhook_id bigint, n int)
      cross join lateral (
        select w.delivery_id from webhook_delivery w
        where w.webhook_id = c.webhook_id and w.state = 'waiting' and w.next_at <= ${at}
        order by w.next_at limit c.n for update skip locked) d
    ), reserved as (
      update webhook_delivery d set attempts = ${oneMore(sql`attempts`)}, next_at = ${holdUntil.toISOString()},
        first_attempt_at = coalesce(first_attempt_at, ${at}), last_attempt_at = ${at}
      from picked p where d.delivery_id = p.delivery_id
      returning d.delivery_id, d.webhook_id, d.event_id, d.attempts, d.created_at
    )
    select r.delivery_id, r.webhook_id, r.event_id, r.attempts, r.created_at,
      h.url, h.secret, case when h.old_secret_until > ${at} then h.old_secret end as old_secret,
      h.failing_since, e.event_id as stored_event_id, e.saved_search_id, e.item_id, e.kind, e.ver,
      e.changed_at, e.data, s.name as saved_search_name
    from reserved r
    join webhook h on h.webhook_id = r.webhook_id
    left join alert_event e on e.event_id = r.event_id
    left join saved_search s on s.saved_search_id = e.saved_search_id
    order by r.delivery_id`);
  const instants = { failingSince: true, createdAt: true, changedAt: true } as const;
  return toRecords<ReservedRecord>(rows, instants).map((record) => {
    const { secret, oldSecret, eventId, storedEventId, ...message } = record;
    const { savedSearchId, savedSearchName, itemId, kind, ver, changedAt, data, ...own } = message;
    const told = { savedSearchId, savedSearchName, itemId, kind, ver, changedAt, data };
    return {
      ...own,
      secrets: [secret, ...(oldSecret === null ? [] : [oldSecret])],
      event: eventId === null ? null : storedEventId === null ? "lost" : { eventId, ...told },
    };
  });
}

type ReservedRecord = Omit<Reserved, "secrets" | "event"> &
  Omit<StoredEvent, "eventId"> & {
    eventId: number | null;
    storedEventId: number | null;
    secret: string;
    oldSecret: string | null;
  };

/** Messages per statement. */
const slice = 500;

/** Makes dead letters of what waits for a disabled endpoint; in slices, one per call. */
export async function abandon(db: Db, webhookId: number): Promise<void> {
  await db.execute(sql`
    update webhook_delivery set state = 'dead', last_error = 'the webhook is disabled'
    where delivery_id = any (array(
      select delivery_id from webhook_delivery
      where webhook_id = ${webhookId} and state = 'waiting'
      limit ${slice} for update skip locked))`);
}
