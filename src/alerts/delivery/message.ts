import type { StoredEvent } from "./queue.ts";
import type { Message } from "./signature.ts";

const mostBytes = 20_000;

/** The same for every attempt and replay, so that receivers can leave out what they have already. */
export function messageId(deliveryId: number): string {
  return `msg_${deliveryId}`;
}

/**
 * What an endpoint gets: `type`, `timestamp` and `data`, as Standard Webhooks proposes. Events that are
 * too large for it come without the product's texts.
 */
export function toMessage(delivery: {
  deliveryId: number;
  webhookId: number;
  event: StoredEvent | null;
  createdAt: Date;
}): Message {
  const { event } = delivery;
  const id = messageId(delivery.deliveryId);
  if (event === null) {
    const data = { webhook_id: delivery.webhookId };
    return { id, body: toBody("test", delivery.createdAt, data) };
  }
  const ids = {
    event_id: event.eventId,
    saved_search_id: event.savedSearchId,
    item_id: event.itemId,
    ver: event.ver,
  };
  const name = { saved_search_name: event.savedSearchName };
  const whole = toBody(event.kind, event.changedAt, { ...event.data, ...ids, ...name });
  const isWhole = Buffer.byteLength(whole) < mostBytes;
  return { id, body: isWhole ? whole : toBody(event.kind, event.changedAt, ids) };
}

function toBody(type: string, at: Date, data: object): string {
  return JSON.stringify({ type, timestamp: at.toISOString(), data });
}
