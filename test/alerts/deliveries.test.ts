import { Webhook } from "standardwebhooks";
import { expect, it } from "vitest";
import type { SendOutgoing, Sent } from "../../src/alerts/delivery/outgoing.ts";
import { changeWebhook, rotateSecret } from "../../src/alerts/delivery/endpoints.ts";
import { systemClock, type Clock } from "../../src/lib/clock.ts";
import { must } from "../../src/lib/must.ts";
import { wallClock } from "../support/clock.ts";
import { openedForAll } from "../support/opened.ts";
import { createTestDb } from "../support/postgres.ts";
import { answers, startReceiver } from "../support/receiver.ts";
import { until } from "../support/until.ts";
import {
  addEvents,
  addWebhook,
  deliveriesFor,
  deliveriesOf,
  sendDue,
} from "../support/webhooks.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const test = openedForAll(createTestDb);

it("rests for a bounded time after a search of what is due that was held up for minutes", async () => {
  let ms = 0;
  const clock: Clock = { ...systemClock, monotonicMs: () => (ms += 10 * minuteMs) };
  const restMs = await deliveriesFor(test.db, clock).step(new AbortController().signal);
  expect(restMs).toBe(5000);
});

it("sends an event once, signed as Standard Webhooks verifies", async () => {
  const { clock, now } = wallClock();
  const receiver = await startReceiver();
  const { endpoint, secret } = await addWebhook(test.db, receiver.url, now());
  const [eventId] = await addEvents(test.db, endpoint.webhookId, now());
  const deliveries = deliveriesFor(test.db, clock);
  await sendDue(deliveries);
  await sendDue(deliveries);
  expect(receiver.received).toHaveLength(1);
  const { body, headers } = must(receiver.received[0], "the request");
  expect(new Webhook(secret).verify(body, headers)).toEqual({
    type: "price_drop",
    timestamp: now().toISOString(),
    data: {
      event_id: eventId,
      saved_search_id: 1,
      saved_search_name: null,
      item_id: 1,
      ver: 1,
      title: "鞄",
      price: 1,
    },
  });
  expect(headers).toMatchObject({ "content-type": "application/json" });
  expect(headers["user-agent"]).toMatch(/^Kurabe/);
  expect(await deliveriesOf(test.db, endpoint.webhookId)).toMatchObject([
    { state: "delivered", attempts: 1, last_status: 204, last_error: null },
  ]);
});

it("signs with both secrets for a day after a rotation", async () => {
  const { clock, now, pass } = wallClock();
  const receiver = await startReceiver();
  const { endpoint, secret, keyId } = await addWebhook(test.db, receiver.url, now());
  const named = { keyId, webhookId: endpoint.webhookId };
  const rotated = await test.db.transaction((tx) => rotateSecret(tx, named, now()));
  const next = rotated?.secret ?? "";
  const deliveries = deliveriesFor(test.db, clock);
  const verifies = async (one: string) => {
    await addEvents(test.db, endpoint.webhookId, now());
    await sendDue(deliveries);
    const { body, headers } = must(receiver.received.at(-1), "a request");
    const signed = new Webhook(one).sign(
      headers["webhook-id"] ?? "",
      new Date(Number(headers["webhook-timestamp"]) * 1000),
      body,
    );
    return (headers["webhook-signature"] ?? "").split(" ").includes(signed);
  };
  expect(next).not.toBe(secret);
  expect([await verifies(secret), await verifies(next)]).toEqual([true, true]);
  pass(24 * hourMs);
  expect([await verifies(secret), await verifies(next)]).toEqual([false, true]);
});

it("holds messages of a paused endpoint until it is enabled", async () => {
  const { clock, now } = wallClock();
  const receiver = await startReceiver();
  const { endpoint, keyId } = await addWebhook(test.db, receiver.url, now());
  const named = { keyId, webhookId: endpoint.webhookId };
  const deliveries = deliveriesFor(test.db, clock);
  await test.db.transaction((tx) => changeWebhook(tx, named, { enabled: false }));
  await addEvents(test.db, endpoint.webhookId, now());
  await sendDue(deliveries);
  expect(receiver.received).toEqual([]);
  await test.db.transaction((tx) => changeWebhook(tx, named, { enabled: true }));
  await sendDue(deliveries);
  expect(receiver.received).toHaveLength(1);
});

