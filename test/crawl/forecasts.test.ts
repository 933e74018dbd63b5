import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { keepForecasts, readForecasts } from "../../src/crawl/forecasts.ts";
import type { Scans } from "../../src/db/schema.ts";
import { storeItems } from "../support/catalog.ts";
import { openedForEach } from "../support/opened.ts";
import { createTestDb } from "../support/postgres.ts";
import { searchItem } from "../support/products.ts";

const rules = { dailyLimit: 100, timezone: "Asia/Tokyo" };
const at = (day: number, hour = 3) => new Date(Date.UTC(2026, 5, day, hour));
const test = openedForEach(createTestDb);

const ids = Array.from({ length: 100 }, (_, i) => i + 1);
/** What differs in every answer, as the tokens of pictures do, is no change. */
const see = (day: number, itemIds: readonly number[], price = 1000) =>
  storeItems(
    test.db,
    at(day, 1).toISOString(),
    itemIds.map((id) =>
      searchItem(id, { price, images: [{ origin: `https://img.example.com/${id}?token=${day}` }] }),
    ),
  );

/** On a list of newest changes of its own. */
async function putOnList(itemId: number, list: { readAt?: Date; scans?: Scans }): Promise<void> {
  const readAt = list.readAt?.toISOString() ?? null;
  await test.db.execute(sql`
    with list as (
      insert into crawl_query (q, source, created_at, feed_checked_at, scans)
      values (${`list ${itemId}`}, 'seed', ${at(1).toISOString()}, ${readAt}, ${JSON.stringify(list.scans ?? {})}::text::jsonb)
      returning id
    ) update product_schedule set query_id = list.id from list where item_id = ${itemId}`);
}

async function outcomes(): Promise<Record<string, number>> {
  const rows = await test.db.execute<{ changed: string; n: number }>(sql`
    select coalesce(changed::text, 'open') as changed, count(*) as n from forecast group by 1`);
  return Object.fromEntries(rows.map(({ changed, n }) => [changed, n]));
}

describe("forecasts", () => {
  it("are made once a day, and judged by what calls have shown after a week", async () => {
    await see(1, ids);
    await keepForecasts(test.db, at(1), rules);
    await keepForecasts(test.db, at(1, 4), rules);
    expect(await outcomes()).toEqual({ open: 100 });
    await test.db.execute(sql`update forecast set chance = 0.2`);

    // A change within the week is known at once, a quiet product only after its end.
    await see(3, ids.slice(0, 15), 900);
    await see(3, ids.slice(15, 50));
    await test.db.execute(sql`update forecast set made_at = made_at - interval '1 hour'`);
    await keepForecasts(test.db, at(4), rules);
    await test.db.execute(sql`delete from forecast where made_at >= ${at(4).toISOString()}`);
    expect(await outcomes()).toEqual({ true: 15, open: 85 });
    expect(await readForecasts(test.db, 10)).toEqual([]);

    await see(9, ids.slice(15));
    await keepForecasts(test.db, at(9), rules);
    const [forecast] = await readForecasts(test.db, 10);
    expect(forecast).toMatchObject({
      chanceFrom: 0.1,
      chanceTo: 0.3,
      products: 100,
      changes: 15,
      held: true,
    });
    // 20 ± 1.28 × 4.
    expect(forecast?.low).toBeCloseTo(14.9, 1);
    expect(forecast?.high).toBeCloseTo(25.1, 1);
  });

  it("a list of newest changes tells of no change only in shops whose changes it shows", async () => {
    await see(1, [1, 2]);
    await keepForecasts(test.db, at(1), rules);
    for (const itemId of [1, 2]) await putOnList(itemId, { readAt: at(9) });
    const listShows = (share: number) =>
      test.db.execute(sql`update shop set bumped = ${100 * share}, silent = ${100 * (1 - share)}`);

    await listShows(0.5);
    await keepForecasts(test.db, at(10), rules);
    await test.db.execute(sql`delete from forecast where made_at >= ${at(10).toISOString()}`);
    expect(await outcomes()).toEqual({ open: 2 });
    await listShows(1);
    await keepForecasts(test.db, at(11), rules);
    expect(await outcomes()).toEqual({ false: 2, open: 2 });
  });

  it("a change seen after the week that may have come within it leaves the forecast open", async () => {
    await see(1, [1]);
    await keepForecasts(test.db, at(1), rules);
    await see(12, [1], 900);
    await keepForecasts(test.db, at(12), rules);
    expect(await outcomes()).toEqual({ open: 2 });
    // Months later it is still counted as drawn, beside the new one.
    await keepForecasts(test.db, at(75), rules);
    expect(await outcomes()).toEqual({ open: 3 });
  });

  it("a new `modified` alone leaves the forecast open in lists where it mostly means nothing", async () => {
    await see(1, [1, 2]);
    await keepForecasts(test.db, at(1), rules);
    await putOnList(1, { scans: { bumped: { all: 100, changed: 90 } } });
    await putOnList(2, { scans: { bumped: { all: 100, changed: 10 } } });
    const modified = at(3).getTime() / 1000;
    const updated = [1, 2].map((id) => searchItem(id, { price: 1000, modified }));
    await storeItems(test.db, at(3, 4).toISOString(), updated);
    await keepForecasts(test.db, at(4), rules);
    const judged = await test.db.execute(
      sql`select item_id::int, changed from forecast where made_at < ${at(4).toISOString()} order by item_id`,
    );
    expect(judged).toEqual([
      { item_id: 1, changed: true },
      { item_id: 2, changed: null },
    ]);
  });
});
