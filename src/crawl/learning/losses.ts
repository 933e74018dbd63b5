import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Sighting } from "../../catalog/sighting.ts";
import type { Tx } from "../../db/open.ts";
import { recordset } from "../../db/rows.ts";
import { unlessHeld } from "../../db/transact.ts";
import { countEach } from "../../lib/collect.ts";
import { toDays } from "../scoring/days.ts";
import { batchSize } from "../scoring/scoring.ts";
import { lossTraitsOf } from "../scoring/traits.ts";
import { readShopStats, type Totals } from "./statistics.ts";
import { addTraitEvidence } from "./trait-factors.ts";

/** What is known of the losses of a shop counts half after so many days: most shops delete in bursts. */
const lossesHalvedDays = 14;
export const fadedLosses = (at: Date) => sql`
  power(0.5, greatest(0, extract(epoch from ${at.toISOString()}::timestamptz - coalesce(s.losses_at, ${at.toISOString()})))
    / (86400.0 * ${lossesHalvedDays}))`;

/** `appearedAt`: null if it is unknown. */
export function toPresence(appearedAt: number | null, deletions: number, at: number) {
  return { deletions, shownDays: appearedAt === null ? null : Math.max(0, at - appearedAt) };
}

type LostRow = {
  query_id: number | null;
  price: number;
  stock: number;
  categories: string[];
  deletions: number;
  loss_factor: number;
  appeared_at: string | null;
  checked_at: string;
};

/**
 * Fewer deletions at once do not tell that a shop is emptied: a call may ask for those alone that another one lacked, and
 * that is for more only if it lacked most.
 */
const leastEmptied = batchSize / 2;

/** Learns from the products that this call proved deleted, and ends their planning. `shown`: products that it showed. */
export async function learnLosses(
  tx: Tx,
  { callId, sentAt }: Sighting,
  { shopId, shown }: { shopId: string; shown: number },
  totals: Totals,
): Promise<Losses> {
  const shop = (await readShopStats(tx, [shopId], totals)).get(shopId);
  const at = sentAt.toISOString();
  const rows = await tx.execute<LostRow>(sql`
    with lost as (
      select c.item_id, c.query_id, c.rate_changes, c.rate_days * c.rate_factor as rate_days, p.deleted_at - c.checked_at as unseen,
        p.price, p.stock, p.categories, p.deletions - 1 as deletions, c.loss_factor, c.appeared_at, c.checked_at, c.suspected
      from product p join product_schedule c on c.item_id = p.item_id
      where p.state = 'gone' and p.deleted_at = ${at} and p.deleted_call_id = ${callId}
      order by c.item_id for update of c
    ), removed as (
      delete from product_schedule c using lost l where c.item_id = l.item_id
    ), summed as (
      update shop s set losses = s.losses * ${fadedLosses(sentAt)} + g.losses,
        loss_days = s.loss_days * ${fadedLosses(sentAt)} + g.days, losses_at = greatest(s.losses_at, ${at}),
        emptied_at = case when g.unexpected > ${leastEmptied} and g.unexpected > ${shown} then ${at} else s.emptied_at end,
        rate_changes = greatest(0, s.rate_changes - g.changes), rate_days = greatest(0, s.rate_days - g.rate_days)
      from (
        select count(*) as losses, count(*) filter (where not suspected) as unexpected,
          coalesce(sum(extract(epoch from unseen) * loss_factor), 0) / 172800 as days,
          coalesce(sum(rate_changes), 0) as changes, coalesce(sum(rate_days), 0) as rate_days
        from lost) g
      where s.shop_id = ${shopId} and g.losses > 0
    )
    select query_id, price, stock, categories, deletions, loss_factor, appeared_at, checked_at from lost`);
  const lost = rows.map((row) => {
    const checkedAt = toDays(new Date(row.checked_at));
    const appearedAt = row.appeared_at === null ? null : toDays(new Date(row.appeared_at));
    // It was deleted somewhere between the two checks.
    const expected = ((shop?.lossRate ?? 0) * Math.max(0, toDays(sentAt) - checkedAt)) / 2;
    const traits = lossTraitsOf(row, toPresence(appearedAt, row.deletions, checkedAt));
    return { evidence: { traits, seen: 1, expected }, expected: expected * row.loss_factor };
  });
  await addTraitEvidence(
    tx,
    "losses",
    lost.map(({ evidence }) => evidence),
  );
  await countDeleted(
    tx,
    rows.flatMap((row) => row.query_id ?? []),
  );
  return { seen: lost.length, expected: lost.reduce((sum, { expected }) => sum + expected, 0) };
}

/** Of each keyword; not where somebody holds its row for long: the deletions themselves are stored without it. */
async function countDeleted(tx: Tx, queryIds: readonly number[]): Promise<void> {
  if (queryIds.length === 0) return;
  const deleted = [...countEach(queryIds)].map(([id, n]) => ({ id, n }));
  const count = sql`
    with counted as (
      select q.id, x.n from crawl_query q join ${recordset(deleted, "x(id bigint, n bigint)")} on x.id = q.id
      order by q.id for no key update of q
    )
    update crawl_query q set items_deleted = q.items_deleted + c.n from counted c where q.id = c.id`;
  await unlessHeld(tx, (part) => part.execute(count));
}

/** Deletions, and how many the usual loss rates had led to expect. */
export interface Losses {
  seen: number;
  expected: number;
}

/** Deletions lately, and those that the usual loss rates had led to expect: both fade. */
export const recentLosses = z.object({ seen: z.number(), expected: z.number(), at: z.number() });
export type RecentLosses = z.infer<typeof recentLosses>;

export const noLosses: RecentLosses = { seen: 0, expected: 0, at: 0 };

/** They count half after so many days. */
const halvedDays = 1;
/** So many deletions, as usual, are added to those seen. */
const doubt = 2;
const most = 100;

/** `expected`: by the rates that `burstOf` has multiplied. */
export function addLosses(old: RecentLosses, now: Losses, at: number): RecentLosses {
  const fade = 0.5 ** (Math.max(0, at - old.at) / halvedDays);
  return {
    seen: old.seen * fade + now.seen,
    expected: old.expected * fade + now.expected / burstOf(old),
    at: Math.max(at, old.at),
  };
}

/** Shops of a marketplace delete in bursts, often many of them together: by how much all loss rates are to be multiplied. */
export function burstOf({ seen, expected }: RecentLosses): number {
  return Math.min(most, Math.max(1 / most, (seen + doubt) / (expected + doubt)));
}
