import { sql } from "drizzle-orm";
import type { Db, Tx } from "../db/open.ts";
import type { Sighting } from "./sighting.ts";

/** More losses than both of these within an hour are held for ops instead of being believed. */
export interface LossGuard {
  share: number;
  count: number;
}

export const defaultLossGuard: LossGuard = { share: 0.2, count: 200 };

export interface RefreshAnswer {
  shopId: string;
  asked: readonly number[];
  /** Ids in the answer, readable or not. */
  returned: readonly number[];
  /** Some item of the answer had no readable id, so no id can be called absent. */
  anonymous: boolean;
  /** An earlier call had the same wholly empty answer for these ids. */
  confirmsEmpty: boolean;
}

export type Absences =
  | { verdict: "none" }
  /** Wholly empty for the first time: ask again before anything is dropped. */
  | { verdict: "confirm" }
  | { verdict: "gone"; gone: number; held: number };

/**
 * Drops what a valid 200 of a refresh proves deleted: an id that was asked for at its own shop and
 * is absent. A wholly empty answer proves nothing until a second one agrees, and losses beyond the
 * guard are held. Nothing else in Kurabe deletes products.
 */
export async function settleAbsences(
  tx: Tx,
  sighting: Sighting,
  answer: RefreshAnswer,
  guard: LossGuard = defaultLossGuard,
): Promise<Absences> {
  const returned = new Set(answer.returned);
  const absent = answer.asked.filter((id) => !returned.has(id));
  if (absent.length === 0 || answer.anonymous) return { verdict: "none" };
  if (returned.size === 0 && !answer.confirmsEmpty) return { verdict: "confirm" };
  if (await exceedsGuard(tx, sighting, absent.length, guard)) {
    return { verdict: "gone", gone: 0, held: await hold(tx, sighting, absent) };
  }
  return { verdict: "gone", gone: await markGone(tx, sighting, answer.shopId, absent), held: 0 };
}

/** The lock makes concurrent losses count one another. */
async function exceedsGuard(
  tx: Tx,
  sighting: Sighting,
  losses: number,
  guard: LossGuard,
): Promise<boolean> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('kurabe:loss-guard', 0))`);
  const hourBefore = new Date(sighting.sentAt.getTime() - 3_600_000).toISOString();
  const [recent] = await tx.execute<{ gone: number }>(sql`
    select count(*) as gone from product where state = 'gone' and gone_at > ${hourBefore}`);
  const total = (recent?.gone ?? 0) + losses;
  if (total <= guard.count) return false;
  // The size of the catalogue before these losses, counted only now that it matters.
  const [live] = await tx.execute<{ live: number }>(sql`
    select count(*) as live from product where state <> 'gone'`);
  return total > guard.share * ((live?.live ?? 0) + (recent?.gone ?? 0));
}

async function markGone(
  tx: Tx,
  sighting: Sighting,
  shopId: string,
  itemIds: readonly number[],
): Promise<number> {
  const at = sighting.sentAt.toISOString();
  const rows = await tx.execute(sql`
    with absent as (
      select p.item_id from product p
      join json_array_elements_text(${JSON.stringify(itemIds)}::text::json) x(id) on p.item_id = x.id::bigint
      where p.shop_id = ${shopId} and p.state <> 'gone' and p.checked_at < ${at}
      order by p.item_id for update of p
    ), released as (
      delete from held_deletion h using absent a where h.item_id = a.item_id
    )
    update product p set
      state = 'gone', ver = ver + 1, changed_at = ${at}, gone_at = ${at}, gone_call_id = ${sighting.callId},
      last_call_id = ${sighting.callId}
    from absent a where p.item_id = a.item_id
    returning p.item_id`);
  return rows.length;
}

async function hold(tx: Tx, sighting: Sighting, itemIds: readonly number[]): Promise<number> {
  const rows = await tx.execute(sql`
    insert into held_deletion (item_id, call_id, held_at)
    select id::bigint, ${sighting.callId}, ${sighting.sentAt.toISOString()}
    from json_array_elements_text(${JSON.stringify(itemIds)}::text::json) as x(id)
    on conflict (item_id) do update set call_id = excluded.call_id
    returning item_id`);
  return rows.length;
}

/** Ops have looked and believe the losses: every held absence takes effect, with the call that proved it. */
export async function releaseHeldDeletions(db: Db | Tx, now: Date): Promise<number> {
  const at = now.toISOString();
  const rows = await db.execute(sql`
    with held as (delete from held_deletion returning item_id, call_id)
    update product p set
      state = 'gone', ver = ver + 1, changed_at = ${at}, gone_at = ${at}, gone_call_id = held.call_id,
      last_call_id = held.call_id
    from held where p.item_id = held.item_id and p.state <> 'gone'
    returning p.item_id`);
  return rows.length;
}

/** Ops do not believe the losses: the products stay, and are looked at again in their turn. */
export async function discardHeldDeletions(db: Db | Tx): Promise<number> {
  const rows = await db.execute(sql`delete from held_deletion returning item_id`);
  return rows.length;
}

export async function countHeldDeletions(db: Db): Promise<number> {
  const [row] = await db.execute<{ held: number }>(sql`select count(*) as held from held_deletion`);
  return row?.held ?? 0;
}
