import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { changeWebhook, readWebhook } from "../../src/alerts/delivery/endpoints.ts";
import type { SendOutgoing } from "../../src/alerts/delivery/outgoing.ts";
import { readDeliveryStatus, replay } from "../../src/alerts/delivery/report.ts";
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

it("tries ten times on the ladder with the same id, then keeps a dead letter", async () => {
  const { clock, now, pass } = wallClock();
  const receiver = await startReceiver(answers.status(500));
  const { endpoint } = await addWebhook(test.db, receiver.url, now());
  await addEvents(test.db, endpoint.webhookId, now());
  const deliveries = deliveriesFor(test.db, clock);
  await sendDue(deliveries);
  const ladder = [
    5000,
    5 * minuteMs,
    30 * minuteMs,
    ...[2, 5, 10, 14, 20, 24].map((h) => h * hourMs),
  ];
  for (const [index, pauseMs] of ladder.entries()) {
    pass(pauseMs - 1);
    await sendDue(deliveries);
    expect(receiver.received).toHaveLength(index + 1);
    pass(1);
    await sendDue(deliveries);
    expect(receiver.received).toHaveLength(index + 2);
  }
  pass(1000 * hourMs);
  await sendDue(deliveries);
  expect(receiver.received).toHaveLength(10);
  expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  expect(await deliveriesOf(test.db, endpoint.webhookId)).toMatchObject([
    { state: "dead", attempts: 10, last_status: 500, last_error: "answered 500: an answer" },
  ]);
});

it("does not follow redirects: they are failures", async () => {
  const { clock, now } = wallClock();
  const elsewhere = await startReceiver();
  const receiver = await startReceiver(answers.status(301, { location: elsewhere.url }));
  const { endpoint } = await addWebhook(test.db, receiver.url, now());
  await addEvents(test.db, endpoint.webhookId, now());
  await sendDue(deliveriesFor(test.db, clock));
  expect(elsewhere.received).toEqual([]);
  expect(await deliveriesOf(test.db, endpoint.webhookId)).toMatchObject([
    { state: "waiting", attempts: 1, last_status: 301 },
  ]);
});

it("disables an endpoint that answers 410, and makes dead letters of what waits for it", async () => {
  const { clock, now } = wallClock();
  const receiver = await startReceiver(answers.status(410));
  const { endpoint } = await addWebhook(test.db, receiver.url, now());
  await addEvents(test.db, endpoint.webhookId, now(), 10);
  const deliveries = deliveriesFor(test.db, clock);
  await sendDue(deliveries);
  await sendDue(deliveries);
  expect(receiver.received.length).toBeLessThanOrEqual(4);
  const rows = await deliveriesOf(test.db, endpoint.webhookId);
  expect(rows.every(({ state }) => state === "dead")).toBe(true);
  expect(rows.at(-1)).toMatchObject({ last_error: "the webhook is disabled" });
  const status = await readDeliveryStatus(test.db, now());
  expect(status.disabled).toEqual({ gone: 1, failing: 0 });
});

it("disables an endpoint that fails for five days, and not one that succeeded in between", async () => {
  const { clock, now, pass } = wallClock();
  const receiver = await startReceiver(answers.status(503));
  const { endpoint, keyId } = await addWebhook(test.db, receiver.url, now());
  const deliveries = deliveriesFor(test.db, clock);
  const stateOf = async () => {
    const rows = await test.db.execute<{ state: string }>(
      sql`select state from webhook where webhook_id = ${endpoint.webhookId}`,
    );
    return rows[0]?.state;
  };
  const fail = async () => {
    await addEvents(test.db, endpoint.webhookId, now());
    await sendDue(deliveries);
  };
  await fail();
  pass(4.9 * 24 * hourMs);
  await fail();
  expect(await stateOf()).toBe("active");
  receiver.answer = answers.ok;
  await fail();
  receiver.answer = answers.status(503);
  await fail();
  pass(4.9 * 24 * hourMs);
  await fail();
  expect(await stateOf()).toBe("active");
  pass(0.2 * 24 * hourMs);
  await fail();
  expect(await stateOf()).toBe("disabled");
  const named = { keyId, webhookId: endpoint.webhookId };
  await test.db.transaction((tx) => changeWebhook(tx, named, { enabled: true }));
  await fail();
  expect(await stateOf()).toBe("active");
});

