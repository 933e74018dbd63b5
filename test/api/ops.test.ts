import { request } from "node:http";
import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { observeSearch } from "../../src/catalog/observing/observe.ts";
import { reserveCall } from "../../src/crawl/budget/budget.ts";
import { zeroResultQuery } from "../../src/db/schema.ts";
import { readCrawlState } from "../../src/crawl/safety/pause.ts";
import { startRebuild } from "../../src/search/mirror/rebuild.ts";
import { authorised, createTestApi, opsToken } from "../support/api.ts";
import { intent } from "../support/budgets.ts";
import { clock, opsApiForAll } from "../support/ops-api.ts";
import { openPool } from "../support/postgres.ts";

const test = opsApiForAll();
const { ops } = test;

describe("zero-results", () => {
  it("lists what several visitors missed, with the keyword it has become", async () => {
    const at = clock.now();
    await test.db.insert(zeroResultQuery).values([
      { q: "燭台", times: 9, visitors: 4, lastAt: at },
      { q: "行灯", times: 5, visitors: 3, lastAt: at },
      { q: "山田花子", times: 50, visitors: 2, lastAt: at },
    ]);
    const { id } = await ops<{ id: number }>(201, "POST", "/queries", { q: "燭台" });
    const list = () => ops<{ items: unknown[] }>(200, "GET", "/zero-results");
    const seen = { times: 9, visitors: 4, last_at: "2026-01-01T01:00:00Z" };
    expect((await list()).items).toEqual([
      { q: "燭台", ...seen, keyword: { id, source: "ops", state: "active" } },
      { q: "行灯", ...seen, times: 5, visitors: 3, keyword: null },
    ]);
    await ops(204, "DELETE", `/queries/${id}`);
    expect((await list()).items[0]).toMatchObject({ keyword: { id, state: "removed" } });
  });
});

describe("queries", () => {
  it("adds, lists, pauses and removes keywords", async () => {
    const added = await ops<{ id: number }>(201, "POST", "/queries", { q: " 革財布 " });
    expect(added).toMatchObject({
      q: "革財布",
      shop_id: null,
      source: "ops",
      enabled: true,
      yield_per_call: null,
    });
    expect(await ops(409, "POST", "/queries", { q: "革財布" })).toMatchObject({
      code: "query_exists",
    });
    await ops(201, "POST", "/queries", { q: "革財布", shop_id: "shop-1" });
    expect(await ops(200, "PATCH", `/queries/${added.id}`, { enabled: false })).toMatchObject({
      enabled: false,
    });
    await ops(204, "DELETE", `/queries/${added.id}`);
    await ops(404, "DELETE", `/queries/${added.id}`);
    await ops(404, "PATCH", `/queries/${added.id}`, { enabled: true });
    const { items } = await ops<{ items: { shop_id: string | null }[] }>(200, "GET", "/queries");
    expect(items.map((query) => query.shop_id)).toEqual(["shop-1"]);
  });

  it.each([
    {},
    { q: "" },
    { q: " " },
    { q: 5 },
    { q: "a\0b" },
    { q: "\ud800" },
    { q: "a".repeat(201) },
    { q: "a", x: 1 },
  ])("refuses %j", async (body) => {
    await ops(400, "POST", "/queries", body);
  });

  it("A7, O3: refuses bodies that are too large, no JSON, or sent as something else", async () => {
    await ops(413, "POST", "/queries", { q: "a".repeat(70_000) });
    const send = (body: string | ReadableStream<Uint8Array>, type?: string) =>
      test.api.request("/ops/v1/queries", {
        method: "POST",
        headers: {
          ...authorised,
          ...(type ? { "Content-Type": type } : {}),
        },
        body,
        ...(body instanceof ReadableStream ? { duplex: "half" } : {}),
      });
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(10_000)),
    });
    expect((await send(endless, "application/json")).status).toBe(413);
    expect((await send("{", "application/json")).status).toBe(400);
    expect((await send('{"q":"a"}', "text/plain")).status).toBe(415);
    expect((await send("q=a", "application/x-www-form-urlencoded")).status).toBe(415);
  });
});

describe("budget, calls, pause", () => {
  it("shows the day and the ledger, without credentials", async () => {
    const rules = {
      dailyLimit: 10_000,
      timezone: "Asia/Tokyo",
      maxCallsPerSecond: 100,
      flightMs: 5000,
      skewMs: 1000,
    };
    await reserveCall(test.db, clock, rules, { ...intent, params: { q: "革" } });
    expect(await ops(200, "GET", "/budget")).toEqual({
      day: "2026-01-01",
      timezone: "Asia/Tokyo",
      limit: 10_000,
      used: 1,
      remaining: 9999,
      expected: 10_000,
      resets_at: "2026-01-01T15:00:00Z",
      by_purpose: { discovery: 1, revalidation: 0, on_demand: 0 },
      upstream_refused_at: null,
      accounts: [
        expect.objectContaining({ name: "default", used: 1, limit: 10_000, paused: null }),
      ],
    });
    expect(await ops(200, "GET", "/calls?status=unknown&purpose=discovery&limit=5")).toMatchObject({
      items: [
        {
          day: "2026-01-01",
          operation: "search",
          params: { q: "革" },
          outcome: null,
          finished_at: null,
        },
      ],
    });
    expect(await ops(200, "GET", "/calls?status=ok")).toEqual({ items: [], next: null });
    await ops(400, "GET", "/calls?status=good&limit=0");
  });

  it("pauses and resumes the crawler", async () => {
    expect(await ops(200, "POST", "/pause")).toEqual({
      paused: true,
      block: null,
      believed_until: null,
    });
    expect((await readCrawlState(test.db)).paused).toBe(true);
    expect(await ops(200, "POST", "/resume")).toEqual({
      paused: false,
      block: null,
      believed_until: null,
    });
    expect((await readCrawlState(test.db)).paused).toBe(false);
  });
});

