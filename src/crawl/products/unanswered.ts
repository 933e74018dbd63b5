import { sql } from "drizzle-orm";
import type { Sighting } from "../../catalog/sighting.ts";
import type { Tx, Db } from "../../db/open.ts";
import { unlessHeld } from "../../db/transact.ts";
import type { RefreshPage } from "../../storefront/product.ts";
import { clearBackoffs, noteUnanswered, unreadable } from "../safety/backoff.ts";
import { endWaitsOfShop } from "../safety/product-backoffs.ts";
import { toDays } from "../scoring/days.ts";
import { setItemDue } from "../learning/due-shops.ts";
import type { RefreshCall } from "../safety/planned-call.ts";
import { idList, type RowOf, toRecords } from "../../db/rows.ts";

/** After a wholly empty or doubted answer its products wait so many days for another kind of call. */
const postponedDays = 0.25;

export async function postponeItems(tx: Tx, itemIds: readonly number[], at: Date): Promise<void> {
  const dueAt = toDays(at) + postponedDays;
  const due = itemIds.map((itemId) => ({ itemId, dueAt }));
  await setItemDue(tx, due);
}

/**
 * Products that were requested, but neither shown nor proven deleted: each records the outcome, and its
 * next check comes later every time.
 */
export async function passOver(
  tx: Tx,
  { shopId, itemIds }: Pick<RefreshCall, "shopId" | "itemIds">,
  page: RefreshPage,
  { callId, sentAt: at }: Sighting,
): Promise<void> {
  const moved = page.items.filter((item) => item.shopId !== shopId).map((item) => item.itemId);
  const broken = page.broken.flatMap((item) => (item.itemId === null ? [] : [item.itemId]));
  const shown = new Set(page.items.map((item) => item.itemId));
  const absent = itemIds.filter((id) => !shown.has(id) && !broken.includes(id));
  const asked = new Set(itemIds);
  const outcomes = [
    { code: "moved", reason: "the upstream shows it in another shop", ids: moved },
    { code: unreadable, reason: "the upstream's data of it cannot be read", ids: broken },
    {
      code: "held",
      reason: "the upstream does not show it, which does not prove yet that it is deleted",
      ids: absent,
    },
  ];
  const stayed = [...shown].filter((id) => !moved.includes(id));
  const others = await endWaitsOfShop(tx, { shopId, shown: stayed }, at);
  await setItemDue(
    tx,
    others.map((itemId) => ({ itemId, dueAt: toDays(at) })),
  );
  await clearBackoffs(tx, "product", stayed);
  for (const { code, reason, ids } of outcomes) {
    const unanswered = ids.filter((id) => asked.has(id));
    const known = await readLiving(tx, unanswered);
    const due = await noteUnanswered(tx, known, { code, reason, callId, at });
    await setItemDue(tx, due);
  }
}

async function readLiving(tx: Tx, itemIds: readonly number[]): Promise<number[]> {
  if (itemIds.length === 0) return [];
  const rows = await tx.execute<{ item_id: number }>(sql`
    select item_id from product_schedule where ${among(itemIds)} order by item_id`);
  return rows.map((row) => row.item_id);
}

/** The products that a refresh did not show, where it showed none or lacked most. */
export interface EmptyAnswer {
  callId: number;
  shopId: string;
  itemIds: number[];
}

/** A second empty answer confirms the first if its call was sent within this time. */
const confirmedWithinMs = 3_600_000;

function oldest(at: Date): string {
  return new Date(at.getTime() - confirmedWithinMs).toISOString();
}

/**
 * Of empty answers `e`: no later one has shown the product. A check in the future is one from before a clock that was
 * ahead was set right.
 */
const stillAbsent = (now: Date) => sql`not exists (
  select from product_schedule c where c.item_id = e.item_id and c.checked_at > e.sent_at
    and c.checked_at < ${now.toISOString()}::timestamptz + interval '1 minute')`;

/** Empty answers that can still be confirmed, oldest first; without shops whose calls fail now. */
export async function readEmptyAnswers(db: Db | Tx, now: Date): Promise<EmptyAnswer[]> {
  const rows = await db.execute<RowOf<EmptyAnswer>>(sql`
    select call_id, shop_id, json_agg(item_id order by item_id) as item_ids from empty_answer e
    where sent_at > ${oldest(now)} and ${stillAbsent(now)}
      and shop_id not in (
        select key from backoff where kind = 'shop' and retry_at > ${now.toISOString()})
    group by call_id, shop_id order by min(sent_at), call_id`);
  return toRecords<EmptyAnswer>(rows, {});
}

/** For how many of these ids an earlier call, not too long before, had no product. */
export async function countAbsentBefore(
  tx: Tx,
  sighting: Sighting,
  asked: { shopId: string; itemIds: readonly number[] },
): Promise<number> {
  let told = 0;
  await unlessHeld(tx, async (part) => {
    const [row] = await part.execute<{ told: number }>(sql`
      select count(*) as told from empty_answer e
      where ${stillAbsent(sighting.sentAt)} and shop_id = ${asked.shopId} and sent_at > ${oldest(sighting.sentAt)}
        and sent_at < ${sighting.sentAt.toISOString()} and ${among(asked.itemIds)}`);
    told = row?.told ?? 0;
  });
  return told;
}

/** Records the products of an answer that are to be confirmed, and forgets those `settled` and what has waited too long. */
export async function noteEmptyAnswer(
  tx: Tx,
  sighting: Sighting,
  asked: { shopId: string; itemIds: readonly number[]; settled: readonly number[] },
): Promise<void> {
  const at = sighting.sentAt.toISOString();
  await tx.execute(sql`delete from empty_answer where sent_at <= ${oldest(sighting.sentAt)}`);
  await tx.execute(sql`
    insert into empty_answer (item_id, shop_id, call_id, sent_at)
    select distinct id, ${asked.shopId}, ${sighting.callId}::bigint, ${at}::timestamptz
    from ${idList(asked.itemIds)} x(id) order by 1
    on conflict (item_id) do update set
      shop_id = excluded.shop_id, call_id = excluded.call_id, sent_at = excluded.sent_at`);
  await tx.execute(sql`delete from empty_answer where ${among(asked.settled)}`);
}

function among(itemIds: readonly number[]) {
  return sql`item_id in ${idList(itemIds)}`;
}
