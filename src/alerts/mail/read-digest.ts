import { sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/open.ts";
import type { AlertKind } from "../../db/schema.ts";

export interface DigestSearch {
  /** null: deleted since. */
  name: string | null;
  /** Newest first. */
  events: { itemId: number; kind: AlertKind; data: Record<string, unknown> }[];
}

export interface DigestEvents {
  /** All that is to be told, also what is not listed. */
  total: number;
  searches: DigestSearch[];
}

/** A number that the event has; null: it has none, or one that cannot be read. */
const told = (name: string) =>
  sql`case when jsonb_typeof(data -> ${name}) = 'number' then (data -> ${name})::numeric end`;

/** Events of one saved search that a digest lists at most, and saved searches. */
const mostEvents = 20;
const mostSearches = 200;

/**
 * What happened to the saved searches of an owner after one event and up to another: of each product and kind the
 * newest event, unless it is over by now, as when the product was sold out again or the shop states no price any more.
 */
export async function readDigest(
  db: Db | Tx,
  { ownerId, afterEvent, lastEvent }: { ownerId: number; afterEvent: number; lastEvent: number },
): Promise<DigestEvents> {
  const rows = await db.execute<{
    saved_search_id: number;
    name: string | null;
    total: number;
    item_id: number;
    kind: AlertKind;
    data: Record<string, unknown>;
  }>(sql`
    select e.saved_search_id, s.name, e.total, e.item_id, e.kind, e.data
    from (
      select saved_search_id, event_id, item_id, kind, data, count(*) over ()::int as total,
        row_number() over (partition by saved_search_id order by event_id desc) as place,
        dense_rank() over (order by saved_search_id) as search
      from (
        select distinct on (saved_search_id, item_id, kind) saved_search_id, event_id, item_id, kind, data
        from alert_event
        where owner_id = ${ownerId} and event_id > ${afterEvent} and event_id <= ${lastEvent}
        order by saved_search_id, item_id, kind, event_id desc
      ) newest left join product p using (item_id)
      where coalesce(case
        when kind = 'gone' then p.state = 'gone'
        when p.state = 'gone' then false
        when kind in ('price_below', 'price_drop', 'new_low') and p.price = 0 then false
        when kind = 'back_in_stock' then p.stock > 0
        when kind = 'price_below' then p.price <= ${told("target")}
        when kind = 'price_rise' then p.price > ${told("prev_price")}
        when kind = 'price_drop' then p.price < ${told("prev_price")}
        when kind = 'new_low' then p.price < ${told("low")}
      end, true)
    ) e left join saved_search s using (saved_search_id)
    where e.place <= ${mostEvents} and e.search <= ${mostSearches}
    order by e.saved_search_id, e.place`);
  const searches = new Map<number, DigestSearch>();
  for (const row of rows) {
    const search = searches.get(row.saved_search_id) ?? { name: row.name, events: [] };
    search.events.push({ itemId: row.item_id, kind: row.kind, data: row.data });
    searches.set(row.saved_search_id, search);
  }
  return { total: rows[0]?.total ?? 0, searches: [...searches.values()] };
}
