import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { rowsLookedAt } from "../../src/db/newest.ts";
import { quarantine } from "../../src/db/schema.ts";
import { addKeyword } from "../../src/crawl/learning/keywords.ts";
import { must } from "../../src/lib/must.ts";
import { storeBackoffs } from "../support/backoffs.ts";
import { storeItems } from "../support/catalog.ts";
import { enterConsole } from "../support/console-sign-in.ts";
import { clock, opsApiForAll } from "../support/ops-api.ts";
import { searchItem } from "../support/products.ts";

const test = opsApiForAll();
const { ops } = test;
const now = clock.now();

interface List {
  items: { id: number; item_id: number; title: string | null }[];
  next: number | string | null;
}

const ids = ({ items }: List) => items.map(({ id }) => id);
const list = (path: string) => ops<List>(200, "GET", path);
const change = (path: string, chosen: readonly number[]) =>
  ops<{ changed: number }>(200, "POST", path, { ids: chosen });
const newestAction = async () => {
  const { items } = await ops<{ items: { action: string; detail: object }[] }>(
    200,
    "GET",
    "/audit?limit=1",
  );
  return items[0];
};

beforeEach(async () => {
  await test.db.execute(
    sql`truncate backoff, crawl_query, product, price_interval, quarantine, mirror, mirror_index cascade`,
  );
  await storeItems(test.db, "2026-01-01T00:00:00Z", [
    ...[1, 2, 3].map((id) => searchItem(id)),
    ...[11, 12].map((id) => searchItem(id, { shopId: "shop-2", shopName: "器屋" })),
    ...Array.from({ length: 8 }, (_, i) => searchItem(1000 + i)),
  ]);
});

describe("the quarantine", () => {
  const note = (id: number, itemId: number | null, reason: string) => ({
    id,
    callId: 5,
    itemId,
    reason,
    raw: "{}",
    seenAt: now,
  });
  beforeEach(async () => {
    await test.db
      .insert(quarantine)
      .values([
        note(1, 1, "no price"),
        note(2, 11, "no price"),
        note(3, 99, "Title too long"),
        note(4, null, "no id"),
        note(5, 12, "title too long"),
      ]);
  });

  it("has titles, filters and pages", async () => {
    const all = await list("/quarantine");
    expect(ids(all)).toEqual([5, 4, 3, 2, 1]);
    expect(all.items[4]).toMatchObject({ title: expect.any(String), shop_id: "shop-1" });
    expect(all.items[2]).toMatchObject({ title: null, shop_id: null });
    expect(ids(await list("/quarantine?reason=TITLE"))).toEqual([5, 3]);
    expect(ids(await list("/quarantine?shop_id=shop-2&reason=price"))).toEqual([2]);
    const first = await list("/quarantine?limit=2");
    expect([ids(first), first.next]).toEqual([[5, 4], 4]);
    expect(ids(await list("/quarantine?limit=2&before=4"))).toEqual([3, 2]);
    expect((await list("/quarantine?limit=2&before=2")).next).toBeNull();
  });

  it("looks at a bounded number of items for a filter, and goes on from there", async () => {
    await test.db.execute(sql`
      insert into quarantine (id, call_id, reason, raw, seen_at)
      select 100 + n, 6, 'other', '{}', now() from generate_series(1, ${rowsLookedAt}) n`);
    expect(await list("/quarantine?reason=price")).toEqual({ items: [], next: 101 });
    expect(ids(await list("/quarantine?reason=price&before=101"))).toEqual([2, 1]);
  });

  it("drops items, one or all of a page, and tells how many were there", async () => {
    expect(await change("/quarantine/drop", [1, 2, 77])).toEqual({ changed: 2 });
    expect(ids(await list("/quarantine"))).toEqual([5, 4, 3]);
    const action = { action: "drop_quarantined", detail: { ids: [1, 2, 77] } };
    expect(await newestAction()).toMatchObject(action);
    await ops(400, "POST", "/quarantine/drop", { ids: [] });
    await ops(400, "POST", "/quarantine/drop", {
      ids: Array.from({ length: 201 }, (_, i) => i + 1),
    });
    await ops(400, "POST", "/quarantine/recheck", { ids: ["1"] });
  });

  it("has the known products of items checked at once, though they back off", async () => {
    await test.db.execute(sql`update product_schedule set due_at = now() + interval '9 days'`);
    await test.db.execute(sql`update shop set due_at = now() + interval '9 days'`);
    await test.db.execute(sql`
      insert into backoff (kind, key, failures, code, reason, call_id, first_failed_at, failed_at, retry_at)
      values ('product', '1', 1, 'unreadable', '', 5, now(), now(), now() + interval '9 days')`);
    expect(await change("/quarantine/recheck", [1, 2, 3, 4])).toEqual({ changed: 2 });
    const due = await test.db.execute(sql`
      select item_id from product_schedule where due_at <= ${now.toISOString()} order by 1`);
    expect(due.map((row) => row.item_id)).toEqual([1, 11]);
    const shops = await test.db.execute(sql`
      select shop_id from shop where due_at <= ${now.toISOString()} order by 1`);
    expect(shops.map((row) => row.shop_id)).toEqual(["shop-1", "shop-2"]);
    const waiting = await test.db.execute(
      sql`select from backoff where retry_at > ${now.toISOString()}`,
    );
    expect(waiting).toHaveLength(0);
    expect(ids(await list("/quarantine"))).toHaveLength(5);
  });
});

