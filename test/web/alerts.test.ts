import { sql } from "drizzle-orm";
import { describe, expect, inject, it, onTestFinished } from "vitest";
import { createMarket, defaultMarket } from "../../src/catalog/market.ts";
import { must } from "../../src/lib/must.ts";
import { looks, overflowOf, violationsOf } from "../support/accessibility.ts";
import { judgeAll, toJudgingDeps } from "../support/alerts.ts";
import { createTestApi } from "../support/api.ts";
import { storeItems } from "../support/catalog.ts";
import { searchItem } from "../support/products.ts";
import { shopWindowForAll } from "../support/shop-window.ts";
import { itLong } from "../support/it-long.ts";

const hostile = '<script>alert(1)</script>"><img src=x onerror=alert(1)>';
const items = [
  searchItem(1, { title: "牛革の長財布", price: 8000, properPrice: null }),
  searchItem(2, { title: `帆布のトート ${hostile}`, price: 3000, stock: 0 }),
];

const { shop, visit } = shopWindowForAll(items, { locale: "en-GB" });

const judge = () => judgeAll(toJudgingDeps(shop.db));

describe("a visitor without an account", () => {
  it("is told when a product reaches the price, and comes back from another browser", async () => {
    // The other tests of this file run scripts.
    for (const javaScriptEnabled of inject("long") ? [true, false] : [false]) {
      const price = javaScriptEnabled ? 7000 : 6000;
      const { page, complaints } = await visit({ javaScriptEnabled });
      await page.goto("/products/1");
      await page.click("#tell-me > summary");
      expect(await page.locator("#tell-me").innerText()).toContain("lowest so far ¥");
      await page.fill("#rule-price", "７,０００");
      await page.click("#tell-me button[type=submit]");
      await page.waitForURL(/\/alerts#s\d+$/);
      expect(await page.locator("main").innerText()).toContain("when the price is at most ¥7,000");
      expect(await page.locator("main").innerText()).toContain("Nothing has happened yet");
      await storeItems(shop.db, new Date().toISOString(), [searchItem(1, { price: 9000 })]);
      await judge();
      await storeItems(shop.db, new Date().toISOString(), [searchItem(1, { price })]);
      await judge();
      await page.goto("/alerts");
      expect(await page.locator("section.alert li a").innerText()).toContain("Target price");
      expect(complaints).toEqual([]);

      const address = (await page.locator(".notice a").getAttribute("href")) ?? "";
      expect(address).toMatch(/^\/alerts\/[\w-]{32}$/);
      const other = await visit({ javaScriptEnabled });
      await other.page.goto("/alerts");
      expect(await other.page.locator("main").innerText()).toContain("There are no alerts yet");
      await other.page.goto(address);
      expect(new URL(other.page.url()).pathname).toBe("/alerts");
      expect(await other.page.locator("section.alert").count()).toBe(1);
      await other.page.click("button[value=pause]");
      await page.reload();
      expect(await page.locator("section.alert h2").innerText()).toContain("paused");
      await page.click("button[value=go_on]");
      await page.click("button[value=feeds]");
      // The addresses are in sight, however many alerts stand above them.
      expect(page.url()).toMatch(/#s\d+$/);
      const feed = (await page.locator("a:text-is('JSON Feed')").getAttribute("href")) ?? "";
      const answer = await page.request.get(feed);
      expect(answer.status()).toBe(200);
      expect(await answer.json()).toMatchObject({ items: [expect.anything()] });
      await page.click("button[value=delete]");
      await page.waitForURL(/\/alerts$/);
      expect(await page.locator("section.alert").count()).toBe(0);
      await page.click("text=Delete everything");
      expect((await page.request.get(address)).status()).toBe(200);
      await page.click("text=Delete all alerts for good");
      expect((await page.request.get(address)).status()).toBe(404);
    }
  });

  itLong("sees the buttons of a mail address apart from its fields", async () => {
    const site = await createTestApi(shop.db, { sendsMails: true }).listen();
    onTestFinished(site.close);
    const { page } = await visit();
    await page.goto(`${site.url}/products/2`);
    await page.click("#tell-me > summary");
    await page.check("#rule-new_low");
    await page.click("#tell-me button[type=submit]");
    await page.fill("#mail input[type=email]", "reader@mail.example");
    await page.click("#mail button");
    await page.waitForSelector("#mail form + form");
    const rectangle = (selector: string) =>
      `document.querySelector("#mail ${selector}").getBoundingClientRect()`;
    const gap = await page.evaluate<number>(
      `${rectangle("form + form")}.top - ${rectangle("form.actions")}.bottom`,
    );
    expect(gap).toBe(8);
  });

  it("saves a search with its filters, and hears of what is new in it", async () => {
    const { page } = await visit();
    await page.goto("/?q=トート&price_max=5000");
    await page.click("#tell-me > summary");
    await page.click("#tell-me button[type=submit]");
    await page.waitForURL(/\/alerts#s\d+$/);
    expect(await page.locator("section.alert h2").innerText()).toContain("トート");
    const another = searchItem(3, { title: "革のトート", price: 4000 });
    await storeItems(shop.db, new Date().toISOString(), [
      another,
      { ...another, itemId: 4, price: 6000 },
    ]);
    await judge();
    await page.reload();
    expect(await page.locator("section.alert li a").allInnerTexts()).toEqual([
      expect.stringContaining("革のトート"),
    ]);
    // A search of everything, or by what titles tell, cannot be saved.
    for (const path of ["/?q=", "/?q=トート&colour=black"]) {
      await page.goto(path);
      expect(await page.locator("#tell-me").count()).toBe(0);
    }
  });

  itLong("saves one alert, however often the button is pressed", async () => {
    const { page } = await visit();
    await page.goto("/products/1");
    await page.click("#tell-me > summary");
    let answer = () => {};
    const held = new Promise<void>((resolve) => (answer = resolve));
    let forms = 0;
    await page.route("**/alerts", async (route) => {
      if (route.request().method() === "POST") forms += 1;
      await held;
      await route.fallback();
    });
    const button = page.locator("#tell-me button[type=submit]");
    await button.scrollIntoViewIfNeeded();
    const { x, y } = must(await button.boundingBox(), "the button");
    for (let presses = 0; presses < 3; presses += 1) {
      await page.mouse.click(x + 9, y + 9);
      await expect.poll(() => forms).toBeGreaterThan(0);
    }
    answer();
    await page.waitForURL(/\/alerts#s\d+$/);
    expect(forms).toBe(1);
  });

  it("can send a form again that led nowhere, after a while", async () => {
    const { page } = await visit();
    const own = await page.context().newPage();
    await own.clock.install();
    await own.goto("/products/1");
    let forms = 0;
    // As when the visitor stops waiting: the page stays.
    await own.route("**/alerts", (route) => {
      forms += 1;
      return forms === 1 ? route.fulfill({ status: 204 }) : route.fallback();
    });
    const press = () =>
      own.evaluate(`document.querySelector("#tell-me button[type=submit]").click()`);
    await press();
    await expect.poll(() => forms).toBe(1);
    await press();
    await own.clock.fastForward("00:00:16");
    expect(forms).toBe(1);
    await press();
    await own.waitForURL(/\/alerts#s\d+$/);
    expect(forms).toBe(2);
    await own.close();
  });

  it("reads what is wrong with a form, by name", async () => {
    const { page } = await visit();
    await page.goto("/products/1");
    await page.click("#tell-me > summary");
    await page.fill("#rule-price", "cheap");
    await page.check("#rule-gone");
    await page.click("#tell-me button[type=submit]");
    await page.waitForURL(/\/alerts$/);
    expect(await page.locator(".notice.warn").innerText()).toContain(
      "Target price: must be a whole number",
    );
    await page.goto("/products/1");
    await page.click("#tell-me > summary");
    await page.uncheck("#rule-price_below");
    await page.click("#tell-me button[type=submit]");
    expect(await page.locator(".notice.warn").innerText()).toContain("at least one rule");
  });

  itLong("W1: sees the hostile names of shops as text, on any screen", async () => {
    for (const look of looks) {
      const { page, complaints } = await visit(look);
      await page.goto("/products/2");
      await page.click("#tell-me > summary");
      expect([await overflowOf(page), await violationsOf(page)]).toEqual([0, []]);
      expect(await page.isChecked("#rule-back_in_stock")).toBe(true);
      await page.click("#tell-me button[type=submit]");
      await page.waitForURL(/\/alerts#s\d+$/);
      expect([await overflowOf(page), await violationsOf(page)]).toEqual([0, []]);
      expect(await page.locator("section.alert h2").innerText()).toContain("<script>");
      expect(complaints).toEqual([]);
    }
  });
});

describe("the secret of a visitor", () => {
  it("is in a cookie that scripts and other sites do not get, and other sites send no forms", async () => {
    const site = createTestApi(shop.db);
    const send = (headers: Record<string, string>, to = site) =>
      to.request("/alerts", {
        method: "POST",
        headers: { "Content-Type": "application/x-www-form-urlencoded", ...headers },
        body: new URLSearchParams({ name: "x", "query.item_id": "1", rule: "gone" }),
      });
    const browser = { Accept: "text/html", "Accept-Language": "en" };
    const foreign = await send({ ...browser, "Sec-Fetch-Site": "cross-site" });
    expect(foreign.status).toBe(403);
    expect(await foreign.text()).toContain("It came from a page of another site.");
    const saved = await send({ "Sec-Fetch-Site": "same-origin" });
    expect(saved.status).toBe(303);
    const cookie = saved.headers.get("Set-Cookie") ?? "";
    expect(cookie).toMatch(/^alerts=[\w-]{32};.*HttpOnly; SameSite=Lax$/);
    const market = createMarket({ ...defaultMarket, publicUrl: "https://kurabe.example" });
    const behindProxy = await send({}, createTestApi(shop.db, { market }));
    expect(behindProxy.headers.get("Set-Cookie")).toMatch(/; HttpOnly; Secure; SameSite=Lax$/);
    const secret = /alerts=([\w-]{32})/.exec(cookie)?.[1] ?? "";
    const back = await site.get(`/alerts/${secret}`);
    expect([back.status, back.headers.get("Cache-Control"), back.headers.get("Location")]).toEqual([
      303,
      "no-store",
      `/alerts?secret=${secret}`,
    ]);
    expect((await site.get(`/alerts/${"x".repeat(32)}`)).status).toBe(404);
    const stored = await shop.db.execute(sql`
      select row_to_json(o)::text as text from alert_owner o
      union all select row_to_json(s)::text from saved_search s`);
    expect(JSON.stringify(stored)).not.toContain(secret);
  });

  it("is not made by what is no form, or cannot be stored", async () => {
    const site = createTestApi(shop.db);
    const send = (type: string, body: string) =>
      site.request("/alerts", {
        method: "POST",
        headers: { "Content-Type": type, "Sec-Fetch-Site": "same-origin" },
        body,
      });
    const types = ["multipart/form-data", "multipart/form-data; boundary=x"];
    const odd = await Promise.all(types.map((type) => send(type, "abc")));
    const stored = await send(
      "application/x-www-form-urlencoded",
      "name=x&query.q=a%00b&rule=new_match",
    );
    expect([...odd, stored].map(({ status }) => status)).toEqual([400, 400, 400]);
  });

  it("saves no more than is allowed, from an address and in all", async () => {
    const site = createTestApi(shop.db, { clientAddress: () => "192.0.2.9" });
    const statuses = new Map<number, number>();
    for (let i = 0; i < 35; i += 1) {
      const { status } = await site.request("/alerts", {
        method: "POST",
        headers: { "Sec-Fetch-Site": "same-origin" },
        body: new URLSearchParams({ name: "x", "query.item_id": "1", rule: "gone" }),
      });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    expect(statuses).toEqual(
      new Map([
        [303, 30],
        [429, 5],
      ]),
    );
  });
});
