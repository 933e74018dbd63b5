import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { createReach } from "../../src/alerts/delivery/addresses.ts";
import { createTestApi } from "../support/api.ts";
import { withJson } from "../support/json-request.ts";
import { createKey } from "../support/keys.ts";
import { runMaintenanceTask } from "../support/maintenance.ts";
import { clock, opsApiForAll } from "../support/ops-api.ts";
import { problemOf } from "../support/problem.ts";
import { addEvents } from "../support/webhooks.ts";

const test = opsApiForAll();
const url = "https://example.com/hooks?token=canary";

interface Webhook {
  webhook_id: number;
  secret: string;
  url: string;
  enabled: boolean;
  disabled_reason: string | null;
}

/** Requests with a key of its own. */
async function client(body: object = {}) {
  const { key } = await createKey(test.api, body);
  const call = async (method: string, path: string, sent?: unknown) =>
    test.api.request(`/v1/webhooks${path}`, { method, ...withJson(sent, { "X-Api-Key": key }) });
  const create = async () => (await (await call("POST", "", { url })).json()) as Webhook;
  return { call, create };
}

const faultsOf = async (response: Response) => {
  expect(response.status).toBe(400);
  const { errors } = await problemOf(response);
  return errors.map(({ parameter, message }) => `${parameter} ${message}`);
};

