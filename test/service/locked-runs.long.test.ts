import { sql } from "drizzle-orm";
import postgres from "postgres";
import { afterEach, expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import { startSandbox } from "../../src/sandbox/server.ts";
import { killStarted } from "../support/processes.ts";
import { startReceiver } from "../support/receiver.ts";
import { until } from "../support/until.ts";
import { addEvents, addWebhook } from "../support/webhooks.ts";
import { startWholeKurabe } from "../support/whole-kurabe.ts";

afterEach(killStarted);

it("D5: while somebody keeps all others from reading the table job_run, webhooks are told at once", async () => {
  const upstream = await startSandbox({ clock: systemClock, live: false, products: 20 });
  onTestFinished(upstream.close);
  const env = { WEBHOOK_ALLOW_PRIVATE: "127.0.0.0/8" };
  const { test } = await startWholeKurabe(upstream, env);
  const receiver = await startReceiver();
  const { endpoint } = await addWebhook(test.db, receiver.url, systemClock.now());
  const other = postgres(test.url, { max: 1, onnotice: () => {} });
  onTestFinished(() => other.end());
  await other.begin(async (tx) => {
    await tx.unsafe("lock table job_run in access exclusive mode");
    const isWaiting = async () =>
      (
        await test.db.execute(sql`
        select from pg_stat_activity where datname = current_database()
          and application_name = 'kurabe:jobs' and wait_event_type = 'Lock'`)
      ).length >= 2;
    await until(isWaiting, { what: "jobs to wait for the table" });
    for (let n = 1; n <= 3; n += 1) {
      await addEvents(test.db, endpoint.webhookId, systemClock.now());
      const isTold = () => receiver.received.length === n;
      await until(isTold, { what: `message ${n}`, timeoutMs: 15_000 });
    }
  });
  expect(receiver.received).toHaveLength(3);
});
