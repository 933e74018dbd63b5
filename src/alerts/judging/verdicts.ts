import { sql } from "drizzle-orm";
import type { Tx } from "../../db/open.ts";
import { idList, type RowOf } from "../../db/rows.ts";
import type { alertEvent, savedSearchItem } from "../../db/schema.ts";
import type { PairState } from "./judge.ts";

/** An event, as its table has it. */
export type Told = RowOf<Omit<typeof alertEvent.$inferSelect, "eventId" | "at">> & {
  webhook_id: number | null;
};

/** What a slice adds to the counts of a saved search. */
export interface DayCount {
  /** The day of its last event, YYYY-MM-DD. */
  day: string;
  /** Events of that day that are not quiet. */
  dayEvents: number;
  /** New events, whatever the day. */
  events: number;
}

export interface Verdicts {
  /** In order. */
  told: readonly Told[];
  /** What is to be remembered; null: nothing. */
  states: readonly { savedSearchId: number; itemId: number; state: PairState | null }[];
  days: ReadonlyMap<number, DayCount>;
  /** How often a change was compared with a saved search. */
  looked: number;
  /** How many changes were judged. */
  judged: number;
  now: Date;
}

const firstLookMs = 30_000;

/** Writes events with the messages to send, states, and counts. The caller has locked `alert_head`. */
export async function writeVerdicts(tx: Tx, verdicts: Verdicts): Promise<void> {
  const { told, states, days, looked, judged } = verdicts;
  if (told.length > 0) await writeEvents(tx, told);
  if (states.length > 0) await writeStates(tx, verdicts);
  if (days.size > 0) {
    // One that somebody keeps locked goes without its counts, so that it holds up no other.
    const counts = [...days].map(([id, count]) => ({ id, ...count }));
    await tx.execute(sql`
      update saved_search s set day = x.day, day_events = x."dayEvents", events = s.events + x.events
      from json_to_recordset(${JSON.stringify(counts)}::text::json)
        as x(id bigint, day date, "dayEvents" int, events bigint)
      join lateral (select from saved_search where saved_search_id = x.id for no key update skip locked) free on true
      where s.saved_search_id = x.id`);
  }
  await tx.execute(sql`
    update alert_head set judged = judged + ${judged}, looked = looked + ${looked},
      events = events + ${told.length}`);
}

/** An event that is there already was told before: its message is not written again. */
async function writeEvents(tx: Tx, told: readonly Told[]): Promise<void> {
  await tx.execute(sql`
    with new as (
      select * from json_to_recordset(${JSON.stringify(told.map((one, nr) => ({ nr, ...one })))}::text::json) as x(
        nr int, owner_id bigint, saved_search_id bigint, webhook_id bigint, item_id bigint, kind text, ver bigint,
        data jsonb, is_quiet boolean, changed_at timestamptz)
    ), written as (
      insert into alert_event (owner_id, saved_search_id, item_id, kind, ver, data, is_quiet, changed_at)
      select owner_id, saved_search_id, item_id, kind, ver, data, is_quiet, changed_at from new
      order by nr
      on conflict (saved_search_id, item_id, kind, ver) do nothing
      returning event_id, saved_search_id, item_id, kind, ver
    )
    insert into webhook_delivery (webhook_id, event_id)
    select n.webhook_id, w.event_id
    from written w join new n using (saved_search_id, item_id, kind, ver)
    join webhook h on h.webhook_id = n.webhook_id and h.state in ('active', 'paused')
    where not n.is_quiet
    order by w.event_id`);
}

/** What somebody keeps locked stays as it was, so that it holds up no other. */
async function writeStates(tx: Tx, { states, now }: Verdicts): Promise<void> {
  const firstLook = new Date(now.getTime() + firstLookMs).toISOString();
  const rows = states.map(({ savedSearchId, itemId, state }) => ({
    saved_search_id: savedSearchId,
    item_id: itemId,
    look_at: state?.jump ? firstLook : null,
    ...state,
  }));
  const kept = rows.filter((row) => "rules" in row);
  const over = rows.filter((row) => !("rules" in row));
  if (kept.length > 0) {
    await tx.execute(sql`
      with x as materialized (
        select * from json_to_recordset(${JSON.stringify(kept)}::text::json)
          as x(saved_search_id bigint, item_id bigint, rules jsonb, jump jsonb, look_at timestamptz)
      ), free as materialized (
        select i.item_id, i.saved_search_id from saved_search_item i join x using (item_id, saved_search_id)
        for no key update of i skip locked
      )
      insert into saved_search_item (saved_search_id, item_id, rules, jump, look_at, touched_at)
      select saved_search_id, item_id, rules, nullif(jump, 'null'), look_at, ${now.toISOString()}::timestamptz from x
      where (item_id, saved_search_id) in (select item_id, saved_search_id from free)
        or not exists (
          select from saved_search_item i where i.item_id = x.item_id and i.saved_search_id = x.saved_search_id)
      on conflict (item_id, saved_search_id) do update set rules = excluded.rules, jump = excluded.jump,
        look_at = excluded.look_at, touched_at = excluded.touched_at`);
  }
  if (over.length > 0) {
    await tx.execute(sql`
      with free as materialized (
        select i.item_id, i.saved_search_id from saved_search_item i
        join json_to_recordset(${JSON.stringify(over)}::text::json) as x(saved_search_id bigint, item_id bigint)
          using (item_id, saved_search_id)
        for update of i skip locked
      )
      delete from saved_search_item i using free f
      where i.item_id = f.item_id and i.saved_search_id = f.saved_search_id`);
  }
}

/** What saved searches remember of products: by product, then by saved search. */
export type States = Map<number, Map<number, PairState>>;

export async function readStates(tx: Tx, itemIds: readonly number[]): Promise<States> {
  type Stored = Pick<typeof savedSearchItem.$inferSelect, "savedSearchId" | "itemId"> & PairState;
  const rows = await tx.execute<RowOf<Stored>>(sql`
    select saved_search_id, item_id, rules, jump from saved_search_item
    where item_id in ${idList(itemIds)}`);
  const states: States = new Map(itemIds.map((id) => [id, new Map<number, PairState>()]));
  for (const { saved_search_id: id, item_id: itemId, rules, jump } of rows) {
    states.get(itemId)?.set(id, { rules, jump });
  }
  return states;
}