describe("webhooks of a key", () => {
  it("shows the secret only when it is made", async () => {
    const { call } = await client();
    const created = await call("POST", "", { url });
    expect([created.status, created.headers.get("Cache-Control")]).toEqual([201, "no-store"]);
    const { secret, ...shown } = (await created.json()) as Webhook;
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
    expect(shown).toEqual({
      webhook_id: shown.webhook_id,
      url,
      enabled: true,
      disabled_reason: null,
      disabled_at: null,
      failing_since: null,
      old_secret_until: null,
      created_at: "2026-01-01T01:00:00Z",
    });
    expect(created.headers.get("Location")).toBe(`/v1/webhooks/${shown.webhook_id}`);
    expect(await (await call("GET", `/${shown.webhook_id}`)).json()).toEqual(shown);
    expect(await (await call("GET", "")).json()).toEqual({ items: [shown] });
    const rotated = await call("POST", `/${shown.webhook_id}/rotate`);
    expect(rotated.headers.get("Cache-Control")).toBe("no-store");
    const next = (await rotated.json()) as Webhook;
    expect(next).toMatchObject({ ...shown, old_secret_until: "2026-01-02T01:00:00Z" });
    expect(next.secret).not.toBe(secret);
    const list = await (await call("GET", "")).text();
    expect(list).not.toContain("whsec_");
  });

  it("names every fault", async () => {
    const { call } = await client();
    const post = async (body: unknown) => faultsOf(await call("POST", "", body));
    expect(await post({ url: "http://example.com/", name: "x" })).toEqual([
      "url must begin with https://",
      "name is not known here; known are: url",
    ]);
    expect(await post({})).toEqual(["url must be a URL such as https://example.com/hooks"]);
    for (const host of ["127.0.0.1", "localhost", "169.254.169.254", "[::1]", "10.0.0.1"]) {
      expect(await post({ url: `https://${host}/` })).toEqual([
        "url must lead to a public address",
      ]);
    }
    expect(await post({ url: "https://a:b@example.com/" })).toEqual([
      "url must not have a user name or password",
    ]);
    const { webhook_id: id } = (await (await call("POST", "", { url })).json()) as Webhook;
    expect(await faultsOf(await call("PATCH", `/${id}`, { url: 1, enabled: "no" }))).toEqual([
      "url must be a URL such as https://example.com/hooks",
      "enabled must be true or false",
    ]);
    expect(await faultsOf(await call("GET", "/x"))).toEqual([
      `webhook_id must be a whole number from 1 to ${Number.MAX_SAFE_INTEGER}`,
    ]);
  });

  it("accepts private addresses where operators have named their network", async () => {
    const { key } = await createKey(test.api, {});
    const api = createTestApi(test.db, { clock, webhookReach: createReach(["127.0.0.0/8"]) });
    const created = await api.post(
      "/v1/webhooks",
      { url: "http://127.0.0.1:8080/" },
      { "X-Api-Key": key },
    );
    expect(created.status).toBe(201);
  });

  it("needs a key that is not for pages, and shows no key what belongs to another", async () => {
    const without = await test.api.get("/v1/webhooks");
    expect((await problemOf(without)).code).toBe("missing_key");
    const { key } = await createKey(test.api, { origins: ["https://shop.example"] });
    const headers = { "X-Api-Key": key, Origin: "https://shop.example" };
    const refused = await test.api.get("/v1/webhooks", headers);
    expect([refused.status, (await problemOf(refused)).code]).toEqual([403, "key_for_pages"]);
    const { create } = await client();
    const { webhook_id: id } = await create();
    const other = await client();
    const calls = [
      ["GET", `/${id}`],
      ["PATCH", `/${id}`, { enabled: false }],
      ["DELETE", `/${id}`],
      ["POST", `/${id}/rotate`],
      ["POST", `/${id}/test`],
      ["GET", `/${id}/deliveries`],
    ] as const;
    for (const [method, path, body] of calls) {
      const response = await other.call(method, path, body);
      expect([method, path, response.status]).toEqual([method, path, 404]);
      expect((await problemOf(response)).code).toBe("webhook_not_found");
    }
    expect(await (await other.call("GET", "")).json()).toEqual({ items: [] });
  });

  it("has at most 20, of which deleted ones do not count", async () => {
    const { call, create } = await client();
    const made = await Promise.all(Array.from({ length: 25 }, () => call("POST", "", { url })));
    const statuses = made.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([...Array(20).fill(201), ...Array(5).fill(409)]);
    const { items } = (await (await call("GET", "")).json()) as { items: Webhook[] };
    expect((await call("DELETE", `/${items[0]?.webhook_id}`)).status).toBe(204);
    expect((await call("GET", `/${items[0]?.webhook_id}`)).status).toBe(404);
    expect((await create()).enabled).toBe(true);
  });

  it("pauses, enables, and queues a test message only while enabled", async () => {
    const { call, create } = await client();
    const { webhook_id: id } = await create();
    const paused = await call("PATCH", `/${id}`, { enabled: false });
    expect(await paused.json()).toMatchObject({ enabled: false, disabled_reason: "owner", url });
    const refused = await call("POST", `/${id}/test`);
    expect([refused.status, (await problemOf(refused)).code]).toEqual([409, "webhook_disabled"]);
    await test.db.execute(sql`update webhook set state = 'disabled', reason = 'gone',
      disabled_at = now() where webhook_id = ${id}`);
    const disabled = await call("PATCH", `/${id}`, { enabled: false });
    expect(await disabled.json()).toMatchObject({ disabled_reason: "gone" });
    const enabled = await call("PATCH", `/${id}`, { enabled: true });
    expect(await enabled.json()).toMatchObject({ enabled: true, disabled_at: null });
    const queued = await call("POST", `/${id}/test`);
    const { delivery_id: deliveryId } = (await queued.json()) as { delivery_id: number };
    expect(queued.status).toBe(202);
    expect(await (await call("GET", `/${id}/deliveries`)).json()).toEqual({
      items: [
        {
          delivery_id: deliveryId,
          webhook_id: id,
          message_id: `msg_${deliveryId}`,
          event_id: null,
          type: "test",
          state: "waiting",
          attempts: 0,
          next_attempt_at: "2026-01-01T01:00:00Z",
          last_attempt_at: null,
          last_status: null,
          last_error: null,
          created_at: "2026-01-01T01:00:00Z",
        },
      ],
      next: null,
    });
  });

  it("deletes messages of deleted webhooks, and old ones", async () => {
    const { call, create } = await client();
    const [deleted, kept] = [await create(), await create()];
    for (const { webhook_id: id } of [deleted, kept]) {
      await addEvents(test.db, id, clock.now(), 2);
    }
    await test.db.execute(sql`update webhook_delivery set created_at = '2025-11-30'
      where delivery_id = (select min(delivery_id) from webhook_delivery where webhook_id = ${kept.webhook_id})`);
    await call("DELETE", `/${deleted.webhook_id}`);
    await runMaintenanceTask(test.db, clock.now(), "webhooks");
    const left = await test.db.execute(sql`
      select h.webhook_id, count(d.delivery_id)::int as n from webhook h
      left join webhook_delivery d on d.webhook_id = h.webhook_id
      where h.webhook_id in (${deleted.webhook_id}, ${kept.webhook_id}) group by 1`);
    expect(left).toEqual([{ webhook_id: kept.webhook_id, n: 1 }]);
  });
});

interface List {
  items: { delivery_id: number; host: string; state: string }[];
  next: number | null;
}

