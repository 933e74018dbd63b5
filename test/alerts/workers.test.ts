import { sql } from "drizzle-orm";
import { Webhook } from "standardwebhooks";
import { afterEach, expect, inject, it, onTestFinished } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import { startSandbox } from "../../src/sandbox/server.ts";
import { opsToken } from "../support/api.ts";
import { kurabeEnv } from "../support/kurabe-env.ts";
import { createTestDb, type TestDb } from "../support/postgres.ts";
import { killStarted, spawnKurabe, type TestProcess } from "../support/processes.ts";
import { startReceiver } from "../support/receiver.ts";
import { until } from "../support/until.ts";
import { addEvents } from "../support/webhooks.ts";

afterEach(killStarted);

const long = inject("long");

async function startKurabe(
  test: TestDb,
  role: "api" | "worker",
  upstream: string,
): Promise<{ process: TestProcess; url: string }> {
  const process = spawnKurabe([role], {
    env: {
      ...(await kurabeEnv(test.url)),
      PORT: "0",
      OPS_TOKEN: opsToken,
      STOREFRONT_BASE_URL: upstream,
      WEBHOOK_ALLOW_PRIVATE: "127.0.0.0/8",
      LOG_FORMAT: "json",
    },
  });
  const output = await process.says("kurabe is running");
  return { process, url: /"url":"(http:[^"]+)"/.exec(output)?.[1] ?? "no address" };
}

it("a test message arrives; no message is lost where workers are killed between any two steps", async () => {
  const test = await createTestDb();
  onTestFinished(test.close);
  const upstream = await startSandbox({ clock: systemClock, live: false, products: 10 });
  onTestFinished(upstream.close);
  const receiver = await startReceiver();
  const { url } = await startKurabe(test, "api", upstream.url);
  const ask = async <T>(path: string, headers: Record<string, string>, body?: object) => {
    const answer = await fetch(`${url}${path}`, {
      method: "POST",
      headers: { ...headers, "Content-Type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return (await answer.json()) as T;
  };
  const ops = { Authorization: `Bearer ${opsToken}` };
  const { key } = await ask<{ key: string }>("/ops/v1/keys", ops, { name: "receiver" });
  const own = { "X-Api-Key": key };
  const made = await ask<{ webhook_id: number; secret: string }>("/v1/webhooks", own, {
    url: `http://localhost:${receiver.port}/hook`,
  });
  let worker = await startKurabe(test, "worker", upstream.url);
  await ask(`/v1/webhooks/${made.webhook_id}/test`, own);
  await until(() => receiver.received.length, { what: "the test message", timeoutMs: 30_000 });
  const { body, headers } = receiver.received[0] ?? { body: "", headers: {} };
  expect(new Webhook(made.secret).verify(body, headers)).toMatchObject({
    type: "test",
    data: { webhook_id: made.webhook_id },
  });

  const events: number[] = [];
  for (let kill = 0; kill < (long ? 12 : 1); kill += 1) {
    events.push(...(await addEvents(test.db, made.webhook_id, new Date(), long ? 100 : 40)));
    const before = receiver.received.length;
    const some = 1 + Math.floor(Math.random() * 25);
    await until(() => receiver.received.length >= before + some, { what: "some messages" });
    worker.process.kill("SIGKILL");
    await worker.process.ended;
    worker = await startKurabe(test, "worker", upstream.url);
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
  worker.process.kill("SIGTERM");
  expect(await worker.process.ended).toBe(0);
});

interface Told {
  data: { event_id: number };
}
