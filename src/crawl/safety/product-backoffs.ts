import { sql } from "drizzle-orm";
import { storeQuarantine } from "../../catalog/observing/quarantine.ts";
import { textList } from "../../db/rows.ts";
import type { Db, Tx } from "../../db/open.ts";
import { noteFailure, noteSuccess, unreadable, type CallFailure, type Subject } from "./backoff.ts";

/**
 * A refresh failed. Its products are requested in halves until one fails by itself: that one is
 * isolated, shown to ops in the quarantine, and from then on requested alone and ever more rarely; the
 * other products of its shop go on without it.
 */
export async function noteBatchFailure(
  tx: Tx,
  { shopId, itemIds }: { shopId: string; itemIds: readonly number[] },
  failure: CallFailure,
): Promise<boolean> {
  const shop: Subject = { kind: "shop", key: shopId };
  if (failure.kind === "account" || failure.kind === "doubted") {
    return noteFailure(tx, shop, failure);
  }
  const [itemId] = itemIds;
  if (itemIds.length !== 1 || itemId === undefined) {
    return noteFailure(tx, shop, { ...failure, kind: "broken" }, { halving: itemIds });
  }
  const product: Subject = { kind: "product", key: String(itemId) };
  const wasIsolated = await isIsolated(tx, itemId);
  const isItsOwn = await noteFailure(tx, product, failure, { isolated: true });
  // That an isolated product fails again tells nothing of its shop, whose other products must not wait for it.
  if (wasIsolated) return isItsOwn;
  const { callId, at: sentAt, message: reason } = failure;
  await storeQuarantine(tx, { callId, sentAt }, [{ itemId, reason, raw: "" }]);
  return noteFailure(tx, shop, { ...failure, kind: "broken" });
}

async function isIsolated(tx: Tx, itemId: number): Promise<boolean> {
  const rows = await tx.execute(sql`
    select from backoff where kind = 'product' and key = ${String(itemId)} and isolated`);
  return rows.length > 0;
}

/** A refresh succeeded: neither its shop nor the products in the call are at fault. */
export async function noteBatchSuccess(
  tx: Tx,
  { shopId, itemIds }: { shopId: string; itemIds: readonly number[] },
): Promise<void> {
  await noteSuccess(tx, { kind: "shop", key: shopId }, itemIds);
  await tx.execute(sql`
    delete from backoff
    where isolated and key in ${textList(itemIds)}`);
}

/**
 * A search shows products that no refresh could read: each may be refreshed at once. Its failures stay counted, so
 * that it waits still longer if refreshes cannot read it after all.
 */
export async function endWaits(tx: Tx, itemIds: readonly number[], now: Date): Promise<void> {
  if (itemIds.length === 0) return;
  const at = now.toISOString();
  await tx.execute(sql`
    update backoff set retry_at = ${at}
    where kind = 'product' and code = ${unreadable} and key in ${textList(itemIds)} and retry_at > ${at}`);
}

/** A refresh shows one of a shop's products that could not be read: so perhaps can the others be, which are returned. */
export async function endWaitsOfShop(
  tx: Tx,
  { shopId, shown }: { shopId: string; shown: readonly number[] },
  now: Date,
): Promise<number[]> {
  const isUnread = sql`b.kind = 'product' and b.code = ${unreadable}`;
  const read = await tx.execute(sql`
    select from backoff b where ${isUnread} and b.key in ${textList(shown)} limit 1`);
  if (read.length === 0) return [];
  const rows = await tx.execute<{ item_id: number }>(sql`
    select c.item_id from backoff b join product_schedule c on c.item_id = b.key::bigint
    where ${isUnread} and c.shop_id = ${shopId}`);
  const others = rows.map((row) => row.item_id).filter((id) => !shown.includes(id));
  await endWaits(tx, others, now);
  return others;
}

/** The isolated product that is due first, of shops that are not backing off. */
export async function readIsolatedDue(
  db: Db,
  now: Date,
): Promise<{ itemId: number; shopId: string } | null> {
  const at = now.toISOString();
  const [row] = await db.execute<{ item_id: number; shop_id: string }>(sql`
    select c.item_id, c.shop_id
    from backoff b join product_schedule c on c.item_id = b.key::bigint
    where b.isolated and b.retry_at <= ${at}
      and c.shop_id not in (select key from backoff where kind = 'shop' and retry_at > ${at})
    order by b.retry_at limit 1`);
  return row ? { itemId: row.item_id, shopId: row.shop_id } : null;
}