it("does not disable an endpoint for the first failure of a message long after those of another", async () => {
  const { clock, now, pass } = wallClock();
  const receiver = await startReceiver(answers.status(503));
  const { endpoint } = await addWebhook(test.db, receiver.url, now());
  const deliveries = deliveriesFor(test.db, clock);
  await addEvents(test.db, endpoint.webhookId, now());
  for (const hours of [0.01, 0.1, 0.6, 2.1, 5.1, 10.1, 14.1, 20.1, 24.1, 60 * 24]) {
    await sendDue(deliveries);
    pass(hours * hourMs);
  }
  await addEvents(test.db, endpoint.webhookId, now());
  await sendDue(deliveries);
  receiver.answer = answers.ok;
  pass(hourMs);
  await sendDue(deliveries);
  expect((await deliveriesOf(test.db, endpoint.webhookId)).map(({ state }) => state)).toEqual([
    "dead",
    "delivered",
  ]);
});

it("waits as long as Retry-After says, with all messages of the endpoint, and at most a day", async () => {
  const { clock, now, pass } = wallClock();
  const receiver = await startReceiver(answers.status(429, { "retry-after": "3600" }));
  const { endpoint } = await addWebhook(test.db, receiver.url, now());
  await addEvents(test.db, endpoint.webhookId, now());
  const deliveries = deliveriesFor(test.db, clock);
  await sendDue(deliveries);
  await addEvents(test.db, endpoint.webhookId, now());
  pass(hourMs - 1);
  await sendDue(deliveries);
  expect(receiver.received).toHaveLength(1);
  pass(1);
  receiver.answer = answers.status(503, { "retry-after": "999999999" });
  await sendDue(deliveries);
  await sendDue(deliveries);
  expect(receiver.received).toHaveLength(2);
  receiver.answer = answers.ok;
  pass(24 * hourMs);
  await sendDue(deliveries);
  await sendDue(deliveries);
  expect(receiver.received).toHaveLength(4);
});

it.each([
  { status: 410, retryAfter: undefined, excerpt: "" },
  { status: 429, retryAfter: "86400", excerpt: "" },
])("sends to a new URL at once what the former one answered with $status", async (sent) => {
  const { clock, now } = wallClock();
  const { endpoint, keyId } = await addWebhook(test.db, "https://old.example/", now());
  const named = { keyId, webhookId: endpoint.webhookId };
  await addEvents(test.db, endpoint.webhookId, now(), 2);
  const send: SendOutgoing = async ({ url }) => {
    if (url === "https://new.example/") return { ...sent, status: 204 };
    await test.db.transaction((tx) => changeWebhook(tx, named, { url: "https://new.example/" }));
    return sent;
  };
  const deliveries = deliveriesFor(test.db, clock, send);
  await sendDue(deliveries);
  expect(await readWebhook(test.db, named)).toMatchObject({ state: "active", failingSince: null });
  await sendDue(deliveries);
  expect(await deliveriesOf(test.db, endpoint.webhookId)).toMatchObject(
    Array.from({ length: 2 }, () => ({ state: "delivered", attempts: 1 })),
  );
});

it("a success of the former URL does not end the failures of the new one", async () => {
  const { clock, now } = wallClock();
  const { endpoint, keyId } = await addWebhook(test.db, "https://old.example/", now());
  const named = { keyId, webhookId: endpoint.webhookId };
  await addEvents(test.db, endpoint.webhookId, now(), 1);
  const answered = { retryAfter: undefined, excerpt: "" };
  const failing: SendOutgoing = async () => ({ ...answered, status: 503 });
  const deliveries = deliveriesFor(test.db, clock, async ({ url }) => {
    if (url !== "https://old.example/") return { ...answered, status: 503 };
    await test.db.transaction((tx) => changeWebhook(tx, named, { url: "https://new.example/" }));
    await addEvents(test.db, endpoint.webhookId, now(), 1);
    await sendDue(deliveriesFor(test.db, clock, failing));
    return { ...answered, status: 204 };
  });
  await sendDue(deliveries);
  const [first, second] = await deliveriesOf(test.db, endpoint.webhookId);
  expect([first?.state, second?.last_status]).toEqual(["delivered", 503]);
  expect(await readWebhook(test.db, named)).toMatchObject({ failingSince: now() });
});