it("keeps to the pause that an endpoint asked for, whatever its other answers say", async () => {
  const { clock, now, pass } = wallClock();
  const { endpoint } = await addWebhook(test.db, "https://receiver.example/", now());
  await addEvents(test.db, endpoint.webhookId, now(), 2);
  const answered: ((sent: Sent) => void)[] = [];
  const send: SendOutgoing = () => new Promise((answer) => answered.push(answer));
  const deliveries = deliveriesFor(test.db, clock, send);
  const { signal } = new AbortController();
  await deliveries.step(signal);
  expect(answered).toHaveLength(2);
  const [one, other] = answered;
  one?.({ status: 429, retryAfter: "3600", excerpt: "" });
  const isAnswered = async () =>
    (await deliveriesOf(test.db, endpoint.webhookId)).some((row) => row.last_status === 429);
  await until(isAnswered, { what: "the first answer to be stored" });
  other?.({ status: 500, retryAfter: undefined, excerpt: "" });
  await deliveries.ended();
  await addEvents(test.db, endpoint.webhookId, now());
  pass(hourMs - 1000);
  await deliveries.step(signal);
  expect(answered).toHaveLength(2);
  pass(1000);
  await deliveries.step(signal);
  expect(answered).toHaveLength(3);
  answered[2]?.({ status: 204, retryAfter: undefined, excerpt: "" });
  await deliveries.ended();
});

it("sends again what a killed worker had begun, and loses nothing", async () => {
  const { clock, now, pass } = wallClock();
  const receiver = await startReceiver();
  const { endpoint } = await addWebhook(test.db, receiver.url, now());
  await addEvents(test.db, endpoint.webhookId, now(), 3);
  const never: SendOutgoing = async () => new Promise(() => {});
  await deliveriesFor(test.db, clock, never).step(new AbortController().signal);
  const other = deliveriesFor(test.db, clock);
  await sendDue(other);
  expect(receiver.received).toEqual([]);
  pass(25_000);
  await sendDue(other);
  await sendDue(other);
  expect(receiver.received).toHaveLength(3);
  expect(await deliveriesOf(test.db, endpoint.webhookId)).toMatchObject(
    Array.from({ length: 3 }, () => ({ state: "delivered", attempts: 2 })),
  );
});

it("takes back what a stop interrupts", async () => {
  const { clock, now } = wallClock();
  const receiver = await startReceiver(answers.nothing);
  const { endpoint } = await addWebhook(test.db, receiver.url, now());
  await addEvents(test.db, endpoint.webhookId, now());
  const stopping = new AbortController();
  const deliveries = deliveriesFor(test.db, clock);
  await deliveries.step(stopping.signal);
  await until(() => receiver.received.length, { what: "the request" });
  stopping.abort();
  await deliveries.ended();
  expect(await deliveriesOf(test.db, endpoint.webhookId)).toMatchObject([
    { state: "waiting", attempts: 0 },
  ]);
  receiver.answer = answers.ok;
  await sendDue(deliveriesFor(test.db, clock));
  expect(receiver.received).toHaveLength(2);
});

it("lets several workers send each message once", async () => {
  const { clock, now } = wallClock();
  const receiver = await startReceiver();
  const { endpoint } = await addWebhook(test.db, receiver.url, now());
  await addEvents(test.db, endpoint.webhookId, now(), 60);
  const workers = Array.from({ length: 3 }, () => deliveriesFor(test.db, clock));
  while (receiver.received.length < 60) await Promise.all(workers.map((one) => sendDue(one)));
  const ids = receiver.received.map(({ headers }) => headers["webhook-id"]);
  expect([ids.length, new Set(ids).size]).toEqual([60, 60]);
});
