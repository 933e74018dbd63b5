import { sql, type SQL } from "drizzle-orm";
import type { Db } from "../db/open.ts";
import type { AlertKind } from "../db/schema.ts";
import { toSecretHash } from "./secrets.ts";

export interface AlertEvent {
  eventId: number;
  savedSearchId: number;
  /** null: deleted since. */
  savedSearchName: string | null;
  itemId: number;
  kind: AlertKind;
  ver: number;
  data: Record<string, unknown>;
  isQuiet: boolean;
  changedAt: Date;
  at: Date;
  /** Of the product's shop now. */
  shop: { shopId: string; shopUrl: string } | null;
}

type Row = {
  event_id: number;
  saved_search_id: number;
  name: string | null;
  item_id: number;
  kind: AlertKind;
  ver: number;
  data: Record<string, unknown>;
  is_quiet: boolean;
  changed_at: string;
  at: string;
  shop_id: string | null;
  shop_url: string | null;
};

async function readEvents(db: Db, chosen: SQL): Promise<AlertEvent[]> {
  const rows = await db.execute<Row>(sql`
    select e.event_id, e.saved_search_id, s.name, e.item_id, e.kind, e.ver, e.data, e.is_quiet,
      e.changed_at, e.at, h.shop_id, h.shop_url
    from (${chosen}) e
    left join saved_search s using (saved_search_id)
    left join product p on p.item_id = e.item_id left join shop h on h.shop_id = p.shop_id
    order by e.event_id`);
  return rows.map((row) => ({
    eventId: row.event_id,
    savedSearchId: row.saved_search_id,
    savedSearchName: row.name,
    itemId: row.item_id,
    kind: row.kind,
    ver: row.ver,
    data: row.data,
    isQuiet: row.is_quiet,
    changedAt: new Date(row.changed_at),
    at: new Date(row.at),
    shop:
      row.shop_id === null || row.shop_url === null
        ? null
        : { shopId: row.shop_id, shopUrl: row.shop_url },
  }));
}

/** The next events of an API key, in the order of commits: who keeps the last id misses none. */
export async function readEventsAfter(
  db: Db,
  keyId: number,
  { after, limit }: { after: number; limit: number },
): Promise<AlertEvent[]> {
  return readEvents(
    db,
    sql`select * from alert_event
      where owner_id = (select owner_id from alert_owner where key_id = ${keyId}) and event_id > ${after}
      order by event_id limit ${limit}`,
  );
}

/** The newest events of each saved search of an owner, newest first. */
export async function readNewestEvents(
  db: Db,
  ownerId: number,
  ofEach: number,
): Promise<AlertEvent[]> {
  const events = await readEvents(
    db,
    sql`select e.* from saved_search own cross join lateral (
        select * from alert_event a where a.saved_search_id = own.saved_search_id
        order by a.event_id desc limit ${ofEach}) e
      where own.owner_id = ${ownerId}`,
  );
  return events.toReversed();
}

/** The last event of all, whoever owns it; 0: there is none. */
export async function readLastEventId(db: Db): Promise<number> {
  const [row] = await db.execute<{ event_id: number }>(
    sql`select event_id from alert_event order by event_id desc limit 1`,
  );
  return row?.event_id ?? 0;
}

export interface Feed {
  savedSearchId: number;
  name: string;
  /** When it was last changed, or made. */
  updatedAt: Date;
  /** Newest first. */
  events: AlertEvent[];
}

/** The newest events of the saved search whose feeds have this secret; null: none has it. */
export async function readFeed(db: Db, secret: string, limit: number): Promise<Feed | null> {
  const hash = toSecretHash(secret);
  if (hash === null) return null;
  const [search] = await db.execute<{
    saved_search_id: number;
    name: string;
    updated_at: string;
  }>(sql`
    select s.saved_search_id, s.name, s.updated_at
    from saved_search s join alert_owner o using (owner_id) left join api_key k using (key_id)
    where s.feed_hash = ${hash} and k.revoked_at is null`);
  if (!search) return null;
  const events = await readEvents(
    db,
    sql`select * from alert_event where saved_search_id = ${search.saved_search_id}
      order by event_id desc limit ${limit}`,
  );
  return {
    savedSearchId: search.saved_search_id,
    name: search.name,
    updatedAt: new Date(search.updated_at),
    events: events.toReversed(),
  };
}
