import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { noteUnanswered } from "../../src/crawl/safety/backoff.ts";
import { noteBatchFailure } from "../../src/crawl/safety/product-backoffs.ts";
import { addKeyword } from "../../src/crawl/learning/keywords.ts";
import { toIso } from "../../src/api/http/to-members.ts";
import { must } from "../../src/lib/must.ts";
import { failureAt, storeBackoffs } from "../support/backoffs.ts";
import { createTestApi } from "../support/api.ts";
import { storeItems } from "../support/catalog.ts";
import { clock, opsApiForAll } from "../support/ops-api.ts";
import { searchItem } from "../support/products.ts";

interface Backoff {
  id: number;
  kind: string;
  subject: string;
  item_id: number | null;
  failures: number;
  retry_at: string;
}
interface List {
  items: Backoff[];
  next: string | null;
  totals: Record<string, number>;
}

const test = opsApiForAll();
const { ops } = test;
const now = clock.now();
const later = (ms: number) => toIso(new Date(now.getTime() + ms));
const list = (query = "") => ops<List>(200, "GET", `/backoffs${query}`);
let queryId: number;

beforeEach(async () => {
  await test.db.execute(
    sql`truncate backoff, crawl_query, product, price_interval, quarantine cascade`,
  );
  queryId = must(await addKeyword(test.db, { q: "革財布", source: "seed" }, now), "the keyword").id;
  await storeItems(
    test.db,
    "2026-01-01T00:00:00Z",
    Array.from({ length: 8 }, (_, i) => searchItem(1000 + i)),
  );
  await storeBackoffs(test.db, queryId, now);
});

describe("what is backing off", () => {
  it("is told in words, soonest retry first, with all that is known of it", async () => {
    const { items, next, totals } = await list();
    expect(items.map(({ subject, retry_at: retryAt }) => [subject, retryAt])).toEqual([
      ['"革財布", most ordered', later(1000)],
      ['"革財布", newest changes', later(1000)],
      ["shop 革工房", later(1000)],
      ['position 37 of "革財布", newest changes', later(2000)],
      ['"手作りの革財布 1001" in 革工房', later(2000)],
      ['"手作りの革財布 1002" in 革工房', later(6 * 3_600_000)],
    ]);
    expect(next).toBeNull();
    expect(totals).toEqual({ keyword: 2, page: 1, shop: 1, product: 2 });
    const nothing = { query_id: null, q: null, order: null, position: null, item_id: null };
    expect(items[0]).toMatchObject({ q: "革財布", order: "popular", position: null });
    expect(items[0]).toMatchObject({ halving: { next: 25, rest: 25 } });
    expect(items[2]).toMatchObject({ ...nothing, shop_id: "shop-1", shop_name: "革工房" });
    expect(items[2]).toMatchObject({ failures: 2, halving: { next: 2, rest: 2 } });
    expect(items[3]).toMatchObject({ query_id: queryId, order: "modified", position: 37 });
    expect(items[4]).toEqual({
      id: expect.any(Number),
      kind: "product",
      subject: '"手作りの革財布 1001" in 革工房',
      ...nothing,
      shop_id: "shop-1",
      shop_name: "革工房",
      item_id: 1001,
      title: "手作りの革財布 1001",
      failures: 1,
      code: "http_500",
      reason: "the storefront answered 500",
      call_id: 1,
      first_failed_at: toIso(now),
      failed_at: toIso(now),
      retry_at: later(2000),
      isolated: true,
      halving: null,
    });
    expect(items[5]).toMatchObject({ code: "held", isolated: false });
  });

  it("is told by its key where what it names is not there any more", async () => {
    await test.db.execute(sql`truncate crawl_query, product cascade`);
    const { items } = await list();
    expect(items[0]?.subject).toBe(`"#${queryId}", most ordered`);
    expect(items[4]?.subject).toBe('"1001"');
  });

  it("comes in pages and by kind, each subject once", async () => {
    const ids = Array.from({ length: 30 }, (_, i) => 2000 + i);
    const note = { code: "held", reason: "", callId: 3, at: now };
    await test.db.transaction((tx) => noteUnanswered(tx, ids, note));
    const all = await list("?limit=200");
    expect(all.items).toHaveLength(36);
    for (const [filter, expected] of [
      ["", all.items],
      ["&kind=product", all.items.filter(({ kind }) => kind === "product")],
    ] as const) {
      const walked: Backoff[] = [];
      let next: string | null = "";
      while (next !== null) {
        const page: List = await list(`?limit=7${filter}${next ? `&after=${next}` : ""}`);
        expect(page.totals).toEqual({ keyword: 2, page: 1, shop: 1, product: 32 });
        walked.push(...page.items);
        next = page.next;
      }
      expect(walked).toEqual(expected);
    }
    expect((await list("?kind=shop")).items.map(({ kind }) => kind)).toEqual(["shop"]);
  });

  it("is nothing where nothing fails", async () => {
    await test.db.execute(sql`delete from backoff`);
    const totals = { keyword: 0, page: 0, shop: 0, product: 0 };
    expect(await list()).toEqual({ items: [], next: null, totals });
  });

  it.each(["limit=0", "limit=201", "kind=call", "after=x", "after=1-", "page=2"])(
    "refuses %s",
    async (query) => {
      await ops(400, "GET", `/backoffs?${query}`);
    },
  );

  it("is counted in the metrics while it waits", async () => {
    const read = async (at: string) => {
      const api = createTestApi(test.db, { clock: { ...clock, now: () => new Date(at) } });
      const text = await (await api.get("/metrics")).text();
      return [...text.matchAll(/^kurabe_backoffs\{kind="(\w+)"\} (\d+)$/gm)].map(
        ([, kind, count]) => `${kind} ${count}`,
      );
    };
    expect(await read(now.toISOString())).toEqual(["keyword 2", "page 1", "shop 1", "product 2"]);
    expect(await read(later(1500))).toEqual(["keyword 0", "page 1", "shop 0", "product 2"]);
    expect(await read(later(86_400_000))).toEqual(["keyword 0", "page 0", "shop 0", "product 0"]);
  });
});

