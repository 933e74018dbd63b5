import { sql } from "drizzle-orm";
import { idList } from "../../db/rows.ts";
import type { Tx } from "../../db/open.ts";
import {
  admitLosses,
  defaultLossBounds,
  isDoubted,
  needSecondLook,
  noteRefuted,
  type LossBounds,
} from "./loss-guard.ts";
import { isAhead, type Sighting } from "../sighting.ts";

export interface RefreshAnswer {
  shopId: string;
  asked: readonly number[];
  /** Ids in the answer, readable or not, as often as it has them. */
  returned: readonly number[];
  /** An item of the answer had no readable id. It may be any product, so none counts as absent. */
  anonymous: boolean;
  /** For so many of the ids an earlier answer had no product, and was not believed. */
  absentBefore?: number;
  /** The answer is wholly empty, and an earlier one lacked every one of these ids. */
  confirmsEmpty: boolean;
}

export type AbsenceVerdict =
  | { verdict: "none" }
  /**
   * Not proven yet: a call that asks for these ids alone must return none of them. So it is when the answer
   * lacks all or most or has a product twice, and where refreshes are known, or have to be tested, to leave out
   * living products.
   */
  | { verdict: "confirm"; absent: readonly number[] }
  | { verdict: "deleted"; deleted: number; held: number };

/** So many, and most of those asked for, seldom vanish between two looks: the upstream may have cut its answer short. */
const many = 5;
/** While refreshes leave out living products, so many of a shop in a row must show none before a product is deleted. */
const emptyInDoubt = 4;
/** Confirmations follow each other at once: no further calls are looked at. */
const callsLookedAt = 500;

/**
 * Marks as deleted what a valid 200 of a refresh proves deleted: the call requested the id at its own
 * shop, the answer lacks it, and no call sent at the same time or later has shown it. An answer
 * that lacks all or most, or any product where refreshes may leave out living ones, proves nothing until a second one
 * confirms it. The loss guard may hold deletions. Nothing else in Kurabe deletes products.
 */
export async function settleAbsences(
  tx: Tx,
  sighting: Sighting,
  answer: RefreshAnswer,
  bounds: LossBounds = defaultLossBounds,
): Promise<AbsenceVerdict> {
  const returned = new Set(answer.returned);
  const { absentBefore = 0 } = answer;
  const absent = answer.asked.filter((id) => !returned.has(id));
  if (!answer.anonymous) await noteRefuted(tx, sighting, Math.max(0, absentBefore - absent.length));
  if (absent.length === 0 || answer.anonymous) return { verdict: "none" };
  // It shows other products alone, so it answers another question.
  if (returned.size > 0 && absent.length === answer.asked.length) return { verdict: "none" };
  const isMost = absent.length >= many && absent.length * 2 > answer.asked.length;
  const isDoubtful = returned.size === 0 || isMost || absentBefore > 0 || hasTwice(answer);
  const needsMore = answer.confirmsEmpty
    ? await needsMoreEmpty(tx, sighting, answer.shopId)
    : isDoubtful || (await needSecondLook(tx, sighting, absent.length));
  if (needsMore) return { verdict: "confirm", absent };
  const lost = await lockLost(tx, sighting, answer.shopId, absent);
  if (lost.length === 0) return { verdict: "deleted", deleted: 0, held: 0 };
  const losses = { losses: lost.length, shown: returned.size };
  if (await admitLosses(tx, sighting, losses, bounds)) {
    await markDeleted(tx, sighting, lost);
    return { verdict: "deleted", deleted: lost.length, held: 0 };
  }
  await hold(tx, sighting, lost);
  return { verdict: "deleted", deleted: 0, held: lost.length };
}

/** One of the products that it lacks may be there under the id of another. */
const hasTwice = ({ returned }: RefreshAnswer) => new Set(returned).size < returned.length;

/** Whether refreshes leave out living products, and the latest of this shop have not all been empty. */
async function needsMoreEmpty(
  tx: Tx,
  { callId, sentAt }: Sighting,
  shopId: string,
): Promise<boolean> {
  if (!(await isDoubted(tx, sentAt))) return false;
  const rows = await tx.execute<{ is_empty: boolean }>(sql`
    select returned = 0 as is_empty from api_call
    where id between ${callId - callsLookedAt} and ${callId - 1}
      and operation = 'refresh' and outcome = 'ok' and params ->> 'shop_id' = ${shopId}
    order by id desc limit ${emptyInDoubt - 1}`);
  return rows.length < emptyInDoubt - 1 || rows.some((row) => !row.is_empty);
}

/** Those of the absent ids whose products the answer proves deleted. */
async function lockLost(
  tx: Tx,
  sighting: Sighting,
  shopId: string,
  absent: readonly number[],
): Promise<number[]> {
  const rows = await tx.execute<{ item_id: number }>(sql`
    select p.item_id from product p
    where p.item_id in ${idList(absent)} and p.shop_id = ${shopId} and p.state <> 'gone'
      and (p.checked_at < ${sighting.sentAt.toISOString()} or ${isAhead(sighting)})
    order by p.item_id for update of p`);
  return rows.map((row) => row.item_id);
}

async function markDeleted(tx: Tx, sighting: Sighting, itemIds: readonly number[]): Promise<void> {
  const at = sighting.sentAt.toISOString();
  await tx.execute(sql`
    update product set
      state = 'gone', ver = ver + 1, changed_at = ${at}, deleted_at = ${at}, deleted_call_id = ${sighting.callId},
      last_call_id = ${sighting.callId}, deletions = deletions + 1
    where item_id in ${idList(itemIds)}`);
}

/** If the deletion is held already, the newest proof counts. */
async function hold(tx: Tx, sighting: Sighting, itemIds: readonly number[]): Promise<void> {
  const at = sighting.sentAt.toISOString();
  await tx.execute(sql`
    insert into held_deletion as h (item_id, call_id, proven_at, held_at)
    select id, ${sighting.callId}, ${at}, ${at} from ${idList(itemIds)} as x(id)
    on conflict (item_id) do update set call_id = excluded.call_id, proven_at = excluded.proven_at
      where h.proven_at < excluded.proven_at`);
}
