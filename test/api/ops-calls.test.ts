import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { apiCall, quarantine } from "../../src/db/schema.ts";
import { rowsLookedAt } from "../../src/db/newest.ts";
import { observeSearch } from "../../src/catalog/observing/observe.ts";
import { enterConsole } from "../support/console-sign-in.ts";
import { clock, opsApiForAll } from "../support/ops-api.ts";
import { searchItem } from "../support/products.ts";

const test = opsApiForAll();

interface List {
  items: { id: number; outcome: string | null }[];
  next: number | null;
}

const list = (query: string) => test.ops<List>(200, "GET", `/calls?${query}`);
const idsOf = async (query: string) => (await list(query)).items.map(({ id }) => id);

type NewCall = typeof apiCall.$inferInsert;
const at = (minute: number) => new Date(clock.now().getTime() - 3_600_000 + minute * 60_000);
const search = (id: number, q: string, more: Partial<NewCall> = {}): NewCall => ({
  id,
  day: "2026-01-01",
  purpose: "discovery",
  operation: "search",
  job: "discovery",
  params: { q, start: 1, size: 50 },
  reservedAt: at(id),
  finishedAt: at(id),
  outcome: "ok",
  durationMs: 120,
  ...more,
});

beforeAll(async () => {
  const refresh = { operation: "refresh", purpose: "revalidation", job: "revalidate" } as const;
  await test.db
    .insert(apiCall)
    .values([
      search(1, "革財布"),
      search(2, "Leather bag", { params: { q: "Leather bag", shopId: "shop-2" } }),
      search(3, "器", { outcome: "upstream_500", error: "internal error", day: "2025-12-31" }),
      search(4, "", { ...refresh, params: { shop_id: "shop-1", item_id: [1, 2, 3] }, asked: 3 }),
      search(5, "器", { outcome: null, finishedAt: null }),
    ]);
  const see = (callId: number, items: ReturnType<typeof searchItem>[]) =>
    test.db.transaction((tx) =>
      observeSearch(tx, { callId, sentAt: at(callId) }, { items, broken: [] }),
    );
  await see(1, [searchItem(1, { price: 900 }), searchItem(2), searchItem(4)]);
  await see(4, [searchItem(1, { price: 700 }), searchItem(2)]);
  await test.db.execute(sql`
    update product set state = 'gone', deleted_at = now(), deleted_call_id = 4 where item_id = 4`);
  await test.db
    .insert(quarantine)
    .values({ callId: 4, itemId: 3, reason: "no price", raw: "{}", seenAt: at(4) });
});

describe("the log of calls", () => {
  it("is narrowed down by purpose, status, kind of failure, shop, keyword and day", async () => {
    expect(await idsOf("")).toEqual([5, 4, 3, 2, 1]);
    expect(await idsOf("purpose=revalidation")).toEqual([4]);
    expect(await idsOf("status=failed")).toEqual([3]);
    expect(await idsOf("status=unknown")).toEqual([5]);
    expect(await idsOf("outcome=upstream_500")).toEqual([3]);
    expect(await idsOf("shop_id=shop-1")).toEqual([4]);
    expect(await idsOf("shop_id=shop-2")).toEqual([2]);
    expect(await idsOf("q=leather")).toEqual([2]);
    expect(await idsOf(`q=${encodeURIComponent("財布")}`)).toEqual([1]);
    expect(await idsOf("day=2025-12-31")).toEqual([3]);
    expect(await idsOf("day=2026-01-01&status=ok&purpose=discovery")).toEqual([2, 1]);
    for (const wrong of ["day=2026-02-30", "day=today", "status=bad", "before=x"]) {
      await test.ops(400, "GET", `/calls?${wrong}`);
    }
  });

  it("goes on page by page, without gaps", async () => {
    const first = await list("limit=2&purpose=discovery");
    expect(first).toMatchObject({ items: [{ id: 5 }, { id: 3 }], next: 3 });
    const second = await list(`limit=2&purpose=discovery&before=${first.next}`);
    expect(second).toMatchObject({ items: [{ id: 2 }, { id: 1 }], next: null });
  });

  it("looks at a bounded number of calls for a page, and says that there are more", async () => {
    await test.db.execute(sql`
      insert into api_call (id, day, purpose, operation, job, params, reserved_at)
      select 1000 + n, '2026-01-01', 'discovery', 'search', 'discovery', '{}', ${at(0).toISOString()}
      from generate_series(1, ${rowsLookedAt}) n`);
    const first = await list("status=failed");
    expect(first).toEqual({ items: [], next: 1001 });
    expect(await list(`status=failed&before=${first.next}`)).toMatchObject({
      items: [{ id: 3 }],
      next: null,
    });
    await test.db.execute(sql`delete from api_call where id > 1000`);
  });
});