describe("dead letters of the search index", () => {
  it("are listed with titles, page by page, and sent again", async () => {
    await test.db.execute(sql`
      insert into mirror_index (index_uid, state, epoch, settings_hash, created_at)
      values ('products_1', 'serving', gen_random_uuid(), 'x', now())`);
    await test.db.execute(sql`
      insert into mirror (index_uid, item_id, desired_version, dirty_since, next_at, attempts, dead_lettered_at, error)
      select 'products_1', item_id, 1, now(), now() + interval '1 day', 9,
        case when item_id in (1, 2, 11) then now() end, case when item_id in (1, 2, 11) then 'refused' end
      from product on conflict (index_uid, item_id) do update set attempts = 9,
        next_at = excluded.next_at, dead_lettered_at = excluded.dead_lettered_at, error = excluded.error`);
    const itemIds = (page: List) => page.items.map((item) => item.item_id);
    const first = await list("/mirror/dead-letters?limit=2");
    expect([itemIds(first), first.next]).toEqual([[1, 2], 2]);
    expect(first.items[0]).toMatchObject({ shop_id: "shop-1", error: "refused" });
    expect(first.items[0]?.title).toContain("財布");
    const last = await list("/mirror/dead-letters?limit=1&after=2");
    expect([itemIds(last), last.next]).toEqual([[11], null]);
    expect(await change("/mirror/dead-letters/resend", [1, 3, 11])).toEqual({ changed: 2 });
    expect(itemIds(await list("/mirror/dead-letters"))).toEqual([2]);
    const sent = await test.db.execute(sql`
      select item_id from mirror where attempts = 0 and next_at <= clock_timestamp() order by 1`);
    expect(sent.map((row) => row.item_id)).toEqual([1, 11]);
    expect(await newestAction()).toMatchObject({ action: "resend_dead_letters" });
  });
});

describe("what backs off", () => {
  it("is found by shop and kind of failure, and retried all at once", async () => {
    const { id } = must(await addKeyword(test.db, { q: "革財布", source: "seed" }, now), "keyword");
    await storeBackoffs(test.db, id, now);
    const kinds = async (query: string) =>
      (await list(`/backoffs?${query}`)).items.map((item) => (item as { kind?: string }).kind);
    expect(await kinds("shop_id=shop-1")).toEqual(["shop", "product", "product"]);
    expect(await kinds("shop_id=shop-2")).toEqual([]);
    expect(await kinds("code=held")).toEqual(["product"]);
    expect(await kinds("code=http_500&kind=page")).toEqual(["page"]);
    const page = await (await enterConsole(test.api)).get("/ops/backoffs?shop_id=shop-1");
    expect(await page.text()).toContain('href="/ops/backoffs?kind=product&amp;shop_id=shop-1"');
    const first = await list("/backoffs?shop_id=shop-1&limit=2");
    const second = await list(`/backoffs?shop_id=shop-1&limit=2&after=${first.next}`);
    expect([...ids(first), ...ids(second)]).toEqual(ids(await list("/backoffs?shop_id=shop-1")));
    const all = ids(await list("/backoffs"));
    expect(await change("/backoffs/retry", [...all, 9999])).toEqual({ changed: all.length });
    const waiting = await test.db.execute(
      sql`select from backoff where retry_at > ${now.toISOString()}`,
    );
    expect(waiting).toHaveLength(0);
  });
});

