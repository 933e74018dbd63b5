import { sql, type SQL } from "drizzle-orm";
import type { Page } from "playwright-core";
import { beforeEach, describe, expect, it } from "vitest";
import { setDeleted, setPrice } from "../support/mirror.ts";
import { searchPageForAll } from "../support/search-page.ts";
import { until } from "../support/until.ts";

const perPage = 12;
const shown: number[] = [];
const { test, opened } = searchPageForAll("instantsearch-page.js", 300, {
  demand: { shown: (ids) => shown.push(...ids), opened() {}, foundNothing() {} },
});
let page: Page;

/** Widgets forget what is filled in before the first answer has drawn them. */
beforeEach(async () => {
  ({ page } = opened);
  await opened.load();
  await expectShown(sql`true`);
});

interface Hit {
  id: number;
  price: number;
  title: string;
  marked: string[];
}

const hitsShown = () =>
  page.locator("#hits article").evaluateAll((articles) =>
    articles.map((article): Hit => ({
      id: Number(article.dataset.id),
      price: Number(article.dataset.price),
      title: article.innerText.trim(),
      marked: [...article.querySelectorAll("mark")].map((mark) => mark.innerText),
    })),
  );

/** Waits until the page shows just these products; without an order, in any. */
async function expectShown(where: SQL, order?: SQL, pageNr = 1): Promise<Hit[]> {
  const rows = await test.db.execute<{ item_id: number; price: number }>(sql`
    select item_id, price from product where state <> 'gone' and ${where}
    order by ${order ?? sql`item_id`}, item_id`);
  const wanted = rows.slice((pageNr - 1) * perPage, pageNr * perPage);
  const all = new Map(rows.map((row) => [row.item_id, row.price]));
  const hits = await until(
    async () => {
      const count = await page.locator("#stats .ais-Stats-text").innerText();
      const seen = await hitsShown();
      const isRight =
        Number(count) === rows.length &&
        seen.length === wanted.length &&
        seen.every(({ id }, i) => (order ? id === wanted[i]?.item_id : all.has(id)));
      if (!isRight) throw new Error(JSON.stringify({ count, seen, wanted }));
      return seen;
    },
    { what: "the products of the catalogue" },
  );
  for (const hit of hits) expect([hit.id, hit.price]).toEqual([hit.id, all.get(hit.id)]);
  return hits;
}

const inCategory = (name: string) => sql`categories ? ${name}`;
const type = (q: string) => page.locator("#box input").fill(q);
const sortBy = (label: string) => page.locator("#sort select").selectOption({ label });

async function countsShown(): Promise<Map<string, number>> {
  const read = (part: string) =>
    page.locator(`#categories .ais-RefinementList-${part}`).allInnerTexts();
  const counts = await read("count");
  return new Map((await read("labelText")).map((name, i) => [name, Number(counts[i])]));
}

async function countsInCatalogue(where: SQL): Promise<Map<string, number>> {
  const rows = await test.db.execute<{ category: string; n: number }>(sql`
    select category, count(*) as n from product, jsonb_array_elements_text(categories) category
    where state <> 'gone' and ${where} group by 1`);
  return new Map(rows.map((row) => [row.category, row.n]));
}

const byName = (counts: Map<string, number>) =>
  [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1));

describe("instantsearch.js pointed at /meili from another origin, in Chromium", () => {
  it("shows the catalogue, its counts and its price range before anything is typed", async () => {
    const hits = await hitsShown();
    expect(shown).toEqual(expect.arrayContaining(hits.map(({ id }) => id)));
    const catalogue = byName(await countsInCatalogue(sql`true`));
    expect(byName(await countsShown())).toEqual(catalogue);
    const [range] = await test.db.execute<{ min: number; max: number }>(
      sql`select min(price), max(price) from product where state <> 'gone'`,
    );
    expect(await page.locator(".ais-RangeInput-input--min").getAttribute("min")).toBe(
      String(range?.min),
    );
    expect(await page.locator(".ais-RangeInput-input--max").getAttribute("max")).toBe(
      String(range?.max),
    );
  });

  it("finds what is typed, whatever its width, and marks it in the titles", async () => {
    for (const q of ["ピアス", "ﾋﾟｱｽ"]) {
      await type(q);
      const hits = await expectShown(sql`position(fold_text('ピアス') in fold_text(title)) > 0`);
      expect(hits.length).toBeGreaterThan(0);
      for (const { marked } of hits) expect(marked).toEqual(["ピアス"]);
    }
  });

  it("finds with a text as long as the box takes", async () => {
    const most = Number(await page.locator("#box input").getAttribute("maxlength"));
    await type(`ピアス ${"無い言葉 ".repeat(most)}`.slice(0, most));
    await expectShown(sql`position(fold_text('ピアス') in fold_text(title)) > 0`);
  });

  it("searches the values of a facet, and keeps the others countable once one is chosen", async () => {
    await page.locator("#categories input[type=search]").fill("お茶");
    await until(async () => (await countsShown()).size === 1, { what: "one category" });
    expect([...(await countsShown())]).toEqual([
      ["お茶・コーヒー", (await countsInCatalogue(sql`true`)).get("お茶・コーヒー")],
    ]);
    await page.locator("#categories li label").click();
    await expectShown(inCategory("お茶・コーヒー"));
    await page.locator("#categories li label", { hasText: "財布" }).click();
    await expectShown(sql`(${inCategory("お茶・コーヒー")} or ${inCategory("財布")})`);
    expect(byName(await countsShown())).toEqual(byName(await countsInCatalogue(sql`true`)));
  });

  it("restricts to a range of prices, orders by it, and turns pages", async () => {
    await sortBy("cheapest first");
    await expectShown(sql`true`, sql`price`);
    await page.locator(".ais-RangeInput-input--min").fill("1000");
    await page.locator(".ais-RangeInput-input--max").fill("3000");
    await page.locator(".ais-RangeInput-submit").click();
    const within = sql`price between 1000 and 3000`;
    await expectShown(within, sql`price`);
    await page.locator(".ais-Pagination-link", { hasText: /^2$/ }).click();
    await expectShown(within, sql`price`, 2);
    await sortBy("dearest first");
    await expectShown(within, sql`price desc`);
    await page.locator("#categories li label", { hasText: "文房具" }).click();
    await expectShown(sql`${within} and ${inCategory("文房具")}`, sql`price desc`);
    expect(byName(await countsShown())).toEqual(byName(await countsInCatalogue(within)));
  });

  it("A13: shows the catalogue's price, and nothing that is gone, before the index knows", async () => {
    await sortBy("cheapest first");
    const [first, second] = await expectShown(sql`true`, sql`price`);
    await setPrice(test.db, Number(first?.id), 123_456);
    await setDeleted(test.db, Number(second?.id));
    await page.reload();
    await sortBy("cheapest first");
    const hits = await until(
      async () => {
        const seen = await hitsShown();
        return seen.length === perPage - 1 && seen[0]?.id === first?.id && seen;
      },
      { what: "a page without the product that is gone" },
    );
    expect(hits[0]?.price).toBe(123_456);
    expect(hits.map(({ id }) => id)).not.toContain(second?.id);
  });
});
