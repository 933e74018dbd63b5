import { sql } from "drizzle-orm";
import { afterAll, describe, expect, it } from "vitest";
import { orderReview } from "../../src/matching/review/review.ts";
import { storeGroup, storePair } from "../support/matches.ts";
import { clock } from "../support/ops-api.ts";
import { opsMatchesForAll, type Review } from "../support/ops-matches.ts";
import { problemOf } from "../support/problem.ts";

const { test, review, queue, decide } = opsMatchesForAll();

describe("the queue", () => {
  it("has a doubtful pair from its matching on, and no longer than it is doubtful", async () => {
    await storePair(test.db, 1, 2);
    await storePair(test.db, 1, 3, { isDoubtful: false });
    expect(await queue()).toEqual([[1, 2]]);
    await storePair(test.db, 1, 3);
    await storePair(test.db, 1, 2, { isDoubtful: false });
    expect(await queue()).toEqual([[1, 3]]);
    await test.db.execute(sql`delete from match_pair`);
    expect(await review()).toEqual({ items: [], next: null, waiting: 0 });
    expect(await test.db.execute(sql`select from match_review`)).toHaveLength(0);
  });

  it("is ordered by demand times the effect on the lowest price", async () => {
    await test.db.execute(sql`
      insert into demand (item_id, score, updated_at) values (5, 100, now()), (1, 10, now())`);
    await storePair(test.db, 1, 2); // half the price for 10 opens
    await storePair(test.db, 4, 5); // a fortieth for 100
    await storePair(test.db, 2, 3);
    expect(await queue()).toEqual([
      [1, 2],
      [4, 5],
      [2, 3],
    ]);
    await storeGroup(test.db, [[1], [3]]); // already compared with a price lower than that of product 2
    await orderReview(test.db, new Date(), new AbortController().signal);
    expect(await queue()).toEqual([
      [4, 5],
      [1, 2],
      [2, 3],
    ]);
  });

  it("is read in pages that have every pair once", async () => {
    for (const [a, b] of [
      [1, 2],
      [1, 3],
      [2, 3],
      [4, 5],
      [1, 4],
    ] as const) {
      await storePair(test.db, a, b);
    }
    const all = await queue();
    const paged: number[][] = [];
    let next: string | null = "";
    while (next !== null) {
      const page: Review = await review(`?limit=2${next && `&after=${next}`}`);
      expect(page.waiting).toBe(5);
      paged.push(...page.items.map(({ a, b }) => [a.item_id, b.item_id]));
      next = page.next;
    }
    expect(paged).toEqual(all);
    const bad = await test.api.ops("GET", "/ops/v1/matches/review?after=x&limit=101&page=2");
    expect((await problemOf(bad)).errors.map(({ parameter }) => parameter)).toEqual([
      "limit",
      "after",
      "page",
    ]);
  });

  it("leaves out deleted products, and forgets pairs that wait for nobody", async () => {
    await storePair(test.db, 1, 2);
    await storePair(test.db, 4, 5);
    await test.db.execute(sql`
      update product set state = 'gone', deleted_at = now(), deleted_call_id = 1 where item_id = 5`);
    expect(await queue()).toEqual([[1, 2]]);
    await test.db.execute(sql`
      update product set state = 'live', deleted_at = null, deleted_call_id = null where item_id = 5`);
    await test.db.execute(sql`insert into match_review values (2, 5, 9)`);
    expect(await queue()).toEqual([
      [1, 2],
      [4, 5],
    ]);
    await orderReview(test.db, clock.now(), new AbortController().signal);
    expect(await test.db.execute(sql`select a, b from match_review order by a`)).toEqual([
      { a: 1, b: 2 },
      { a: 4, b: 5 },
    ]);
  });

  it("says what speaks for and against one product", async () => {
    await test.db.execute(sql`
      insert into product_attribute (item_id, quantity, unit, pack, models, colours, condition) values
        (1, null, null, 2, '{wh1000xm5}', '{black}', 'used'), (2, null, null, 2, '{wh1000xm5}', '{}', 'new')`);
    await storePair(test.db, 1, 2, { vetoes: ["condition", "year"] });
    const [pair] = (await review()).items;
    expect(pair?.reasons).toEqual({
      for: [
        { about: "models", left: "wh1000xm5", right: "wh1000xm5" },
        { about: "pack", left: "2", right: "2" },
      ],
      against: [
        { about: "words", left: "黒", right: "ヘッドホン" },
        { about: "price", left: "40000", right: "20000" },
        { about: "condition", left: "used", right: "new" },
        { about: "year", left: null, right: null },
      ],
    });
  });
});

describe("the log of groups", () => {
  const add = (groupId: number) =>
    test.db.execute(sql`
      insert into group_change (at, kind, group_id, item_ids)
      values (${clock.now().toISOString()}, 'joined', ${groupId}, '{1,2}')`);
  const readAll = (after: number) =>
    test.ops<{ items: { change_id: number; group_id: number }[]; next: number }>(
      200,
      "GET",
      `/groups/changes?after=${after}`,
    );

  it("is followed from any change on, in order", async () => {
    const before = await readAll(0);
    expect(await readAll(before.next)).toEqual({ items: [], next: before.next });
    await add(11);
    await add(12);
    const now = await readAll(before.next);
    expect(now.items).toMatchObject([
      { kind: "joined", group_id: 11, other_group_id: null, item_ids: [1, 2] },
      { group_id: 12 },
    ]);
    expect(await readAll(now.items[0]?.change_id ?? 0)).toMatchObject({
      items: [{ group_id: 12 }],
    });
    expect(await readAll(now.next)).toEqual({ items: [], next: now.next });
  });
});

describe("categories", () => {
  afterAll(() => test.db.execute(sql`truncate match_category`));

  it("count in the metrics once they are refused, beside the queue and the decisions", async () => {
    await test.db.execute(sql`
      insert into match_category (category, threshold, is_linked, reason, labelled_pairs, model_version, estimated_at)
      values ('靴', 0.8, false, 'too low', 30, 1, now())`);
    await storePair(test.db, 1, 2);
    await decide(4, 5, "different");
    const lines = (await (await test.api.get("/metrics")).text()).split("\n");
    expect(lines).toContain("kurabe_match_reviews 1");
    expect(lines).toContain('kurabe_match_decisions{decision="different"} 1');
    expect(lines).toContain("kurabe_match_refused_categories 1");
    await test.db.execute(sql`truncate match_category`);
  });

  it("are listed with the estimate behind them, the refused ones alone if asked for", async () => {
    await test.db.execute(sql`
      insert into match_category (category, threshold, is_linked, reason, precision_by_codes, labelled_pairs, model_version, estimated_at)
      values ('バッグ', 0.85, true, 'fine', 0.97, 120, 1, ${clock.now().toISOString()}),
        ('手芸', 0.8, false, 'too low', null, 3, 1, ${clock.now().toISOString()})`);
    const read = (query: string) =>
      test.ops<{ items: { category: string }[] }>(200, "GET", `/matches/categories${query}`);
    expect(await read("?linked=false")).toEqual({
      items: [
        {
          category: "手芸",
          linked: false,
          reason: "too low",
          threshold: 0.8,
          precision_by_codes: null,
          precision_by_shops: null,
          labelled_pairs: 3,
          estimated_at: "2026-01-01T01:00:00Z",
        },
      ],
      next: null,
    });
    const first = await read("?limit=1");
    expect(first).toMatchObject({ items: [{}], next: first.items[0]?.category });
    const rest = await read(`?after=${encodeURIComponent(first.items[0]?.category ?? "")}`);
    expect(rest.items).toHaveLength(1);
  });
});
