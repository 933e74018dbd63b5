import type { Page } from "playwright-core";
import { beforeAll, expect, inject, it } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import { violationsOf } from "../support/accessibility.ts";
import { storeItems } from "../support/catalog.ts";
import { searchItem } from "../support/products.ts";
import { shopWindowForAll } from "../support/shop-window.ts";
import { itLong } from "../support/it-long.ts";

const items = Array.from({ length: 40 }, (_, i) =>
  searchItem(i + 1, { title: `トート ${i + 1}`, price: 5000, stock: (i % 2) * 9 }),
);
const paths = [
  "/",
  "/?q=トート",
  "/?q=zzzz",
  "/products/1",
  "/products/1?check=fresh",
  "/compare?items=1,2",
  "/categories",
  "/shops",
  "/price-drops",
  "/viewed?items=1,2",
  "/alerts",
  `/alerts/unsubscribe/${"a".repeat(32)}`,
  "/nothing-here",
];

const { shop, visit } = shopWindowForAll(items, { viewport: { width: 1280, height: 600 } });
beforeAll(async () => {
  const cheaper = items.slice(0, 9).map((item) => ({ ...item, price: 4000 }));
  await storeItems(shop.db, systemClock.now().toISOString(), cheaper);
});

const focused = (page: Page, member: string) =>
  page.evaluate<string>(`document.activeElement.${member}`);
const status = (page: Page) => page.locator("p.hidden[role=status]").textContent();

itLong(
  "every page has landmarks, one heading of its own, and a first link that skips to what it is about",
  async () => {
    const { page } = await visit();
    for (const path of paths) {
      await page.goto(path);
      const counts = await page.evaluate<number[]>(
        `["header.top", "main#main", "footer.bottom", "footer nav[aria-label]", "h1"].map((one) => document.querySelectorAll(one).length)`,
      );
      expect([path, counts]).toEqual([path, [1, 1, 1, 1, 1]]);
      expect([path, await violationsOf(page)]).toEqual([path, []]);
      await page.keyboard.press("Tab");
      expect([path, await focused(page, "hash")]).toEqual([path, "#main"]);
      await page.keyboard.press("Enter");
      await expect.poll(() => focused(page, "id")).toBe("main");
      await page.keyboard.press("Tab");
      const isBefore = await page.locator(".skip[href='#main']:focus, header.top :focus").count();
      expect([path, isBefore]).toEqual([path, 0]);
    }
  },
);

itLong("nothing moves for who wants less motion, and nothing changes by itself", async () => {
  const moving = (page: Page) =>
    page.evaluate<string[]>(`[...document.querySelectorAll("*")].filter((one) => {
      const { transitionDuration, animationName, scrollBehavior } = getComputedStyle(one);
      return parseFloat(transitionDuration) > 0 || animationName !== "none" || scrollBehavior === "smooth";
    }).map((one) => one.className)`);
  const control = await visit();
  await control.page.goto("/?q=トート");
  expect(await moving(control.page)).toContain("found");

  const { page, requests } = await visit({ reducedMotion: "reduce" });
  await page.clock.install();
  for (const path of inject("long") ? paths : paths.slice(0, 1)) {
    await page.goto(path, { waitUntil: "networkidle" });
    expect([path, await moving(page)]).toEqual([path, []]);
    requests.length = 0;
    const before = await page.content();
    await page.clock.fastForward("01:00:00");
    expect(await page.content()).toBe(before);
    expect([path, requests]).toEqual([path, []]);
  }
});

itLong("paper shows what is told, and nothing that can be chosen or sent", async () => {
  const { page } = await visit({ locale: "en-GB", colorScheme: "dark" });
  await page.emulateMedia({ media: "print" });
  for (const path of ["/?q=トート", "/products/1", "/compare?items=1,2"]) {
    await page.goto(path);
    expect(await page.getByText("¥4,000").first().isVisible()).toBe(true);
    expect([path, await page.locator(":is(input, select, button):visible").count()]).toEqual([
      path,
      0,
    ]);
  }
  await page.goto("/products/2", { waitUntil: "networkidle" });
  expect(await page.locator(".viewed .product").first().isHidden()).toBe(true);
  const ground = await page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
  expect(ground).toBe("rgb(250, 248, 244)");
});

it("the filters can be skipped, and what comes without a reload is told", async () => {
  const { page } = await visit({ locale: "en-GB" });
  await page.goto("/?q=トート");
  await page.locator("#main").focus();
  await page.keyboard.press("Tab");
  expect(await focused(page, "textContent")).toBe("Skip to results");
  expect(await violationsOf(page)).toEqual([]);
  await page.keyboard.press("Enter");
  await expect.poll(() => focused(page, "id")).toBe("results");
  await page.keyboard.press("Tab");
  expect(await focused(page, "id")).toBe("f-sort");

  await page.check("#f-in_stock");
  await expect.poll(() => status(page)).toBe("20 products");
  await page.fill("#f-price_max", "3");
  await page.fill("#f-price_min", "9");
  await page.locator("#f-price_min").blur();
  await expect.poll(() => status(page)).toContain("left out: Price (Lowest)");
});

it("what is ticked is named, its bar covers no focus, and unticking all loses none", async () => {
  const { page } = await visit({ locale: "en-GB", viewport: { width: 700, height: 500 } });
  await page.goto("/?q=トート");
  const tick = page.getByRole("checkbox", { name: /^Compare.*トート 2$/ });
  await tick.check();
  const bar = page.locator(".compare-bar");
  await bar.waitFor();
  // The next tick stands where the bar is, when the focus comes to it.
  await page.evaluate(`{
    const next = document.querySelectorAll(".results .product")[5];
    scrollBy(0, next.querySelector(".compare-tick input").getBoundingClientRect().bottom + 20 - innerHeight);
    next.querySelector("h2 a").focus({ preventScroll: true });
  }`);
  const isCovered = (element: string) =>
    page.evaluate<boolean>(
      `${element}.getBoundingClientRect().bottom > document.querySelector(".compare-bar").getBoundingClientRect().top`,
    );
  expect(await isCovered("document.querySelectorAll('.compare-tick input')[5]")).toBe(true);
  await page.keyboard.press("Tab");
  expect(await page.locator(".compare-tick :focus").count()).toBe(1);
  await expect.poll(() => isCovered("document.activeElement")).toBe(false);
  await page.locator(".compare-bar [data-clear]").focus();
  await page.keyboard.press("Enter");
  await bar.waitFor({ state: "hidden" });
  expect([await tick.isChecked(), await focused(page, "id")]).toEqual([false, "main"]);
});

itLong("the outcome of a check has the focus, so that it is read first", async () => {
  const { page } = await visit({ locale: "en-GB", javaScriptEnabled: false });
  await page.goto("/products/40");
  await page.click(".check button");
  await page.waitForURL(/check=/);
  await expect.poll(() => page.locator("#check:focus").count()).toBe(1);
});

itLong("who waits can check again after coming back to a page that the browser kept", async () => {
  const { page } = await visit();
  await page.goto("/products/1");
  const button = page.locator(".check button");
  const label = await button.innerText();
  await page.route("**/check", (route) => route.fulfill({ status: 204 }));
  await button.click();
  expect([await button.isDisabled(), (await button.innerText()) === label]).toEqual([true, false]);
  await page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))");
  expect([await button.isDisabled(), await button.innerText()]).toEqual([false, label]);
});
