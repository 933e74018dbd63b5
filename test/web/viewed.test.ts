import { sql } from "drizzle-orm";
import { expect, inject, it } from "vitest";
import { overflowOf, violationsOf } from "../support/accessibility.ts";
import { searchItem } from "../support/products.ts";
import { shopWindowForAll, type Visit } from "../support/shop-window.ts";
import { itLong } from "../support/it-long.ts";

const title = (itemId: number) => `茶碗 ${itemId}号 <b>`;
/** The greatest id that there can be. */
const greatest = Number.MAX_SAFE_INTEGER;
const { shop, visit } = shopWindowForAll(
  [...Array.from({ length: 15 }, (_, i) => i + 1), greatest].map((itemId) =>
    searchItem(itemId, { title: title(itemId), variations: [] }),
  ),
);

const titlesIn = ({ page }: Visit) => page.locator(".viewed .results h2").allTextContents();

it("shows what was viewed last on the product page and the home page, as it is now", async () => {
  const one = await visit();
  const { page, complaints, requests } = one;
  await page.goto("/products/1");
  await page.goto("/products/2");
  await expect.poll(() => titlesIn(one)).toEqual([title(1)]);
  await page.goto("/products/3");
  await expect.poll(() => titlesIn(one)).toEqual([title(2), title(1)]);
  await shop.db.execute(sql`
    update product set state = 'gone', ver = ver + 1, deleted_at = now(), deleted_call_id = 1 where item_id = 2`);
  try {
    await page.goto("/products/1");
    await expect.poll(() => titlesIn(one)).toEqual([title(3)]);
  } finally {
    await shop.db.execute(sql`
      update product set state = 'live', ver = ver + 1, deleted_at = null, deleted_call_id = null where item_id = 2`);
  }
  await page.goto("/");
  await expect.poll(() => titlesIn(one)).toEqual([title(1), title(3), title(2)]);
  if (inject("long")) expect(await violationsOf(page)).toEqual([]);
  expect(complaints).toEqual([]);
  // The server is told numbers, when it draws them, and nothing is stored of them there.
  const told = requests.filter((address) => address.includes("/viewed?"));
  expect(told.map((address) => new URL(address).search)).toEqual([
    "?items=1",
    "?items=2,1",
    "?items=3,2",
    "?items=1,3,2",
  ]);
  expect(await page.context().cookies()).toEqual([]);
});

it("keeps the last twelve, and forgets them with one click", async () => {
  const one = await visit({ viewport: { width: 320, height: 700 }, colorScheme: "dark" });
  const { page } = one;
  const visited = [1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, greatest];
  if (inject("long")) {
    for (const itemId of visited.slice(0, -2)) await page.goto(`/products/${itemId}`);
  } else {
    await page.goto("/categories");
    // As the visits would have left it.
    const remembered = visited.slice(0, -2).toReversed().join(",");
    await page.evaluate(`localStorage.setItem("viewed", "${remembered}")`);
  }
  for (const itemId of visited.slice(-2)) await page.goto(`/products/${itemId}`);
  await page.goto("/");
  const newest = [greatest, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4];
  await expect.poll(() => titlesIn(one)).toEqual(newest.map(title));
  expect(await overflowOf(page)).toBe(0);
  expect(await violationsOf(page)).toEqual([]);
  await page.click(".viewed [data-clear]");
  expect(await page.locator(".viewed").isVisible()).toBe(false);
  await page.reload();
  expect(await page.evaluate("localStorage.getItem('viewed')")).toBe("");
  expect(await page.locator(".viewed").isVisible()).toBe(false);
});

itLong("is not there without scripts, or where its page fails", async () => {
  const { page } = await visit({ javaScriptEnabled: false });
  await page.goto("/products/1");
  expect(await page.locator(".viewed").isVisible()).toBe(false);
  const other = await visit();
  await other.page.goto("/products/1");
  await other.page.route("**/viewed?*", (route) => route.fulfill({ status: 503, body: "<ul>" }));
  const failed = other.page.waitForResponse("**/viewed?*");
  await other.page.goto("/products/3");
  await failed;
  expect(await other.page.locator(".viewed").isVisible()).toBe(false);
  expect(await other.page.locator("h1").textContent()).toBe(title(3));
});
