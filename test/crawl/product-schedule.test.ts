import { sql } from "drizzle-orm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { discardHeld, releaseHeld } from "../../src/catalog/observing/held-deletions.ts";
import { fitTraits } from "../../src/crawl/learning/trait-factors.ts";
import { must } from "../../src/lib/must.ts";
import type { SearchItem } from "../../src/storefront/product.ts";
import { openedForEach } from "../support/opened.ts";
import { createTestDb } from "../support/postgres.ts";
import { searchItem } from "../support/products.ts";
import { settledCalls } from "../support/settled-calls.ts";
import { itLong } from "../support/it-long.ts";

const ids = [1, 2, 3, 4, 5, 6, 7, 8];

const test = openedForEach(createTestDb);
const calls = settledCalls(test);
const { make, newPage, popularPage, refreshOf, now, modifiedNow } = calls;

async function decide(how: "release" | "discard"): Promise<void> {
  await test.db.transaction(async (tx) => {
    const slice = { scope: {}, heldBy: now(), limit: 100 };
    if (how === "release") await releaseHeld(tx, slice, now());
    else await discardHeld(tx, slice);
    await tx.execute(sql`update loss_guard set tripped_at = null`);
  });
}

async function readIds(where: string): Promise<number[]> {
  const rows = await test.db.execute<{ item_id: number }>(
    sql`select item_id from product where ${sql.raw(where)} order by item_id`,
  );
  return rows.map((row) => row.item_id);
}

/** Differences between the living products and the rows of the planner. */
async function readMismatches(): Promise<unknown[]> {
  return test.db.execute(sql`
    select p.item_id as product, c.item_id as scheduled
    from (select * from product where state <> 'gone') p full join product_schedule c using (item_id)
    where p.item_id is null or c.item_id is null or p.shop_id <> c.shop_id
      or p.checked_at <> c.checked_at or (p.state = 'missing') <> c.suspected`);
}

/** The evidence in each shop's sums beyond that of its products. */
async function readSurplus(): Promise<number> {
  const [row] = await test.db.execute<{ surplus: number }>(sql`
    select coalesce(max(abs(s.rate_days - coalesce(c.days, 0)) + abs(s.rate_changes - coalesce(c.changes, 0))), 0)
      as surplus
    from shop s left join (
      select shop_id, sum(rate_days * rate_factor) as days, sum(rate_changes) as changes from product_schedule group by 1) c
      using (shop_id)`);
  return row?.surplus ?? NaN;
}

async function readLossFactors(): Promise<Record<number, number>> {
  const rows = await test.db.execute<{ item_id: number; loss_factor: number }>(
    sql`select item_id, loss_factor from product_schedule`,
  );
  return Object.fromEntries(rows.map((row) => [row.item_id, row.loss_factor]));
}

const someIds = fc.subarray(ids, { minLength: 1 });

const anyMove = fc.oneof(
  fc.record({ move: fc.constant("search" as const), shown: someIds, price: fc.nat({ max: 3 }) }),
  fc.record({ move: fc.constant("popular" as const), shown: someIds }),
  fc.record({
    move: fc.constantFrom("delete" as const, "hold" as const),
    absent: someIds,
  }),
  fc.record({ move: fc.constantFrom("release" as const, "discard" as const) }),
);

type Move = typeof anyMove extends fc.Arbitrary<infer T> ? T : never;

/** Makes every kind of product that the property mentions. */
const everyMove: Move[] = [
  { move: "search", shown: ids, price: 0 },
  { move: "popular", shown: [1, 3, 4, 5, 6, 7, 8] },
  { move: "delete", absent: [1, 2] },
  { move: "search", shown: [1, 5], price: 1 },
  { move: "hold", absent: [3, 4] },
  { move: "release" },
  { move: "search", shown: [3], price: 2 },
  { move: "hold", absent: [5, 6] },
  { move: "discard" },
];

async function apply(one: Move): Promise<void> {
  if (!("shown" in one || "absent" in one)) return decide(one.move);
  if ("shown" in one) {
    const price = one.move === "search" ? 1000 + one.price : 1000;
    const call = one.move === "search" ? await newPage() : await popularPage(ids);
    await make(
      call,
      one.shown.map((id) => searchItem(id, { price, ...modifiedNow() })),
    );
    return;
  }
  const known = await readIds("state <> 'gone'");
  const shown = known.filter((id) => !one.absent.includes(id));
  // A wholly empty answer would only be doubted.
  if (shown.length === 0) return;
  const call = await refreshOf(known, one.move === "hold");
  await make(
    call,
    shown.map((id) => searchItem(id)),
  );
}

