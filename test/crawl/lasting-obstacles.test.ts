import { sql } from "drizzle-orm";
import { describe, expect, inject, it } from "vitest";
import { readMaxAgeDays } from "../../src/crawl/learning/max-age.ts";
import { addKeyword } from "../../src/crawl/learning/keywords.ts";
import { must } from "../../src/lib/must.ts";
import { itLong } from "../support/it-long.ts";
import { keywords, lastingFaultsForEach, smallCrawl, state } from "../support/lasting-faults.ts";
import { items, refreshOnly } from "../support/simulated-market.ts";

const isLong = inject("long");
const small = smallCrawl(isLong);
const start = lastingFaultsForEach();

describe("what stays wrong harms only itself", () => {
  it.each(isLong ? ["54000", "57014", "P0001", "53400"] : ["53400"])(
    "B2: an item that Postgres refuses (%s) is left out, and everything beside it is stored",
    async (code) => {
      const { crawl } = await start([], small);
      const bad = must(
        items(crawl).find((item) => item.visible && item.text.includes("財布")),
        "a product",
      ).id;
      await crawl.db.execute(
        sql.raw(`
        create function refuse() returns trigger language plpgsql as $$
        begin raise exception 'refused' using errcode = '${code}'; end $$;
        create trigger refuse before insert or update on product for each row
          when (new.item_id = ${bad}) execute function refuse();`),
      );
      await crawl.pass(isLong ? 12 : 5);
      const { ids } = await state(crawl);
      const expected = items(crawl).filter(
        (item) => item.visible && keywords.some((keyword) => item.text.includes(keyword)),
      );
      expect(expected.filter((item) => !ids.has(item.id)).map((item) => item.id)).toEqual([bad]);
      const [calls] = await crawl.db.execute<{ failed: number; open: number }>(sql`
        select count(*) filter (where outcome = 'not_stored') as failed,
          count(*) filter (where outcome is null) as open from api_call`);
      expect(calls?.open).toBe(0);
      expect(calls?.failed).toBeLessThanOrEqual(30);
    },
  );

  itLong("B3: shops without products do not stand before the others", async () => {
    const { crawl } = await start([], small);
    await crawl.pass(3);
    await refreshOnly(crawl);
    await crawl.db.execute(sql`
      insert into shop (shop_id, shop_name, shop_url, first_seen_at, checked_at, due_at)
      select 'empty-' || n, 'empty', 'https://example.com/', now(), now(), '2020-01-01'
      from generate_series(1, 200) n`);
    const since = crawl.clock.now();
    await crawl.pass(12);
    const [row] = await crawl.db.execute<{ refreshes: number; waiting: number }>(sql`
      select (select count(*) from api_call where operation = 'refresh'
          and reserved_at > ${since.toISOString()}) as refreshes,
        (select count(*) from shop where shop_id like 'empty-%' and due_at < ${crawl.clock.now().toISOString()}) as waiting`);
    expect(row?.refreshes).toBeGreaterThan(20);
    expect(row?.waiting).toBe(0);
  });

  itLong(
    "B11: while a broad new keyword is read through, the promised maximum age is kept",
    async () => {
      const { crawl } = await start([], {
        ...small,
        products: 200,
        keywords: ["財布"],
        maxAgeDays: 0.5,
      });
      await crawl.pass(6);
      const known = (await state(crawl)).ids;
      await addKeyword(crawl.db, { q: "の", source: "seed" }, crawl.clock.now());
      const before = crawl.calls();
      await crawl.pass(24);
      expect(crawl.calls() - before).toBeGreaterThan(20);
      const [row] = await crawl.db.execute<{ oldest: number }>(sql`
      select max(extract(epoch from ${crawl.clock.now().toISOString()}::timestamptz - checked_at))::float8 / 86400 as oldest
      from product where state = 'live'
        and item_id in (select x::bigint from json_array_elements_text(${JSON.stringify([...known])}::text::json) as t(x))`);
      // Half a day would need more calls than the maximum age may take from the others.
      const promised = await readMaxAgeDays(crawl.db, crawl.clock.now(), crawl.rules);
      expect(promised).toBeLessThan(1.1);
      expect(row?.oldest).toBeLessThan(1.25 * promised);
    },
  );
});