describe("mirror, quarantine, deletions", () => {
  it("starts a proof and a rebuild", async () => {
    expect(await ops(200, "GET", "/mirror")).toEqual({
      serving: null,
      building: null,
      last_verify: null,
    });
    expect(await ops(202, "POST", "/mirror/verify")).toMatchObject({
      job: "verify-mirror",
      trigger: "manual",
    });
    expect(await ops(409, "POST", "/mirror/verify")).toMatchObject({ code: "run_active" });
    expect(await ops(202, "POST", "/mirror/rebuild")).toEqual({ index_uid: "products_2" });
  });

  it("B31: an action keeps to one connection, however many act at once", async () => {
    const narrow = openPool(test.url, { maxConnections: 1 });
    try {
      const api = createTestApi(test.db, {
        clock,
        opsDb: narrow.db,
        startRebuild: (tx) => startRebuild(tx, "narrow_"),
      });
      const paths = ["mirror/rebuild", "mirror/rebuild", "pause", "resume", "deletions/discard"];
      const answers = await Promise.all(paths.map((path) => api.ops("POST", `/ops/v1/${path}`)));
      expect(answers.map(({ status }) => status)).toEqual([202, 202, 200, 200, 200]);
      expect(await answers[0]?.json()).toEqual({ index_uid: "narrow_1" });
    } finally {
      await narrow.close();
    }
  });

  it("shows what could not be read", async () => {
    const broken = [
      { itemId: 7, reason: "price: wrong", raw: '{"price":"12,50"}' },
      { itemId: null, reason: "no id", raw: "[]" },
    ];
    await test.db.transaction((tx) =>
      observeSearch(tx, { callId: 1, sentAt: clock.now() }, { items: [], broken }),
    );
    expect(await ops(200, "GET", "/quarantine?item_id=7")).toEqual({
      items: [
        {
          id: expect.any(Number),
          call_id: 1,
          item_id: 7,
          reason: "price: wrong",
          raw: '{"price":"12,50"}',
          seen_at: "2026-01-01T01:00:00Z",
          first_seen_at: "2026-01-01T01:00:00Z",
          times: 1,
          title: null,
          shop_id: null,
          shop_name: null,
        },
      ],
      next: null,
    });
    expect(await ops<{ items: object[] }>(200, "GET", "/quarantine")).toHaveProperty(
      "items.length",
      2,
    );
  });
});

describe("the way in", () => {
  it("echoes nothing to TRACE, which fetch itself never sends", async () => {
    const server = await test.api.listen();
    try {
      for (const headers of [{}, authorised]) {
        const { status, text } = await trace(`${server.url}/ops/v1/budget`, headers);
        expect(status).toBe(headers === authorised ? 405 : 401);
        expect(text).not.toContain(opsToken);
      }
      expect((await test.api.ops("GET", "/ops/v1/budget")).status).toBe(200);
    } finally {
      await server.close();
    }
  });

  it("O7: no GET of ops has an effect: all of them work on a database that cannot be written", async () => {
    const url = new URL(test.url);
    const name = sql.identifier(url.pathname.slice(1));
    const readOnly = openPool(test.url, { applicationName: "read-only", maxConnections: 2 });
    try {
      await test.db.execute(sql`alter database ${name} set default_transaction_read_only = on`);
      const closed = createTestApi(readOnly.db, { clock });
      await expect(readOnly.db.execute(sql`create table x ()`)).rejects.toThrow("create table");
      const { paths } = (await (await closed.get("/openapi.json")).json()) as {
        paths: Record<string, Record<string, unknown>>;
      };
      const gets = Object.entries(paths).filter(([path, on]) => path.startsWith("/ops/") && on.get);
      expect(gets.length).toBeGreaterThan(8);
      for (const [path] of gets) {
        const { status } = await closed.ops("GET", path.replaceAll(/\{\w+\}/g, "1"));
        expect([path, status < 500]).toEqual([path, true]);
        const open = await closed.get(path.replaceAll(/\{\w+\}/g, "1"));
        expect([path, open.status]).toEqual([path, 401]);
      }
      for (const [path, on] of Object.entries(paths)) {
        if (!path.startsWith("/ops/") || on.get) continue;
        expect((await closed.ops("GET", path)).status).toBeGreaterThanOrEqual(404);
      }
    } finally {
      await test.db.execute(sql`alter database ${name} reset default_transaction_read_only`);
      await readOnly.close();
    }
  });
});

async function trace(
  url: string,
  headers: Record<string, string>,
): Promise<{ status: number | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: "TRACE", headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      response.on("end", () => resolve({ status: response.statusCode, text }));
    });
    sent.on("error", reject);
    sent.end();
  });
}