describe("product_schedule", () => {
  it("has one row for each product that is not deleted and no other, whatever calls and ops do", async () => {
    const check = async () => {
      expect(await readMismatches()).toEqual([]);
      expect(await readSurplus()).toBeLessThan(1e-6);
    };
    const states: number[][] = [];
    for (const one of everyMove) {
      await apply(one);
      await check();
      states.push(await readIds("state = 'gone'"));
    }
    expect(states).toEqual([[], [], [1, 2], [2], [2], [2, 3, 4], [2, 4], [2, 4], [2, 4]]);
    await fc.assert(
      fc.asyncProperty(fc.array(anyMove, { maxLength: 15 }), async (moves) => {
        for (const one of moves) {
          await apply(one);
          await check();
        }
      }),
      { numRuns: 10 },
    );
  });

  itLong(
    "expects products that come and go to be deleted more often than those that stay",
    async () => {
      const stays = Array.from({ length: 40 }, (_, i) => i + 9);
      const all = [...ids, ...stays];
      for (let day = 1; day <= 6; day += 1) {
        calls.made = Math.ceil(calls.made / 1440) * 1440;
        await make(
          await newPage(),
          all.map((id) => searchItem(id, ids.includes(id) ? modifiedNow() : {})),
        );
        calls.made += 600;
        await make(
          await refreshOf(all),
          stays.map((id) => searchItem(id)),
        );
        await make(await refreshOf(ids), []);
        await fitTraits(test.db, "losses");
        calls.forget();
      }
      await make(
        await newPage(),
        all.map((id) => searchItem(id, ids.includes(id) ? modifiedNow() : {})),
      );
      const factors = await readLossFactors();
      const mean = (some: readonly number[]) =>
        some.reduce((sum, id) => sum + (factors[id] ?? NaN), 0) / some.length;
      expect(mean(ids)).toBeGreaterThan(10 * mean(stays));
      expect(
        await test.db.execute(
          sql`select item_id, deletions from product where deletions > 0 order by 1`,
        ),
      ).toEqual(ids.map((item_id) => ({ item_id, deletions: 6 })));
    },
  );

  it("follows a product to another shop", async () => {
    await make(await newPage(), [searchItem(1), searchItem(2)]);
    await make(await newPage(), [searchItem(1, { shopId: "shop-2" })]);
    expect(await readMismatches()).toEqual([]);
  });

  it("learns of changes from prices, stock and `modified`, not from what differs in every answer", async () => {
    const shownWith = (over: Partial<SearchItem>) => [
      searchItem(1, {
        images: [{ origin: `https://img.example.com/1.jpg?token=${calls.made}` }],
        detail: `Viewed ${calls.made} times`,
        ...over,
      }),
    ];
    const readChanges = async () =>
      (await test.db.execute<{ n: number }>(sql`select rate_changes as n from product_schedule`))[0]
        ?.n;
    await make(await newPage(), shownWith({}));
    for (let i = 0; i < 3; i += 1) {
      await make(await refreshOf([1]), shownWith({}));
      await make(await newPage(), shownWith({}));
    }
    expect(await readChanges()).toBe(0);
    expect(await readIds("images::text like '%token=6%' and ver = 7")).toEqual([1]);
    for (const change of [{ price: 9, stock: 3 }, { price: 9 }, modifiedNow()]) {
      const before = must(await readChanges(), "its changes");
      await make(await refreshOf([1]), shownWith({ price: 9, stock: 1, ...change }));
      expect(await readChanges()).toBeGreaterThan(before);
    }
  });

  it("keeps what it knows of a product while factors are learned, and scales it only by what the product now is", async () => {
    const day = 1440;
    const readDays = async () => {
      const rows = await test.db.execute<{ days: number }>(
        sql`select rate_days as days from product_schedule order by item_id`,
      );
      return rows.map((row) => row.days);
    };
    const refresh = async (second: Partial<SearchItem>) => {
      calls.made += day - 1;
      const changed = { stock: 3, ...modifiedNow() };
      await make(await refreshOf([1, 2]), [
        searchItem(1, second.stock === undefined ? { stock: 3 } : changed),
        searchItem(2, second.stock === undefined ? { stock: 3 } : { ...changed, ...second }),
      ]);
    };
    await make(await newPage(), [searchItem(1, { stock: 3 }), searchItem(2, { stock: 3 })]);
    await refresh({});
    await test.db.execute(
      sql`insert into rate_trait (trait, factor) values ('in stock 2 to 4', 8), ('sold out', 2)`,
    );
    calls.forget();
    await refresh({});
    for (const days of await readDays()) expect(days).toBeCloseTo(2, 1);
    await refresh({ stock: 0 });
    const [first = NaN, second = NaN] = await readDays();
    expect(second / first).toBeCloseTo(8 / 2, 6);
    expect(await readSurplus()).toBeLessThan(1e-6);
  });

  it("keeps the row of a product whose deletion ops do not believe, and makes it due", async () => {
    await make(await newPage(), [searchItem(1), searchItem(2)]);
    await make(await refreshOf([1, 2], true), [searchItem(2)]);
    calls.made += 1;
    await decide("discard");
    const [row] = await test.db.execute<{ due_at: string }>(
      sql`select due_at from product_schedule where item_id = 1`,
    );
    expect(new Date(String(row?.due_at)).getTime()).toBeLessThanOrEqual(now().getTime());
    expect(await readMismatches()).toEqual([]);
  });

  it("lets a call write each product's row once, whatever it shows and learns", async () => {
    const many = Array.from({ length: 50 }, (_, i) => i + 1);
    await make(
      await newPage(),
      many.map((id) => searchItem(id)),
    );
    const shown = many.map((id) => searchItem(id, { price: id % 3 === 0 ? 1 : 4200 }));
    const once = [
      { table: "product", rows: 50 },
      { table: "product_schedule", rows: 50 },
    ];
    expect(await make(await popularPage(many), shown)).toEqual(once);
    expect(await readIds("order_rank = item_id - 1")).toHaveLength(50);
    expect(await make(await newPage(), shown)).toEqual(once);
    expect(await make(await refreshOf(many), shown.toReversed())).toEqual(once);
    // A page in another order says nothing about ranks.
    expect(await readIds("order_rank = item_id - 1")).toHaveLength(50);
  });
});