it("replays dead letters with their old ids", async () => {
  const { clock, now, pass } = wallClock();
  const receiver = await startReceiver(answers.status(410));
  const { endpoint, keyId } = await addWebhook(test.db, receiver.url, now());
  await addEvents(test.db, endpoint.webhookId, now());
  const deliveries = deliveriesFor(test.db, clock);
  await sendDue(deliveries);
  const again = { from: now(), to: new Date(now().getTime() + 1) };
  expect(await test.db.transaction((tx) => replay(tx, again, now()))).toBe(0);
  const named = { keyId, webhookId: endpoint.webhookId };
  await test.db.transaction((tx) => changeWebhook(tx, named, { enabled: true }));
  receiver.answer = answers.ok;
  pass(1000);
  expect(await test.db.transaction((tx) => replay(tx, again, now()))).toBe(1);
  await sendDue(deliveries);
  const ids = receiver.received.map(({ headers }) => headers["webhook-id"]);
  expect(ids).toEqual([ids[0], ids[0]]);
  expect(await deliveriesOf(test.db, endpoint.webhookId)).toMatchObject([
    { state: "delivered", attempts: 1 },
  ]);
});

it("delivers to others at their usual pace while endpoints never answer or hold locks", async () => {
  const { clock, now } = wallClock();
  const hanging = await startReceiver(answers.nothing);
  const quick = await startReceiver();
  for (let n = 0; n < 20; n += 1) {
    const { endpoint } = await addWebhook(test.db, hanging.url, now());
    await addEvents(test.db, endpoint.webhookId, now(), 50);
  }
  const locked = await addWebhook(test.db, quick.url, now());
  await addEvents(test.db, locked.endpoint.webhookId, now());
  const { endpoint } = await addWebhook(test.db, quick.url, now());
  await addEvents(test.db, endpoint.webhookId, now(), 100);
  const stopping = new AbortController();
  const deliveries = deliveriesFor(test.db, clock);
  await test.db.transaction(async (tx) => {
    await tx.execute(sql`
      select from webhook where webhook_id = ${locked.endpoint.webhookId} for update`);
    await until(
      async () => {
        await deliveries.step(stopping.signal);
        return quick.received.length === 101;
      },
      { what: "all messages of the others" },
    );
  });
  // Four of each, and none of them has ended.
  expect([hanging.received.length, hanging.open()]).toEqual([80, 80]);
  stopping.abort();
  await deliveries.ended();
  expect((await deliveriesOf(test.db, endpoint.webhookId)).map(({ state }) => state)).toEqual(
    Array.from({ length: 100 }, () => "delivered"),
  );
});

it("delivers to others at their usual pace while 130 endpoints take long for every answer", async () => {
  const { clock: wall, now } = wallClock();
  let passedMs = 0;
  const clock = { ...wall, monotonicMs: () => passedMs };
  const answered = { status: 204, retryAfter: undefined, excerpt: "" };
  const waiting: (() => void)[] = [];
  const deliveries = deliveriesFor(test.db, clock, async ({ url }) => {
    if (url.includes("slow")) await new Promise<void>((answer) => waiting.push(answer));
    return answered;
  });
  for (let n = 0; n < 130; n += 1) {
    const { endpoint } = await addWebhook(test.db, "https://slow.example/", now());
    await addEvents(test.db, endpoint.webhookId, now(), 8);
  }
  const { endpoint } = await addWebhook(test.db, "https://quick.example/", now());
  const areTold = async () => {
    await deliveries.step(new AbortController().signal);
    const own = await deliveriesOf(test.db, endpoint.webhookId);
    return own.every(({ state }) => state === "delivered");
  };
  for (const round of ["first", "second"]) {
    await addEvents(test.db, endpoint.webhookId, now(), 5);
    await until(areTold, { what: `the ${round} messages of the other one` });
    expect(waiting.length).toBeGreaterThan(200);
    passedMs += 15_000;
    for (const answer of waiting.splice(0)) answer();
    await deliveries.ended();
  }
});

it("a message whose attempts somebody wrote by hand at the end of their column keeps no other waiting", async () => {
  const { clock, now } = wallClock();
  const receiver = await startReceiver();
  const { endpoint } = await addWebhook(test.db, receiver.url, now());
  await addEvents(test.db, endpoint.webhookId, now(), 2);
  await test.db.execute(sql`
    update webhook_delivery set attempts = 2147483647 where delivery_id in (
      select min(delivery_id) from webhook_delivery where webhook_id = ${endpoint.webhookId})`);
  await sendDue(deliveriesFor(test.db, clock));
  expect(receiver.received).toHaveLength(1);
});
