import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { createVisitor } from "../../src/alerts/owners.ts";
import { createOwner, save } from "../support/alerts.ts";
import { enterConsole } from "../support/console-sign-in.ts";
import { clock, opsApiForAll } from "../support/ops-api.ts";

const test = opsApiForAll();
const now = clock.now();

const told = (id: number, events: number, today = 0) =>
  test.db
    .execute(sql`update saved_search set events = ${events}, day = '2026-01-01', day_events = ${today}
    where saved_search_id = ${id}`);

it("lists the saved searches with the most events, without the notes of their owners", async () => {
  const { ownerId, keyId } = await createOwner(test.db);
  const visitor = await test.db.transaction((tx) => createVisitor(tx, "ja", now));
  await save(test.db, ownerId, { query: { q: "誰も" } });
  const usual = await save(test.db, ownerId, { name: "canary", query: { q: "革 <財布>" } });
  const limited = await save(test.db, visitor.ownerId, {
    query: { item_id: 7 },
    rules: [
      { kind: "price_below", price: 3000 },
      { kind: "price_drop", percent: 10 },
    ],
    dailyMax: 5,
  });
  const paused = await save(test.db, ownerId, { isPaused: true });
  const expired = await save(test.db, ownerId, { isPaused: true, expiresAt: now });
  const faulty = await save(test.db, ownerId, {});
  await told(usual, 40, 3);
  await told(limited, 90, 5);
  await told(paused, 30);
  await told(expired, 20);
  await told(faulty, 10);
  // A day before today: nothing was told today.
  await test.db
    .execute(sql`update saved_search set day = '2025-12-31', day_events = 9, fault = 'no such word'
    where saved_search_id = ${faulty}`);

  const { items } = await test.ops<{ items: object[] }>(200, "GET", "/saved-searches");
  const none = { fault: null, today: 0, daily_max: 100, query: {}, rules: [{ kind: "new_match" }] };
  const ofKey = { ...none, key_id: keyId };
  expect(items).toEqual([
    {
      saved_search_id: limited,
      key_id: null,
      query: { item_id: 7 },
      rules: [
        { kind: "price_below", price: 3000 },
        { kind: "price_drop", percent: 10 },
      ],
      state: "limited",
      fault: null,
      events: 90,
      today: 5,
      daily_max: 5,
    },
    {
      ...ofKey,
      saved_search_id: usual,
      query: { q: "革 <財布>" },
      state: "active",
      events: 40,
      today: 3,
    },
    { ...ofKey, saved_search_id: paused, state: "paused", events: 30 },
    { ...ofKey, saved_search_id: expired, state: "expired", events: 20 },
    { ...ofKey, saved_search_id: faulty, state: "faulty", fault: "no such word", events: 10 },
  ]);

  const visit = await enterConsole(test.api);
  const html = await (await visit.get("/ops/webhooks")).text();
  expect(html).toContain("革 &lt;財布&gt;");
  expect(html).toContain("item_id=7");
  expect(html).toContain("Daily maximum reached");
  expect(html).toContain("5 of 5");
  expect(html).toContain("Target price ¥3,000, Price drop 10%");
  expect(html).not.toContain("canary");
  expect(html).not.toContain(visitor.secret);
  const japanese = await (await visit.get("/ops/webhooks?lang=ja")).text();
  expect(japanese).toContain("今日の上限に達しました");
});
