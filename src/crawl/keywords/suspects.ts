import { sql } from "drizzle-orm";
import { idList } from "../../db/rows.ts";
import type { Tx } from "../../db/open.ts";
import type { Answer } from "./keyword-call.ts";

/** Expected but not shown, between two neighbours that are shown: it has not just moved to another page. */
export function missingBetween(expected: readonly number[], shown: readonly number[]): number[] {
  const here = new Set<number | undefined>(shown);
  return expected.filter(
    (id, i) => !here.has(id) && here.has(expected[i - 1]) && here.has(expected[i + 1]),
  );
}

/**
 * Products of the last first page of newest changes that this one should show and does not: their stored `modified` is
 * above its oldest one. None if it lacks more of them than it shows, or has an order of its own: it is no such list then.
 */
export async function findUnlisted(
  tx: Tx,
  listed: readonly number[],
  { page: { items, broken }, exhausted }: Pick<Answer, "page" | "exhausted">,
): Promise<number[]> {
  const shown = new Set([...items, ...broken].map(({ itemId }) => itemId));
  const unlisted = listed.filter((id) => !shown.has(id));
  const moments = items.flatMap(({ modified, unreadable }) =>
    unreadable?.fields.includes("modified") ? [] : [modified],
  );
  const isOrdered = moments.every((moment, i) => moment <= (moments[i - 1] ?? moment));
  if (unlisted.length === 0 || !isOrdered || shown.has(null)) return [];
  const oldest = exhausted ? -1 : moments.at(-1);
  if (oldest === undefined) return [];
  const missing = await tx.execute<{ item_id: number }>(sql`
    select item_id from product
    where item_id in ${idList(unlisted)} and state = 'live' and modified > ${oldest}`);
  if (missing.length > listed.length - unlisted.length) return [];
  return missing.map((row) => row.item_id);
}

/** Not found by a search that should find it: due at once, because only a refresh can prove it deleted. */
export async function suspect(tx: Tx, itemIds: readonly number[], at: Date): Promise<void> {
  if (itemIds.length === 0) return;
  await tx.execute(sql`
    with locked as (
      select p.item_id, c.shop_id from product p join product_schedule c on c.item_id = p.item_id
      where p.state = 'live' and p.checked_at < ${at.toISOString()}
        and p.item_id in ${idList(itemIds)}
      order by p.item_id for no key update of p, c
    ), missing as (
      update product p set state = 'missing' from locked l where p.item_id = l.item_id
    ), suspected as (
      update product_schedule c set suspected = true, due_at = ${at.toISOString()}
      from locked l where c.item_id = l.item_id
    ), shops as (
      select shop_id from shop where shop_id in (select shop_id from locked)
      order by shop_id collate "C" for no key update
    )
    update shop s set due_at = least(s.due_at, ${at.toISOString()}) from shops where s.shop_id = shops.shop_id`);
}
