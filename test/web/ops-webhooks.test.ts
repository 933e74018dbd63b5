import { sql } from "drizzle-orm";
import { beforeAll, expect, it } from "vitest";
import { storeOpsPast } from "../support/console.ts";
import { enterConsole } from "../support/console-sign-in.ts";
import { createTestClock } from "../support/clock.ts";
import { apiForAll } from "../support/opened-api.ts";
import { addEvents, addWebhook, deliveriesOf } from "../support/webhooks.ts";

const clock = createTestClock("2026-01-15T06:20:00Z");
const { test, api: site } = apiForAll({ clock });
beforeAll(async () => {
  await storeOpsPast(test.db, clock.now());
});

const addDead = async (url = "https://shop.example/hooks/canary") => {
  const { endpoint } = await addWebhook(test.db, url, clock.now());
  await addEvents(test.db, endpoint.webhookId, clock.now(), 2);
  await test.db.execute(sql`update webhook_delivery set state = 'dead', attempts = 10,
    last_status = 500, last_error = 'answered 500: <b>' where webhook_id = ${endpoint.webhookId}`);
  return endpoint.webhookId;
};

it("shows deliveries and failing webhooks, and of their addresses only the host", async () => {
  const id = await addDead();
  await test.db.execute(sql`update webhook set failing_since = '2026-01-14T06:20:00Z'
    where webhook_id = ${id}`);
  const gone = await addDead("https://gone.example/canary");
  await test.db.execute(sql`update webhook set state = 'disabled', reason = 'gone',
    disabled_at = '2026-01-15T05:20:00Z' where webhook_id = ${gone}`);
  const visit = await enterConsole(site);
  const html = await (await visit.get("/ops/webhooks?state=dead")).text();
  expect(html).toContain("shop.example");
  expect(html).toContain("answered 500: &lt;b&gt;");
  expect(html).toContain("failing since");
  expect(html).toContain("disabled: answered 410");
  expect(html).not.toContain("canary");
  expect(html).not.toContain("whsec_");
  const japanese = await visit.get("/ops/webhooks?lang=ja");
  expect(await japanese.text()).toContain("断念した知らせをまとめて送り直す");
  const none = await (await visit.get("/ops/webhooks?state=delivered&before=x")).text();
  expect(none).toContain("There are no deliveries.");
});

it("sends one message again, or the dead letters of the last hours", async () => {
  const id = await addDead();
  const rows = await test.db.execute<{ delivery_id: number }>(
    sql`select delivery_id from webhook_delivery where webhook_id = ${id} order by 1`,
  );
  const visit = await enterConsole(site);
  const done = await visit.post(`/ops/webhooks/deliveries/${rows[0]?.delivery_id}/replay`);
  expect([done.status, done.headers.get("Location")]).toEqual([
    303,
    "/ops/webhooks?done=messages_replayed&at=webhooks",
  ]);
  const states = async () => (await deliveriesOf(test.db, id)).map(({ state }) => state);
  expect(await states()).toEqual(["waiting", "dead"]);
  expect((await visit.post("/ops/webhooks/replay", { hours: "1" })).status).toBe(303);
  expect(await states()).toEqual(["waiting", "waiting"]);
  // Nothing is said to be sent again that waits already, or whose webhook is disabled.
  const again = await visit.post("/ops/webhooks/replay", { hours: "1" });
  expect([again.status, await again.text()]).toEqual([
    409,
    expect.stringContaining("its webhook is disabled or paused"),
  ]);
  for (const hours of ["x", "999999999999", "-999999999999"]) {
    expect([hours, (await visit.post("/ops/webhooks/replay", { hours })).status]).toEqual([
      hours,
      400,
    ]);
  }
});
