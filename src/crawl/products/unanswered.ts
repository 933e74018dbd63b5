import { sql } from "drizzle-orm";
import type { Sighting } from "../../catalog/sighting.ts";
import type { Tx } from "../../db/open.ts";
import type { RefreshPage } from "../../storefront/product.ts";
import { noteUnanswered } from "../safety/backoff.ts";
import { toDays } from "../scoring/days.ts";
import { setItemDue } from "../learning/due-times.ts";
import { noteShown } from "../safety/product-backoffs.ts";
import type { RefreshCall } from "../safety/planned-call.ts";

/** After a wholly empty or doubted answer its products wait so many days for another kind of call. */
const POSTPONED_DAYS = 0.25;

export async function postponeItems(tx: Tx, itemIds: readonly number[], at: Date): Promise<void> {
  const dueAt = toDays(at) + POSTPONED_DAYS;
  await setItemDue(
    tx,
    itemIds.map((itemId) => ({ itemId, dueAt })),
  );
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
    { code: "unreadable", reason: "the upstream's data of it cannot be read", ids: broken },
    {
      code: "held",
      reason: "the upstream does not show it, which does not prove yet that it is deleted",
      ids: absent,
    },
  ];
  await noteShown(
    tx,
    [...shown].filter((id) => !moved.includes(id)),
  );
  for (const { code, reason, ids } of outcomes) {
    const known = await readLiving(
      tx,
      ids.filter((id) => asked.has(id)),
    );
    const due = await noteUnanswered(tx, known, { code, reason, callId, at });
    await setItemDue(
      tx,
      due.map(({ itemId, dueAt }) => ({ itemId, dueAt: toDays(dueAt) })),
    );
  }
}

async function readLiving(tx: Tx, itemIds: readonly number[]): Promise<number[]> {
  if (itemIds.length === 0) return [];
  const rows = await tx.execute<{ item_id: number }>(sql`
    select item_id from product_schedule
    join json_array_elements_text(${JSON.stringify(itemIds)}::text::json) as x(id) on item_id = x.id::bigint
    order by item_id`);
  return rows.map((row) => row.item_id);
}
