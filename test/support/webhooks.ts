import { sql } from "drizzle-orm";
import { createReach } from "../../src/alerts/delivery/addresses.ts";
import { createDeliveries } from "../../src/alerts/delivery/deliveries.ts";
import { createWebhook, type Endpoint } from "../../src/alerts/delivery/endpoints.ts";
import { createOutgoing, type SendOutgoing } from "../../src/alerts/delivery/outgoing.ts";
import type { Db } from "../../src/db/open.ts";
import type { Clock } from "../../src/lib/clock.ts";
import { silentLogger as logger } from "../../src/lib/logger.ts";
import { must } from "../../src/lib/must.ts";
import { newKey } from "./keys.ts";

/** Requests to receivers on loopback. */
export function sendToLoopback(clock: Clock): SendOutgoing {
  const reach = createReach(["127.0.0.0/8"]);
  return createOutgoing({ reach, resolve: async () => [], clock });
}

export function deliveriesFor(
  db: Db,
  clock: Clock,
  send: SendOutgoing = sendToLoopback(clock),
): ReturnType<typeof createDeliveries> {
  return createDeliveries({ db, clock, logger, send, random: () => 0 });
}

/** A webhook of a key of its own. */
export async function addWebhook(
  db: Db,
  url: string,
  now: Date,
): Promise<{ endpoint: Endpoint; secret: string; keyId: number }> {
  return db.transaction(async (tx) => {
    const { keyId } = await newKey(tx, now);
    return { ...must(await createWebhook(tx, keyId, url, now), "a webhook"), keyId };
  });
}

/** Events with a message for the webhook, as judging writes them; returns their ids. */
export async function addEvents(
  db: Db,
  webhookId: number,
  now: Date,
  count = 1,
): Promise<number[]> {
  const rows = await db.execute<{ event_id: number }>(sql`
    with made as (
      insert into alert_event (owner_id, saved_search_id, item_id, kind, ver, data, is_quiet, changed_at)
      select 1, 1, n, 'price_drop', (select coalesce(max(event_id), 0) + n from alert_event),
        jsonb_build_object('title', '鞄', 'price', n), false, ${now.toISOString()}
      from generate_series(1, ${count}) n
      returning event_id
    )
    insert into webhook_delivery (webhook_id, event_id, next_at, created_at)
    select ${webhookId}, event_id, ${now.toISOString()}, ${now.toISOString()} from made
    returning event_id`);
  return rows.map((row) => row.event_id);
}

export interface DeliveryRow extends Record<string, unknown> {
  state: string;
  attempts: number;
  next_at: string;
  last_status: number | null;
  last_error: string | null;
}

export async function deliveriesOf(db: Db, webhookId: number): Promise<DeliveryRow[]> {
  return db.execute<DeliveryRow>(sql`
    select state, attempts, next_at, last_status, last_error from webhook_delivery
    where webhook_id = ${webhookId} order by delivery_id`);
}

/** Sends all that is due now, and waits for the answers. */
export async function sendDue(
  deliveries: ReturnType<typeof createDeliveries>,
  signal = new AbortController().signal,
) {
  await deliveries.step(signal);
  await deliveries.ended();
}
