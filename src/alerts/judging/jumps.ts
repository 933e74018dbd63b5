import { sql } from "drizzle-orm";
import type { Tx } from "../../db/open.ts";
import { transact } from "../../db/transact.ts";
import type { UnconfirmedJump } from "../../db/schema.ts";
import { judgeInOrder, type JudgingDeps } from "./judging.ts";
import { toWaiting } from "./waiting-changes.ts";

const slice = 200;
const idleMs = 2000;

type Due = {
  item_id: number;
  /** Its saved search. */
  only: number;
  jump: UnconfirmedJump;
  at: string;
  is_seen_again: boolean;
};

/**
 * A step for `runLoop`: looks whether prices that had jumped were seen again without a change, and
 * judges them if so. The longer a price waits, the more rarely it is looked at.
 */
export async function confirmJumps(deps: JudgingDeps): Promise<number> {
  const looked = await transact(deps.db, deps.clock, (tx) => lookAtJumps(tx, deps));
  return looked === slice ? 0 : idleMs;
}

async function lookAtJumps(tx: Tx, deps: JudgingDeps): Promise<number> {
  const head = await tx.execute(sql`select from alert_head for update skip locked`);
  if (head.length === 0) return 0;
  const now = deps.clock.now().toISOString();
  const due = await tx.execute<Due>(sql`
    with due as materialized (
      select item_id, saved_search_id, jump, touched_at from saved_search_item
      where look_at <= ${now}::timestamptz order by look_at limit ${slice} for no key update skip locked
    ), put_off as (
      update saved_search_item i
      set look_at = ${now}::timestamptz + greatest(interval '30 s', (${now}::timestamptz - i.touched_at) / 5)
      from due d where d.item_id = i.item_id and d.saved_search_id = i.saved_search_id
    )
    select d.item_id, d.saved_search_id as only, d.jump, clock_timestamp() as at,
      p.ver = (d.jump->>'ver')::bigint and p.checked_at > p.changed_at and p.state <> 'gone' as is_seen_again
    from due d join product p using (item_id)`);
  const seen = due.filter((one) => one.is_seen_again);
  const changes = seen.map(({ jump, ...row }) => ({ ...jump, ...row, kind: "changed" as const }));
  await judgeInOrder(tx, deps, await toWaiting(tx, changes));
  return due.length;
}
