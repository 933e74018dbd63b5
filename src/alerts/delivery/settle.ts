import { sql } from "drizzle-orm";
import type { Db } from "../../db/open.ts";
import type { Reserved } from "./queue.ts";

type Attempt = Pick<Reserved, "deliveryId" | "webhookId" | "attempts" | "url">;

/**
 * What an attempt came to. Each of these writes does nothing if the message was taken up again meanwhile.
 * None waits for a row that somebody else has locked: a lost word about a message means that it is sent
 * again, one about the endpoint that its next attempt says the same. Events that are being written hold a
 * share of their endpoint's row, which `no key update` does not wait for. What a former URL answered says
 * nothing about the endpoint.
 */
const own = ({ deliveryId, attempts }: Attempt) => sql`delivery_id = any (array(
  select delivery_id from webhook_delivery
  where delivery_id = ${deliveryId} and attempts = ${attempts} and state = 'waiting'
  for update skip locked))`;
const endpoint = ({ webhookId, url }: Attempt) => sql`webhook_id = any (array(
  select webhook_id from webhook where webhook_id = ${webhookId} and url = ${url}
  for no key update skip locked))`;

/** Many at once: each is a statement less among those of the judging. */
export async function settleDelivered(
  db: Db,
  delivered: readonly { attempt: Attempt; status: number }[],
): Promise<void> {
  const rows = delivered.map(({ attempt, status }) => ({
    delivery_id: attempt.deliveryId,
    webhook_id: attempt.webhookId,
    url: attempt.url,
    attempts: attempt.attempts,
    status,
  }));
  await db.execute(sql`
    with told as materialized (
      select * from json_to_recordset(${JSON.stringify(rows)}::text::json)
        as x(delivery_id bigint, webhook_id bigint, url text, attempts int, status int)
    ), free as materialized (
      select d.delivery_id, t.status from told t
      join webhook_delivery d on d.delivery_id = t.delivery_id and d.attempts = t.attempts and d.state = 'waiting'
      for update of d skip locked
    ), settled as (
      update webhook_delivery d set state = 'delivered', last_status = f.status, last_error = null
      from free f where d.delivery_id = f.delivery_id
    )
    update webhook set failing_since = null where webhook_id = any (array(
      select webhook_id from webhook
      where (webhook_id, url) in (select webhook_id, url from told) and failing_since is not null
      for no key update skip locked))`);
}

export interface Failure {
  status: number | null;
  error: string;
  at: Date;
  /** null: there is no further attempt. */
  retryAt: Date | null;
  /** The endpoint asked for a pause. */
  notBefore: Date | null;
  /** Tests do not count among the failures for which an endpoint is disabled. */
  isTest: boolean;
}

export async function settleFailed(db: Db, attempt: Attempt, failure: Failure): Promise<void> {
  const { status, error, retryAt } = failure;
  const at = failure.at.toISOString();
  await db.execute(sql`
    with settled as (
      update webhook_delivery set last_status = ${status}, last_error = ${error},
        state = ${retryAt === null ? "dead" : "waiting"}, next_at = ${(retryAt ?? failure.at).toISOString()}
      where ${own(attempt)}
    )
    update webhook set failing_since = ${failure.isTest ? sql`failing_since` : sql`coalesce(failing_since, ${at})`},
      not_before = greatest(not_before, ${failure.notBefore?.toISOString() ?? null}::timestamptz)
    where ${endpoint(attempt)}`);
}

const takenBack = (attempt: Attempt, now: Date) => sql`
  update webhook_delivery set attempts = attempts - 1, next_at = ${now.toISOString()}
  where ${own(attempt)}`;

/** Takes the attempt back: the process stops. */
export async function settleInterrupted(db: Db, attempt: Attempt, now: Date): Promise<void> {
  await db.execute(takenBack(attempt, now));
}

/** Takes the attempt back if the endpoint has got another URL since, and returns whether it has. */
export async function settleMoved(db: Db, attempt: Attempt, now: Date): Promise<boolean> {
  const { webhookId, url } = attempt;
  const rows = await db.execute(sql`${takenBack(attempt, now)}
    and exists (select from webhook where webhook_id = ${webhookId} and url <> ${url})
    returning delivery_id`);
  return rows.length > 0;
}

/** Gives a message up that cannot be sent. */
export async function settleUnsendable(db: Db, attempt: Attempt, error: string): Promise<void> {
  await db.execute(sql`
    update webhook_delivery set state = 'dead', last_error = ${error} where ${own(attempt)}`);
}

/** Returns whether it was active until now. */
export async function disable(
  db: Db,
  attempt: Attempt,
  reason: "gone" | "failing",
  now: Date,
): Promise<boolean> {
  const rows = await db.execute(sql`
    update webhook set state = 'disabled', reason = ${reason}, disabled_at = ${now.toISOString()}
    where state = 'active' and ${endpoint(attempt)} returning webhook_id`);
  return rows.length > 0;
}

export type AttemptCounts = Record<"delivered" | "failed", number>;

/** Returns false, and adds nothing, while another worker does the same. */
export async function addCounts(db: Db, counts: AttemptCounts): Promise<boolean> {
  const rows = await db.execute(sql`
    with free as (select outcome from webhook_count for update skip locked)
    update webhook_count c set attempts = attempts
      + case outcome when 'delivered' then ${counts.delivered}::bigint else ${counts.failed}::bigint end
    where (select count(*) from free) = (select count(*) from webhook_count)
    returning outcome`);
  return rows.length > 0;
}
