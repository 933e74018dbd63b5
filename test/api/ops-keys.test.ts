import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { createKey } from "../support/keys.ts";
import { opsApiForAll } from "../support/ops-api.ts";
import { problemOf } from "../support/problem.ts";

const test = opsApiForAll();
const statusOf = async (response: Promise<Response>) => (await response).status;

it("shows a key once and stores only its hash", async () => {
  const { api } = test;
  const body = {
    name: " 比較サイト ",
    per_minute: 60,
    per_day: null,
    origins: ["https://Shop.example:443/", "http://localhost:5173", "https://shop.example"],
  };
  const response = await api.ops("POST", "/ops/v1/keys", body);
  expect(response.headers.get("Cache-Control")).toBe("no-store");
  const { key, ...created } = (await response.json()) as { key: string; key_id: number };
  expect(key).toMatch(/^kurabe_[0-9a-f]{48}$/);
  expect(created).toEqual({
    key_id: created.key_id,
    name: "比較サイト",
    last_four: key.slice(-4),
    per_minute: 60,
    per_day: null,
    origins: ["https://shop.example", "http://localhost:5173"],
    created_at: "2026-01-01T01:00:00Z",
    revoked_at: null,
  });
  const list = await (await api.ops("GET", "/ops/v1/keys")).text();
  const { items } = JSON.parse(list) as { items: object[] };
  expect(items[0]).toEqual({ ...created, last_used_day: null, use: [] });
  const rows = await test.db.execute(
    sql`select to_json(k) as k, to_json(a) as a from api_key k, ops_audit a`,
  );
  for (const text of [list, JSON.stringify(rows)]) expect(text).not.toContain(key.slice(7));
});

it("names every fault of a request at once and creates nothing", async () => {
  const { api } = test;
  const before = await test.db.execute(sql`select from api_key`);
  const response = await api.ops("POST", "/ops/v1/keys", {
    name: "\u0000",
    per_minute: 0,
    per_day: 1.5,
    origins: ["https://shop.example/path", "ftp://shop.example", "*", "https://a@shop.example"],
    admin: true,
  });
  expect(response.status).toBe(400);
  const { errors } = await problemOf(response);
  expect(errors.map(({ parameter }) => parameter)).toEqual([
    "name",
    "per_minute",
    "per_day",
    "origins.0",
    "origins.1",
    "origins.2",
    "origins.3",
    "admin",
  ]);
  expect(await test.db.execute(sql`select from api_key`)).toHaveLength(before.length);
});

it("nothing more is sent to the webhooks of a revoked key", async () => {
  const { api } = test;
  const { key, key_id: id } = await createKey(api, {});
  const hook = { url: "https://example.com/hooks" };
  const made = await api.post("/v1/webhooks", hook, { "X-Api-Key": key });
  expect(made.status).toBe(201);
  expect(await statusOf(api.ops("DELETE", `/ops/v1/keys/${id}`))).toBe(204);
  const stored = await test.db.execute(sql`select state, url, secret from webhook`);
  expect([...stored]).toEqual([{ state: "deleted", url: "", secret: "" }]);
});

it("revokes a key once, and audits both without the key", async () => {
  const { api } = test;
  const { key, key_id: id } = await createKey(api, {});
  expect(await statusOf(api.get("/v1/shops", { "X-Api-Key": key }))).toBe(200);
  expect(await statusOf(api.ops("DELETE", `/ops/v1/keys/${id}`))).toBe(204);
  expect(await statusOf(api.get("/v1/shops", { "X-Api-Key": key }))).toBe(401);
  const again = await api.ops("DELETE", `/ops/v1/keys/${id}`);
  expect((await problemOf(again)).code).toBe("key_not_found");
  const actions = await test.db.execute<{ action: string; outcome: string; detail: object }>(
    sql`select action, outcome, detail from ops_audit where subject = ${String(id)} order by id`,
  );
  expect(actions).toMatchObject([
    { action: "create_key", outcome: "done", detail: { name: "shop.example" } },
    { action: "revoke_key", outcome: "done" },
    { action: "revoke_key", outcome: "refused" },
  ]);
});

it("needs the ops token, for which no key will do", async () => {
  const { api } = test;
  const { key } = await createKey(api, {});
  for (const headers of [{}, { "X-Api-Key": key }, { Authorization: `Bearer ${key}` }]) {
    expect(await statusOf(api.get("/ops/v1/keys", headers))).toBe(401);
  }
});

it("keeps the number of live keys within what a process remembers", async () => {
  await test.db.execute(sql`
    insert into api_key (name, hash, last_four, origins, created_at)
    select 'many', n::text, '0000', '[]', now() from generate_series(1, 1000) n`);
  const refused = await test.api.ops("POST", "/ops/v1/keys", { name: "one more" });
  expect(refused.status).toBe(409);
  expect((await problemOf(refused)).code).toBe("too_many_keys");
  await test.db.execute(sql`update api_key set revoked_at = now() where name = 'many'`);
  await createKey(test.api, {});
  const { items } = await test.ops<{ items: { revoked_at: string | null }[] }>(200, "GET", "/keys");
  expect(items[0]?.revoked_at).toBeNull();
  expect(items.filter(({ revoked_at: at }) => at !== null)).toHaveLength(100);
});
