import { and, desc, eq, inArray, lt, sql } from "drizzle-orm";
import { idList, rowsOf, textList } from "../../db/rows.ts";
import { lookedAt, toNewestPage, type NewestPage } from "../../db/newest.ts";
import type { Db, Tx } from "../../db/open.ts";
import { product, quarantine, quarantineSubject, shop } from "../../db/schema.ts";
import type { BrokenItem } from "../../storefront/product.ts";
import { makeDue } from "./make-due.ts";
import type { Sighting } from "../sighting.ts";

export type QuarantinedItem = typeof quarantine.$inferSelect & {
  /** These three are of the product as it was last read; null if it never was. */
  title: string | null;
  shopId: string | null;
  shopName: string | null;
};

export interface QuarantineFilter {
  itemId?: number | undefined;
  shopId?: string | undefined;
  /** A part of it. */
  reason?: string | undefined;
}

/** One row for each item and reason. A row that another answer is counting in is left to that one: nobody waits for it. */
export async function storeQuarantine(
  tx: Tx,
  { callId, sentAt }: Sighting,
  broken: readonly BrokenItem[],
): Promise<void> {
  if (broken.length === 0) return;
  const rows = broken.map(({ itemId, reason, raw }) => ({ item_id: itemId, reason, raw }));
  const at = sql`${sentAt.toISOString()}::timestamptz`;
  await tx.execute(sql`
    with input as (
      select ${quarantineSubject} as subject, item_id, reason, max(raw) as raw, count(*)::int as times
      from ${rowsOf("quarantine", rows)}
      group by 1, 2, 3
    ), again as (
      update quarantine q set call_id = ${callId}, raw = i.raw, times = q.times + i.times,
        seen_at = greatest(q.seen_at, ${at}), first_seen_at = least(q.first_seen_at, ${at})
      from input i, lateral (
        select id from quarantine where ${quarantineSubject} = i.subject limit 1 for update skip locked) known
      where q.id = known.id
    )
    insert into quarantine (call_id, item_id, reason, raw, times, seen_at, first_seen_at)
    select ${callId}::bigint, item_id, reason, raw, times, ${at}, ${at} from input i
    where not exists (select from quarantine where ${quarantineSubject} = i.subject)`);
}

/** Items that could not be read, before the id `before`. */
export async function readQuarantine(
  db: Db,
  page: QuarantineFilter & { limit: number; before?: number | undefined },
): Promise<NewestPage<QuarantinedItem>> {
  const { limit, before, itemId, shopId, reason } = page;
  const scope = and(
    before === undefined ? undefined : lt(quarantine.id, before),
    itemId === undefined ? undefined : eq(quarantine.itemId, itemId),
  );
  const items = db
    .select()
    .from(quarantine)
    .where(scope)
    .orderBy(desc(quarantine.id))
    .limit(lookedAt(limit, [shopId, reason]))
    .as("looked_at");
  // One by one: to merge the two in the order of ids, Postgres would read all products up to the largest id.
  const known = db
    .select({ title: product.title, shopId: product.shopId })
    .from(product)
    .where(eq(product.itemId, items.itemId))
    .limit(1)
    .as("known");
  const found = await db
    .select({
      id: items.id,
      callId: items.callId,
      itemId: items.itemId,
      reason: items.reason,
      raw: items.raw,
      seenAt: items.seenAt,
      firstSeenAt: items.firstSeenAt,
      times: items.times,
      title: known.title,
      shopId: known.shopId,
      shopName: shop.shopName,
    })
    .from(items)
    .leftJoinLateral(known, sql`true`)
    .leftJoin(shop, eq(shop.shopId, known.shopId))
    .where(
      and(
        shopId === undefined ? undefined : eq(known.shopId, shopId),
        reason === undefined
          ? undefined
          : sql`strpos(lower(${items.reason}), lower(${reason}::text)) > 0`,
      ),
    )
    .orderBy(desc(items.id))
    .limit(limit + 1);
  return toNewestPage(db, found, { limit, id: quarantine.id, scope });
}

/** Returns how many there were. */
export async function dropQuarantined(tx: Tx, ids: readonly number[]): Promise<number> {
  const rows = await tx
    .delete(quarantine)
    .where(inArray(quarantine.id, [...ids]))
    .returning({ id: quarantine.id });
  return rows.length;
}

/**
 * Lets the products of these items be checked at once, though they back off. Returns how many: items
 * without a known product are found again by searches alone.
 */
export async function recheckQuarantined(
  tx: Tx,
  ids: readonly number[],
  now: Date,
): Promise<number> {
  const at = now.toISOString();
  const rows = await tx.execute<{ item_id: number }>(sql`
    select item_id from product_schedule
    where item_id in (select item_id from quarantine where id in ${idList(ids)})`);
  const items = rows.map((row) => row.item_id);
  await makeDue(tx, items, now);
  await tx.execute(sql`
    update backoff set retry_at = ${at}
    where kind = 'product' and key in ${textList(items)} and retry_at > ${at}`);
  return items.length;
}
