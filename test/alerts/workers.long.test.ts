import { sql } from "drizzle-orm";
import { Webhook } from "standardwebhooks";
import { afterEach, expect, it, onTestFinished } from "vitest";
import { createReach } from "../../src/alerts/delivery/addresses.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { startSandbox } from "../../src/sandbox/server.ts";
import { createTestApi } from "../support/api.ts";
import { createKey } from "../support/keys.ts";
import { kurabeEnv } from "../support/kurabe-env.ts";
import { createTestDb, type TestDb } from "../support/postgres.ts";
import { killStarted, spawnKurabe, type TestProcess } from "../support/processes.ts";
import { startReceiver } from "../support/receiver.ts";
import { until } from "../support/until.ts";
import { addEvents } from "../support/webhooks.ts";

afterEach(killStarted);

const loopback = "127.0.0.0/8";

async function startWorker(test: TestDb, upstream: string): Promise<TestProcess> {
  const worker = spawnKurabe(["worker"], {
    env: {
      ...(await kurabeEnv(test.url)),
      PORT: "0",
      STOREFRONT_BASE_URL: upstream,
      WEBHOOK_ALLOW_PRIVATE: loopback,
    },
  });
  await worker.says("kurabe is running");
  return worker;
}

it("a test message arrives; no message is lost where workers are killed between any two steps", async () => {
  const test = await createTestDb();
  onTestFinished(test.close);
  const upstream = await startSandbox({ clock: systemClock, live: false, products: 10 });
  onTestFinished(upstream.close);
  const receiver = await startReceiver();
  const api = createTestApi(test.db, { webhookReach: createReach([loopback]) });
  const own = { "X-Api-Key": (await createKey(api, {})).key };
  const url = `http://localhost:${receiver.port}/hook`;
  const answer = await api.post("/v1/webhooks", { url }, own);
  const made = (await answer.json()) as { webhook_id: number; secret: string };
  let worker = await startWorker(test, upstream.url);
  await api.request(`/v1/webhooks/${made.webhook_id}/test`, { method: "POST", headers: own });
  await until(() => receiver.received.length, { what: "the test message", timeoutMs: 30_000 });
  const { body, headers } = receiver.received[0] ?? { body: "", headers: {} };
  expect(new Webhook(made.secret).verify(body, headers)).toMatchObject({
    type: "test",
    data: { webhook_id: made.webhook_id },
  });

  const events: number[] = [];
  for (let kill = 0; kill < 12; kill += 1) {
    events.push(...(await addEvents(test.db, made.webhook_id, new Date(), 100)));
    const before = receiver.received.length;
    const some = 1 + Math.floor(Math.random() * 25);
    await until(() => receiver.received.length >= before + some, { what: "some messages" });
    worker.kill("SIGKILL");
    await worker.ended;
    worker = await startWorker(test, upstream.url);
  }
  await until(
    async () => {
      const [row] = await test.db.execute<{ n: number }>(
        sql`select count(*)::int as n from webhook_delivery where state = 'waiting'`,
      );
      return row?.n === 0;
    },
    { what: "all messages to be delivered" },
  );
  const told = receiver.received.slice(1).map((one) => JSON.parse(one.body) as Told);
  expect(new Set(told.map(({ data }) => data.event_id))).toEqual(new Set(events));
  const ids = receiver.received.map((one) => one.headers["webhook-id"]);
  expect(new Set(ids).size).toBe(events.length + 1);
  worker.kill("SIGTERM");
  expect(await worker.ended).toBe(0);
}, 900_000);

interface Told {
  data: { event_id: number };
}