describe("deliveries for operators", () => {
  it("lists them by page, state and webhook, and shows only the host of a URL", async () => {
    const { create } = await client();
    const [a, b] = [await create(), await create()];
    await addEvents(test.db, a.webhook_id, clock.now(), 5);
    await addEvents(test.db, b.webhook_id, clock.now(), 1);
    await test.db
      .execute(sql`update webhook_delivery set state = 'dead', last_error = 'answered 500'
      where webhook_id = ${b.webhook_id}`);
    const list = (query: string) => test.ops<List>(200, "GET", `/webhooks/deliveries?${query}`);
    const first = await list(`webhook_id=${a.webhook_id}&limit=3`);
    const second = await list(`webhook_id=${a.webhook_id}&limit=2&before=${first.next}`);
    expect([first.items.length, second.items.length, second.next]).toEqual([3, 2, null]);
    const ids = [...first.items, ...second.items].map(({ delivery_id: id }) => id);
    expect(ids).toEqual(ids.toSorted((x, y) => y - x));
    const dead = await list(`state=dead&webhook_id=${b.webhook_id}`);
    expect(dead.items).toMatchObject([{ state: "dead", host: "example.com", type: "price_drop" }]);
    expect(JSON.stringify(dead)).not.toContain("canary");
    expect((await list("")).items.length).toBeGreaterThanOrEqual(6);
    expect((await list("state=delivered")).items).toEqual([]);
  });

  it("replays by ids or time, audits it, and names every fault", async () => {
    const { call, create } = await client();
    const { webhook_id: id } = await create();
    await addEvents(test.db, id, clock.now(), 3);
    await test.db.execute(sql`update webhook_delivery set state = 'dead', attempts = 10
      where webhook_id = ${id}`);
    const own = await test.ops<List>(200, "GET", `/webhooks/deliveries?webhook_id=${id}`);
    const ids = own.items.map(({ delivery_id: one }) => one);
    const replay = (body: object) =>
      test.ops<object>(200, "POST", "/webhooks/deliveries/replay", body);
    expect(await replay({ ids: [ids[0], ids[0], 999_999] })).toEqual({ replayed: 1, more: false });
    const range = { from: "2026-01-01T01:00:00Z", to: "2026-01-01T10:01:00+09:00", webhook_id: id };
    expect(await replay(range)).toEqual({ replayed: 2, more: false });
    expect(await replay(range)).toEqual({ replayed: 0, more: false });
    await call("PATCH", `/${id}`, { enabled: false });
    await test.db.execute(sql`update webhook_delivery set state = 'dead' where webhook_id = ${id}`);
    expect(await replay({ ids })).toEqual({ replayed: 0, more: false });
    const ofNone = { ...range, webhook_id: 999_999 };
    expect(await test.ops(404, "POST", "/webhooks/deliveries/replay", ofNone)).toMatchObject({
      code: "webhook_not_found",
      detail: "there is no such webhook",
    });
    const bad = async (body: object) =>
      faultsOf(await test.api.ops("POST", "/ops/v1/webhooks/deliveries/replay", body));
    expect(await bad({})).toEqual(["from is needed, or ids", "to is needed, or ids"]);
    expect(await bad({ from: "2026-01-02T00:00:00Z", to: "2026-01-01T00:00:00Z" })).toEqual([
      "to must be after from",
    ]);
    expect(await bad({ ids: [], from: "today", webhook_id: 0 })).toHaveLength(5);
    expect(await bad({ ids: [1], from: range.from, webhook_id: 1 })).toHaveLength(2);
    const actions = await test.db.execute<{ detail: object }>(
      sql`select detail from ops_audit where action = 'replay_deliveries' order by id limit 1`,
    );
    expect(actions).toEqual([{ detail: { ids: [ids[0], ids[0], 999_999] } }]);
  });

  it("lists webhooks that fail or were disabled, and has metrics of them", async () => {
    const { create } = await client();
    const { webhook_id: id } = await create();
    await test.db.execute(sql`update webhook set state = 'disabled', reason = 'failing',
      failing_since = '2025-12-01', disabled_at = '2025-12-31' where webhook_id = ${id}`);
    const { items } = await test.ops<{ items: object[] }>(200, "GET", "/webhooks");
    expect(items).toContainEqual({
      webhook_id: id,
      key_id: expect.any(Number),
      host: "example.com",
      state: "disabled",
      reason: "failing",
      failing_since: "2025-12-01T00:00:00Z",
      disabled_at: "2025-12-31T00:00:00Z",
    });
    const metrics = await (await test.api.get("/metrics")).text();
    expect(metrics).toContain('kurabe_webhooks_disabled{reason="failing"} 1');
    for (const name of ["attempts", "messages", "lag_seconds"]) {
      expect(metrics).toContain(`kurabe_webhook_${name}`);
    }
  });
});