describe("retrying", () => {
  const rowOf = async (id: number) => (await list()).items.find((item) => item.id === id);

  it("lets a subject be asked for at once, keeps its failures, and moves nothing else", async () => {
    const { items } = await list();
    for (const [place, { id, failures }] of items.entries()) {
      await ops(204, "POST", `/backoffs/${id}/retry`);
      expect(await rowOf(id)).toMatchObject({ failures, retry_at: toIso(now) });
      const waiting = (await list()).items.filter((item) => new Date(item.retry_at) > now);
      expect(waiting).toHaveLength(items.length - place - 1);
    }
  });

  it("brings a product that no answer shows to the front of its shop's queue, and its shop with it", async () => {
    await test.db.execute(sql`update product_schedule set due_at = '2026-02-01T00:00:00Z'`);
    await test.db.execute(sql`update shop set due_at = '2026-02-01T00:00:00Z'`);
    const { items } = await list("?kind=product");
    const [isolated, unanswered] = items;
    await ops(204, "POST", `/backoffs/${isolated?.id}/retry`);
    const due = () =>
      test.db.execute(sql`
        select item_id, s.due_at as shop_due_at from product_schedule c join shop s using (shop_id)
        where c.due_at <= ${now.toISOString()}`);
    expect(await due()).toEqual([]);
    await ops(204, "POST", `/backoffs/${unanswered?.id}/retry`);
    const [row] = await due();
    expect(row).toMatchObject({ item_id: 1002 });
    expect(new Date(String(row?.shop_due_at))).toEqual(now);
  });

  it("answers 404 where it is not backing off any more, and is audited either way", async () => {
    const [first] = (await list()).items;
    await ops(204, "POST", `/backoffs/${first?.id}/retry`);
    expect(await ops(404, "POST", "/backoffs/999999/retry")).toMatchObject({
      code: "backoff_not_found",
    });
    await ops(400, "POST", "/backoffs/x/retry");
    const { items } = await ops<{ items: Record<string, unknown>[] }>(200, "GET", "/audit?limit=2");
    expect(
      items.map(({ action, subject, outcome, code }) => [action, subject, outcome, code]),
    ).toEqual([
      ["retry_backoff", "999999", "refused", "backoff_not_found"],
      ["retry_backoff", String(first?.id), "done", null],
    ]);
  });

  it("makes the next failure wait longer still", async () => {
    const [shop] = (await list("?kind=shop")).items;
    await ops(204, "POST", `/backoffs/${shop?.id}/retry`);
    await test.db.transaction((tx) =>
      noteBatchFailure(tx, { shopId: "shop-1", itemIds: [1003, 1004] }, failureAt(now)),
    );
    expect(await rowOf(shop?.id ?? 0)).toMatchObject({ failures: 3 });
  });
});