describe("failures over time", () => {
  interface Report {
    steps: {
      day: string | null;
      hour: string | null;
      calls: number;
      failures: { code: string; calls: number }[];
    }[];
  }
  const report = async (range: string) =>
    (await test.ops<Report>(200, "GET", `/failures?range=${range}`)).steps;

  it("are counted by kind, by the hour or by the day, with the hours and days without any", async () => {
    // The calls are of 00:01 to 00:05; it is 01:00.
    const hours = await report("day");
    expect(hours).toHaveLength(24);
    expect(hours.at(-1)).toMatchObject({ hour: "2026-01-01T01:00:00Z", calls: 0, failures: [] });
    expect(hours.at(-2)).toEqual({
      day: null,
      hour: "2026-01-01T00:00:00Z",
      calls: 5,
      failures: [{ code: "upstream_500", calls: 1 }],
    });
    for (const [range, length] of [
      ["week", 7],
      ["month", 30],
    ] as const) {
      const days = await report(range);
      expect(days).toHaveLength(length);
      expect(days.slice(-3)).toEqual([
        { day: "2025-12-30", hour: null, calls: 0, failures: [] },
        {
          day: "2025-12-31",
          hour: null,
          calls: 1,
          failures: [{ code: "upstream_500", calls: 1 }],
        },
        { day: "2026-01-01", hour: null, calls: 4, failures: [] },
      ]);
    }
    await test.ops(400, "GET", "/failures?range=year");
  });

  it("are a chart of the console, with each kind leading to its calls", async () => {
    const visit = await enterConsole(test.api);
    const html = await (await visit.get("/ops/calls?range=week")).text();
    expect(html).toContain('href="/ops/calls?range=week" aria-current="page"');
    expect(html).toContain('href="/ops/calls?outcome=upstream_500&amp;range=week"');
    expect(html).toContain('id="failures-over-time');
  });

  it("have a range of their own in the console: it and the filters of the log do not undo each other", async () => {
    const visit = await enterConsole(test.api);
    const html = await (await visit.get("/ops/calls?purpose=discovery&range=month")).text();
    expect(html).toContain('href="/ops/calls?purpose=discovery&amp;range=week"');
    expect(html).toContain('<input type="hidden" name="range" value="month"');
    expect(html).toContain('href="/ops/calls?range=month"');
  });
});

describe("one call", () => {
  it("tells what it asked, what it cost, and what it found and changed", async () => {
    const call = await test.ops<Record<string, unknown>>(200, "GET", "/calls/4");
    expect(call).toMatchObject({
      id: 4,
      purpose: "revalidation",
      params: { shop_id: "shop-1", item_id: [1, 2, 3] },
      duration_ms: 120,
      quarantine: [{ item_id: 3, reason: "no price" }],
    });
    expect(call.products).toEqual([
      expect.objectContaining({
        item_id: 1,
        deleted: false,
        change: expect.objectContaining({ price: 700, prev_price: 900 }),
      }),
      expect.objectContaining({ item_id: 2, deleted: false, change: null }),
      expect.objectContaining({ item_id: 3, title: null, deleted: false }),
      expect.objectContaining({ item_id: 4, deleted: true }),
    ]);
    await test.ops(404, "GET", "/calls/77");
  });

  it("is a page of the console, reached from the list", async () => {
    const visit = await enterConsole(test.api);
    const text = async (path: string) => (await visit.get(path)).text();
    const listed = await text("/ops/calls?purpose=revalidation");
    expect(listed.match(/\/ops\/calls\?id=\d+/g)).toEqual(["/ops/calls?id=4"]);
    const one = await text("/ops/calls?id=4");
    for (const told of ["Call 4", "120 ms", "→", "proven deleted", "no price", "1 call of"]) {
      expect(one).toContain(told);
    }
    expect(await text("/ops/calls?id=77")).toContain("No such call is in the log.");
  });
});
