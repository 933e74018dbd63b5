import { createHmac, randomBytes } from "node:crypto";
import type { StoredEvent } from "./queue.ts";

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

const prefix = "whsec_";

/** A new secret of an endpoint: 32 random bytes, as Standard Webhooks writes them. */
export function createSecret(): string {
  return `${prefix}${randomBytes(32).toString("base64")}`;
}

export interface Message {
  /** The same at each attempt, so that the receiver can tell repetitions. */
  id: string;
  body: string;
}

/** The headers of Standard Webhooks 1.0; one signature for each secret. */
export function signedHeaders(
  { id, body }: Message,
  secrets: readonly string[],
  now: Date,
): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  });
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
  };
}
