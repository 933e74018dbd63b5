import { expect, it } from "vitest";
import { toMessage } from "./message.ts";

const at = new Date("2026-01-01T00:00:00Z");
const event = (title: string) => ({
  eventId: 7,
  savedSearchId: 3,
  savedSearchName: "鞄",
  itemId: 100003,
  kind: "price_drop" as const,
  ver: 2,
  changedAt: at,
  data: { title, price: 4200 },
});
const delivery = { deliveryId: 5, webhookId: 1, createdAt: at };

it("has type, timestamp and data, as Standard Webhooks proposes", () => {
  const { id, body } = toMessage({ ...delivery, event: event("bag") });
  expect(id).toBe("msg_5");
  expect(JSON.parse(body)).toEqual({
    type: "price_drop",
    timestamp: "2026-01-01T00:00:00.000Z",
    data: {
      event_id: 7,
      saved_search_id: 3,
      saved_search_name: "鞄",
      item_id: 100003,
      ver: 2,
      title: "bag",
      price: 4200,
    },
  });
});

it("stays below 20 kB, without the texts if need be", () => {
  const { body } = toMessage({ ...delivery, event: event("鞄".repeat(10_000)) });
  expect(JSON.parse(body)).toMatchObject({ type: "price_drop", data: { event_id: 7, ver: 2 } });
  expect(Buffer.byteLength(body)).toBeLessThan(300);
});

it("says of a test that it is one", () => {
  const { body } = toMessage({ ...delivery, event: null });
  expect(JSON.parse(body)).toMatchObject({ type: "test", data: { webhook_id: 1 } });
});
