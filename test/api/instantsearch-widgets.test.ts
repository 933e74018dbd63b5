import { sql, type SQL } from "drizzle-orm";
import type { Page } from "playwright-core";
import { beforeEach, describe, expect, it } from "vitest";
import { searchPageForAll } from "../support/search-page.ts";
import { until } from "../support/until.ts";
import { itLong } from "../support/it-long.ts";

const { test, opened } = searchPageForAll("instantsearch-widgets-page.js", 200);
let page: Page;

beforeEach(async () => {
  ({ page } = opened);
  await opened.load();
  await expectCount(sql`true`);
});

async function countOf(where: SQL): Promise<number> {
  const [row] = await test.db.execute<{ n: number }>(
    sql`select count(*) as n from product where state <> 'gone' and ${where}`,
  );
  return Number(row?.n);
}

async function expectText(selector: string, text: string): Promise<void> {
  await until(
    async () => {
      const seen = await page.locator(selector).innerText();
      if (seen.trim() !== text) throw new Error(`${selector}: ${seen} is not ${text}`);
      return true;
    },
    { what: text },
  );
}

const expectCount = async (where: SQL) =>
  expectText("#stats .ais-Stats-text", String(await countOf(where)));
const titles = () => page.locator("#hits article h2").allInnerTexts();
const expectShown = (count: number) =>
  until(async () => (await titles()).length === count, { what: `${count} hits` });

describe("more widgets of instantsearch.js, in Chromium", () => {
  it("adds hits to the list, in steps of the chosen size, without repeating one", async () => {
    await expectShown(5);
    for (const count of [10, 15]) {
      await page.locator(".ais-InfiniteHits-loadMore").click();
      await expectShown(count);
    }
    const ids = await page
      .locator("#hits article")
      .evaluateAll((all) => all.map(({ dataset }) => dataset.id));
    expect(new Set(ids).size).toBe(15);
    await page.locator("#size select").selectOption({ label: "40" });
    await expectShown(40);
  });

  it("gets only the asked members of a hit, and snippets with what matches in them", async () => {
    await page.locator("#box input").fill("発送");
    const inDetail = page.locator("#hits article p", { hasText: "発送" });
    await until(async () => (await inDetail.count()) > 0, { what: "a snippet" });
    expect(await inDetail.first().innerText()).toContain("…");
    expect(await inDetail.first().locator("mark").first().innerText()).toContain("発送");
    const members = await page.locator("#hits article").first().getAttribute("data-members");
    const own = members?.split(" ");
    expect(own).toEqual(expect.arrayContaining(["id", "price", "title"]));
    expect(own).not.toContain("detail");
  });

  itLong("chooses one category at a time, shows more of them, and counts each", async () => {
    const shown = page.locator("#menu .ais-Menu-label");
    await until(async () => (await shown.count()) === 5, { what: "five categories" });
    await page.locator("#menu .ais-Menu-showMore").click();
    await until(async () => (await shown.count()) > 5, { what: "more categories" });
    for (const name of ["財布", "文房具"]) {
      await page.locator("#menu .ais-Menu-link", { hasText: name }).click();
      await expectCount(sql`categories ? ${name}`);
    }
  });

  itLong(
    "restricts by a switch, by steps of a price and by a slider, and takes all back",
    async () => {
      await page.locator("#stock input").click();
      await expectCount(sql`stock > 0`);
      await page.locator("#steps label", { hasText: "cheap" }).click();
      await expectCount(sql`stock > 0 and price <= 3000`);
      await page.locator("#reduction [role=slider]").first().press("ArrowRight");
      await expectCount(
        sql`stock > 0 and price <= 3000 and proper_price > price and floor((proper_price - price) * 100.0 / proper_price) >= 1`,
      );
      const chosen = page.locator("#chosen .ais-CurrentRefinements-category");
      expect(await chosen.count()).toBe(3);
      await chosen.first().locator("button").click();
      await until(async () => (await chosen.count()) === 2, { what: "one of them taken back" });
      await page.locator("#clear button").click();
      await expectCount(sql`true`);
    },
  );

  it("searches an index twice at once, each with its own restrictions", async () => {
    await expectText("#second .ais-Stats-text", String(await countOf(sql`price < 2000`)));
  });

  it("tells why it cannot search near a place", async () => {
    await page.locator("#near").click();
    await until(
      async () => (await page.locator("#fault").innerText()).includes("`_geo` is not filterable"),
      { what: "the fault" },
    );
  });
});