describe("keywords", () => {
  it("are added many at once, and paused, resumed and removed together", async () => {
    const add = (texts: readonly string[], shopId?: string) =>
      ops(200, "POST", "/queries/add", { texts, ...(shopId ? { shop_id: shopId } : {}) });
    expect(await add(["革", "器", "革"])).toEqual({ added: 2, known: 0 });
    expect(await add(["器", "布"])).toEqual({ added: 1, known: 1 });
    expect(await add(["器"], "shop-1")).toEqual({ added: 1, known: 0 });
    const state = async () => {
      const { items } = await ops<{ items: { id: number; q: string; enabled: boolean }[] }>(
        200,
        "GET",
        "/queries",
      );
      return items;
    };
    const [first, second] = (await state()).map(({ id }) => id);
    const chosen = [must(first, "one"), must(second, "two"), 9999];
    const bulk = (name: string) =>
      ops(200, "POST", "/queries/change", { ids: chosen, change: name });
    expect(await bulk("disable")).toEqual({ changed: 2 });
    expect((await state()).map(({ enabled }) => enabled)).toEqual([false, false, true, true]);
    expect(await bulk("enable")).toEqual({ changed: 2 });
    expect((await state()).map(({ enabled }) => enabled)).toEqual([true, true, true, true]);
    expect(await bulk("remove")).toEqual({ changed: 2 });
    expect(await state()).toHaveLength(2);
    expect(await newestAction()).toMatchObject({ action: "remove_query", detail: { ids: chosen } });
    await ops(400, "POST", "/queries/change", { ids: chosen, change: "explode" });
    await ops(400, "POST", "/queries/add", { texts: [] });
  });

  it("are pasted and ticked in the console", async () => {
    const visit = await enterConsole(test.api);
    const answer = await visit.post("/ops/keywords/add", { texts: "皮\r\n\r\n 籠 \n皮" });
    expect(answer.headers.get("Location")).toContain("done=keywords_added");
    const html = await (await visit.get("/ops/keywords")).text();
    const ticks = [...html.matchAll(/value="(\d+)" form="ticked-keywords"/g)].map(([, id]) => id);
    expect(ticks).toHaveLength(2);
    const changed = await visit.post("/ops/keywords/change", {
      id: ticks[0] ?? "",
      change: "disable",
    });
    expect(changed.headers.get("Location")).toContain("done=keywords_changed");
    const { items } = await ops<{ items: { enabled: boolean }[] }>(200, "GET", "/queries");
    expect(items.filter(({ enabled }) => enabled)).toHaveLength(1);
    const refused = await visit.post("/ops/keywords/change", { change: "disable" });
    expect(refused.status).toBe(400);
  });
});

describe("the console", () => {
  it("acts on one row or on all of a page, and a reader sees no action", async () => {
    await test.db.insert(quarantine).values(
      [1, 2, 3].map((id) => ({
        id,
        callId: 5,
        itemId: id,
        reason: id === 3 ? "other" : "no price",
        raw: "{}",
        seenAt: now,
      })),
    );
    const visit = await enterConsole(test.api);
    const html = await (await visit.get("/ops/mirror?reason=price")).text();
    expect(html.match(/action="\/ops\/quarantine\/drop"/g)).toHaveLength(3);
    expect(html).toContain("手作りの革財布");
    const body = new URLSearchParams([
      ["form_token", visit.formToken],
      ["id", "1"],
      ["id", "2"],
    ]).toString();
    const answer = await test.api.request("/ops/quarantine/drop", {
      method: "POST",
      headers: {
        "Content-Type": "application/x-www-form-urlencoded",
        "Sec-Fetch-Site": "same-origin",
        Cookie: visit.cookie,
      },
      body,
    });
    expect(answer.status).toBe(303);
    expect(ids(await list("/quarantine"))).toEqual([3]);
  });
});
