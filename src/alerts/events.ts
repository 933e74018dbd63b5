import { sql, type SQL } from "drizzle-orm";
import type { Db } from "../db/open.ts";
import { toRecords, type RowOf } from "../db/rows.ts";
import type { alertEvent } from "../db/schema.ts";
import { toSecretHash } from "./owners.ts";

export interface AlertEvent extends Omit<typeof alertEvent.$inferSelect, "ownerId"> {
  /** null: deleted since. */
  savedSearchName: string | null;
  /** Of the product's shop now. */
  shop: { shopId: string; shopUrl: string } | null;
}

type EventOfShop = Omit<AlertEvent, "shop"> & { shopId: string | null; shopUrl: string | null };

async function readEvents(db: Db, chosen: SQL): Promise<AlertEvent[]> {
  const rows = await db.execute<RowOf<EventOfShop>>(sql`
    select e.event_id, e.saved_search_id, s.name as saved_search_name, e.item_id, e.kind, e.ver, e.data, e.is_quiet,
      e.changed_at, e.at, h.shop_id, h.shop_url
    from (${chosen}) e
    left join saved_search s using (saved_search_id)
    left join product p on p.item_id = e.item_id left join shop h on h.shop_id = p.shop_id
    order by e.event_id`);
  const events = toRecords<EventOfShop>(rows, { changedAt: true, at: true });
  return events.map(({ shopId, shopUrl, ...event }) => ({
    ...event,
    shop: shopId === null || shopUrl === null ? null : { shopId, shopUrl },
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
  const rows = await db.execute<RowOf<Omit<Feed, "events">>>(sql`
    select s.saved_search_id, s.name, s.updated_at
    from saved_search s join alert_owner o using (owner_id) left join api_key k using (key_id)
    where s.feed_hash = ${hash} and k.revoked_at is null`);
  const [search] = toRecords<Omit<Feed, "events">>(rows, { updatedAt: true });
  if (!search) return null;
  const events = await readEvents(
    db,
    sql`select * from alert_event where saved_search_id = ${search.savedSearchId}
      order by event_id desc limit ${limit}`,
  );
  return { ...search, events: events.toReversed() };
}
