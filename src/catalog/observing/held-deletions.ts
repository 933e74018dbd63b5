import { and, sql, type SQL } from "drizzle-orm";
import { idList, type RowOf, toRecords } from "../../db/rows.ts";
import type { Db, Tx } from "../../db/open.ts";
import { makeDue } from "./make-due.ts";
import { pageOf, type ListPage } from "../../lib/page-of.ts";

export interface HeldDeletion {
  itemId: number;
  title: string;
  shopId: string;
  shopName: string;
  /** The newest call that found it absent, and when it was sent. */
  callId: number;
  provenAt: Date;
  heldAt: Date;
  /** When an answer last showed the product. */
  seenAt: Date;
}

export interface HeldShop {
  shopId: string;
  shopName: string;
  held: number;
}

/** Selects held deletions; without any condition, all of them. */
export interface HeldScope {
  itemIds?: readonly number[] | undefined;
  shopId?: string | undefined;
}

/** Ordered by id, starting behind `after`. */
export async function readHeld(
  db: Db,
  { limit, after, ...scope }: HeldScope & { limit: number; after: number },
): Promise<ListPage<HeldDeletion, number>> {
  const rows = await db.execute<RowOf<HeldDeletion>>(sql`
    select h.item_id, p.title, p.shop_id, s.shop_name, h.call_id, h.proven_at, h.held_at,
      p.checked_at as seen_at
    from held_deletion h join product p using (item_id) join shop s using (shop_id)
    where h.item_id > ${after} and ${within(scope)} order by h.item_id limit ${limit + 1}`);
  const found = toRecords<HeldDeletion>(rows, { provenAt: true, heldAt: true, seenAt: true });
  return pageOf(found, limit, ({ itemId }) => itemId);
}

export async function readHeldShops(db: Db, limit: number): Promise<HeldShop[]> {
  const rows = await db.execute<RowOf<HeldShop>>(sql`
    select shop_id, s.shop_name, count(*) as held
    from held_deletion h join product p using (item_id) join shop s using (shop_id)
    group by shop_id, s.shop_name order by held desc, shop_id limit ${limit}`);
  return toRecords<HeldShop>(rows, {});
}

export async function countHeld(db: Db | Tx): Promise<number> {
  const [row] = await db.execute<{ held: number }>(sql`
    select count(*) as held from held_deletion join product using (item_id)`);
  return row?.held ?? 0;
}

/** One transaction decides about at most `limit` deletions that were held at `heldBy`. */
export interface HeldSlice {
  scope: HeldScope;
  heldBy: Date;
  limit: number;
}

/** `taken`: how many are no longer held. Fewer than the limit means that none is left. */
export type Decided = { taken: number; deleted: number };

/**
 * Ops confirm the deletions. Each takes effect at the time of the call that proved it, unless a later
 * call has shown the product. The product's planning state is deleted, and what its shop learned from
 * it is subtracted.
 */
export async function releaseHeld(tx: Tx, slice: HeldSlice, now: Date): Promise<Decided> {
  const [row] = await tx.execute<Decided>(sql`
    with ${taken(slice)}, deleted as (
      update product p set
        state = 'gone', ver = ver + 1, changed_at = ${now.toISOString()}, deleted_at = t.proven_at,
        deleted_call_id = t.call_id, last_call_id = t.call_id, deletions = p.deletions + 1
      from taken t where p.item_id = t.item_id and p.state <> 'gone' and p.checked_at < t.proven_at
      returning p.item_id
    ), scheduled as (
      select c.item_id, c.shop_id, c.rate_changes, c.rate_days * c.rate_factor as rate_days
      from product_schedule c join deleted d on d.item_id = c.item_id order by c.item_id for update of c
    ), unscheduled as (
      delete from product_schedule c using scheduled l where c.item_id = l.item_id
    ), sums as (
      select shop_id, sum(rate_changes) as changes, sum(rate_days) as days from scheduled group by 1
    ), shops as (
      select shop_id, changes, days from shop join sums using (shop_id)
      order by shop_id collate "C" for no key update of shop
    ), forgotten as (
      update shop s set rate_changes = greatest(0, s.rate_changes - x.changes),
        rate_days = greatest(0, s.rate_days - x.days)
      from shops x where s.shop_id = x.shop_id
    )
    select (select count(*) from taken) as taken, (select count(*) from deleted) as deleted`);
  return row ?? { taken: 0, deleted: 0 };
}

/** Ops reject the deletions. The products stay and are checked again when they are due. */
export async function discardHeld(tx: Tx, slice: HeldSlice): Promise<Decided> {
  const rows = await tx.execute<{ item_id: number }>(sql`
    with ${taken(slice)}, freed as (
      delete from backoff b using taken t
      where b.kind = 'product' and b.key = t.item_id::text and not b.isolated
    )
    select item_id from taken`);
  const itemIds = rows.map((row) => row.item_id);
  await makeDue(tx, itemIds, slice.heldBy);
  return { taken: rows.length, deleted: 0 };
}

/** Locks products before their held deletions, as all other code does. */
function taken({ scope, heldBy, limit }: HeldSlice): SQL {
  return sql`
    locked as (
      select p.item_id from held_deletion h join product p using (item_id)
      where h.held_at <= ${heldBy.toISOString()} and ${within(scope)}
      order by p.item_id limit ${limit} for update of p
    ), taken as (
      delete from held_deletion h using locked l where h.item_id = l.item_id
      returning h.item_id, h.call_id, h.proven_at
    )`;
}

function within({ itemIds, shopId }: HeldScope): SQL {
  const conditions = and(
    itemIds && sql`h.item_id in ${idList(itemIds)}`,
    shopId === undefined ? undefined : sql`p.shop_id = ${shopId}`,
  );
  return conditions ?? sql`true`;
}
