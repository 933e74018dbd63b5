import { once } from "node:events";
import { createServer } from "node:net";
import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { must } from "../../src/lib/must.ts";
import { createTestDb, type TestDb } from "../support/postgres.ts";
import { itemWithVariations, ownerOf, send, tokensOf } from "./owner.ts";
import { call, closers, start } from "./start.ts";

let test: TestDb;
beforeEach(async () => {
  test = await createTestDb();
});
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  await test.close();
});

const open = (options: Parameters<typeof start>[0] = {}) =>
  start({ databaseUrl: test.url, ...options });

describe("a sandbox with a database", () => {
  it("is after a restart as it was: products, shops, orders, tokens, counts", async () => {
    const first = await open({ dailyLimit: 2, userLimits: { hour: 3, day: 100 } });
    const item = itemWithVariations(first);
    const gone = must([...first.catalog.items()].at(-1), "a product");
    const owner = ownerOf(first, "demo-1");
    await owner.post(
      "/1/items/add",
      { title: "消えない商品", price: "10", stock: "1" },
      z.unknown(),
    );
    first.control.remove(gone.item_id);
    const variation = item.variations.find((v) => v.variation_stock > 0);
    const order = first.control.order({
      itemId: item.item_id,
      variationId: variation?.variation_id,
      quantity: 1,
    });
    const tokens = await tokensOf(first, item.shop_id);
    await call(first, "/1/search", { q: "a" });
    const before = first.control.items();
    await first.close();

    const second = await open({ dailyLimit: 2, userLimits: { hour: 3, day: 100 } });
    expect(second.control.items()).toEqual(before);
    const token = tokens.access_token;
    const reply = await send(second, { method: "GET", path: "/1/orders", token });
    expect(reply.body).toMatchObject({ orders: [{ unique_key: order?.unique_key }] });
    expect((await call(second, "/1/search", { q: "a" })).status).toBe(200);
    expect((await call(second, "/1/search", { q: "a" })).status).toBe(400);
    const added = await ownerOf(second, "demo-2").post(
      "/1/items/add",
      { title: "次", price: "1" },
      z.object({ item: z.object({ item_id: z.int() }) }),
    );
    const highest = Math.max(gone.item_id, ...before.map((row) => Number(row["item_id"])));
    expect(added.item.item_id).toBeGreaterThan(highest);
  });

  it("keeps texts that Postgres has no characters for, and what is changed after them", async () => {
    const first = await open({ products: 20 });
    const [odd, next] = [...first.catalog.items()].map((item) => item.item_id);
    first.control.edit(must(odd, "a product"), { title: "a\u0000b\uD800" });
    first.control.edit(must(next, "a product"), { price: 7 });
    const before = first.control.items();
    await first.close();
    expect((await open({ products: 20 })).control.items()).toEqual(before);
  });

  it("keeps its address over a restart, so that addresses of pictures stay valid", async () => {
    const first = await open();
    const body = z.object({ items: z.array(z.object({ img1_origin: z.string().nullable() })) });
    const { items } = body.parse((await call(first, "/1/search", { q: "財布", size: "50" })).body);
    const picture = items.find((item) => item.img1_origin !== null)?.img1_origin;
    await first.close();
    const second = await open();
    expect(second.url).toBe(first.url);
    const answer = await fetch(picture ?? "");
    expect([answer.status, answer.headers.get("Content-Type")]).toEqual([200, "image/svg+xml"]);
    expect(await answer.text()).toContain("<svg");
    expect((await fetch(`${second.url}/pictures/1/9/300.svg`)).status).toBe(404);
    await second.close();
    const { hostname, port } = new URL(first.url);
    const squatter = createServer().listen(Number(port), hostname);
    await once(squatter, "listening");
    const third = await open();
    expect(third.url).not.toBe(first.url);
    squatter.close();
  });

  it("a code or refresh token stays spent over a restart", async () => {
    const first = await open({ products: 20 });
    const tokens = await tokensOf(first, "demo-1");
    const form = {
      client_id: first.application.clientId,
      client_secret: first.application.clientSecret,
      grant_type: "refresh_token",
      refresh_token: tokens.refresh_token,
    };
    const renew = (sandbox: typeof first) =>
      send(sandbox, { method: "POST", path: "/1/oauth/token", params: form });
    expect((await renew(first)).status).toBe(200);
    await first.close();
    expect((await renew(await open({ products: 20 }))).body).toMatchObject({
      error: "invalid_grant",
    });
  });

  it("what a POST confirmed is there after a kill, without a close", async () => {
    const first = await open({ products: 20 });
    const { item } = await ownerOf(first, "demo-1").post(
      "/1/items/add",
      { title: "確か", price: "5" },
      z.object({ item: z.object({ item_id: z.number() }) }),
    );
    const [row] = await test.db.execute<{ price: number }>(
      sql`select (body->>'price')::int as price from sandbox.record
        where kind = 'item' and id = ${String(item.item_id)}`,
    );
    expect(row?.price).toBe(5);
  });

  it("stores no token, code or secret that could be used", async () => {
    const sandbox = await open({ products: 20 });
    const tokens = await tokensOf(sandbox, "demo-1");
    const rows = await test.db.execute<{ text: string }>(
      sql`select kind || id || body::text as text from sandbox.record`,
    );
    const stored = rows.map((row) => row.text).join("\n");
    expect(stored).toContain("refresh");
    for (const secret of [tokens.access_token, tokens.refresh_token]) {
      expect(stored).not.toContain(secret);
    }
  });

  it("is refused while another one keeps its state there, and told where that one is", async () => {
    const name = sql.identifier(new URL(test.url).pathname.slice(1));
    await test.db.execute(sql`alter database ${name} set idle_session_timeout = '50ms'`);
    const first = await open({ products: 20 });
    await test.db.execute(sql`select pg_sleep(0.1)`);
    await expect(open({ products: 20 })).rejects.toMatchObject({
      name: "SandboxInUse",
      url: first.url,
    });
  });

  it("begins anew for another seed or number of products, not for another start", async () => {
    const first = await open({ products: 20 });
    first.control.edit(must([...first.catalog.items()][0], "a product").item_id, { price: 7 });
    await first.close();
    const second = await open({ products: 20, seed: 2 });
    expect([...second.catalog.items()].some((item) => item.price === 7)).toBe(false);
  });

  it("whose state was taken over writes nothing more", async () => {
    const sandbox = await open({ products: 20 });
    const { access_token: token } = await tokensOf(sandbox, "demo-1");
    await test.db.execute(sql`update sandbox.owner set epoch = epoch + 1`);
    const add = { path: "/1/items/add", params: { title: "遅い", price: "1" }, token } as const;
    const reply = await send(sandbox, { method: "POST", ...add });
    expect([reply.status, reply.body["error"]]).toEqual([500, "server_error"]);
    const rows = await test.db.execute(
      sql`select 1 from sandbox.record where body::text like '%遅い%'`,
    );
    expect(rows).toHaveLength(0);
  });

  it("keeps nothing of a catalogue that came from a file or was never asked to be kept", async () => {
    await start({ products: 20 });
    const [row] = await test.db.execute<{ found: string | null }>(
      sql`select to_regnamespace('sandbox')::text as found`,
    );
    expect(row?.found).toBeNull();
  });
});
