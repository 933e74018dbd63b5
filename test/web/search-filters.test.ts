import { expect, it } from "vitest";
import { looks, overflowOf, violationsOf } from "../support/accessibility.ts";
import { searchItem } from "../support/products.ts";
import { itLong } from "../support/it-long.ts";
import { shopWindowForAll, type Visit } from "../support/shop-window.ts";

const sold = (itemId: number, over: Parameters<typeof searchItem>[1]) =>
  searchItem(itemId, { title: `帆布 ${itemId}`, variations: [], stock: 1, ...over });

const soldOut = { stock: 0, properPrice: null };

/** Four products in each of 70 categories, more than are listed; bags are among the rare ones. */
const items = [
  ...Array.from({ length: 280 }, (_, i) =>
    sold(i + 1, {
      shopId: `shop-${i % 20}`,
      shopName: `店 ${i % 20}号`,
      categories: [`その他 ${i % 70}`],
    }),
  ),
  sold(301, { shopId: "atelier", shopName: "Atelier ﾚｱ", categories: ["バッグ 大"] }),
  sold(302, { shopId: "atelier", shopName: "Atelier ﾚｱ", categories: ["バッグ 大"], ...soldOut }),
  sold(303, { shopId: "shop-3", shopName: "店 3号", categories: ["ばっぐ 小"] }),
];

const { shop, visit } = shopWindowForAll(items, { viewport: { width: 1280, height: 800 } });

const field = "#f-find_category";
const otherValues = async ({ page }: Visit, name = "category") =>
  (await page.locator(`#values-${name} .choice`).allInnerTexts()).map((text) =>
    text.replaceAll(/\s+/g, " ").trim(),
  );
const readAll = ({ page }: Visit, selector: string, member: string) =>
  page.evaluate<string[]>(
    `[...document.querySelectorAll(${JSON.stringify(selector)})].map((one) => one.${member})`,
  );
const chosenValues = (one: Visit) => readAll(one, "fieldset > .choice [name=category]", "value");

it("lists the values that begin with what is typed, in any spelling, with their counts", async () => {
  const one = await visit();
  const { page, complaints, requests } = one;
  await page.goto("/?q=帆布");
  expect(await page.locator("#values-category .choice").count()).toBe(60);
  expect((await otherValues(one)).join()).not.toContain("バッグ");
  await page.locator(field).pressSequentially("ばっ");
  await expect.poll(() => otherValues(one)).toEqual(["バッグ 大 2", "ばっぐ 小 1"]);
  expect(await page.locator("p[role=status]").first().textContent()).toBe("候補2件");
  await page.fill("#f-find_shop_id", "ａｔｅ");
  await expect.poll(() => otherValues(one, "shop_id")).toEqual(["Atelier ﾚｱ 2"]);
  expect(requests.some((url) => url.includes("/v1/"))).toBe(false);
  await page.click("text=バッグ 大");
  await expect.poll(() => page.locator("#count").innerText()).toBe("2件");
  expect(await chosenValues(one)).toEqual(["バッグ 大"]);
  expect(await otherValues(one)).toEqual(["ばっぐ 小 1"]);
  await page.locator("#f-in_stock").check();
  await expect.poll(() => page.locator("#count").innerText()).toBe("1件");

  // What is chosen stays, whatever is typed, and is not listed twice.
  await page.fill(field, "その他 6");
  await expect
    .poll(async () => (await otherValues(one)).toSorted())
    .toEqual(["その他 6 4", ...Array.from({ length: 10 }, (_, i) => `その他 6${i} 4`)]);
  expect(await chosenValues(one)).toEqual(["バッグ 大"]);
  await page.fill(field, "ない");
  await expect.poll(() => page.locator("#values-category").innerText()).toContain("始まるものは");
  await page.fill(field, "");
  await expect.poll(() => page.locator("#values-category .choice").count()).toBe(60);
  expect(await page.locator(`${field}:focus`).count()).toBe(1);
  expect(complaints).toEqual([]);
});

it("never shows the answer to what was typed before, and Enter asks again after a failure", async () => {
  const one = await visit();
  const { page } = one;
  await page.goto("/?q=帆布");
  const before = await otherValues(one);
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(/find_category=%E3%81%B0(&|$)/, async (route) => {
    await held;
    await route.continue();
  });
  const first = page.waitForRequest(/find_category=%E3%81%B0(&|$)/);
  await page.fill(field, "ば");
  const late = (await first).response();
  await page.fill(field, "その他 69");
  await expect.poll(() => otherValues(one)).toEqual(["その他 69 4"]);
  release();
  await (await late)?.finished();
  await page.evaluate("new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))");
  expect(await otherValues(one)).toEqual(["その他 69 4"]);
  await page.fill(field, "");
  await expect.poll(() => otherValues(one)).toEqual(before);

  await page.route("**/filter-values/**", (route) => route.fulfill({ status: 503, body: "busy" }));
  const failed = page.waitForResponse("**/filter-values/**");
  await page.fill(field, "その他 68");
  await failed;
  expect(await otherValues(one)).toEqual(before);
  await page.unroute("**/filter-values/**");
  await page.press(field, "Enter");
  await expect.poll(() => otherValues(one)).toEqual(["その他 68 4"]);
  expect(new URL(page.url()).searchParams.has("find_category")).toBe(false);
});

itLong("keeps what only the address asks for, until its chip is clicked", async () => {
  const one = await visit();
  const { page } = one;
  const asked = async () =>
    new URLSearchParams(await page.evaluate<string>("location.search")).toString();
  await page.goto("/?q=帆布&match=all&in_stock=false&on_sale=false");
  expect(await page.locator("#count").innerText()).toBe("1件");
  await page.locator("#f-group").check();
  await expect.poll(asked).toContain("group=product");
  const kept = new URLSearchParams(await asked());
  for (const [name, value] of [
    ["match", "all"],
    ["in_stock", "false"],
    ["on_sale", "false"],
  ] as const) {
    expect([name, kept.get(name)]).toEqual([name, value]);
  }
  await page.click(".chips >> text=すべての語を含む");
  await expect.poll(asked).not.toContain("match");
  // A box counts more.
  await page.locator("#f-in_stock").check();
  await expect.poll(() => page.locator("#count").innerText()).toBe("0件");
});

itLong("works without scripts, where chosen values stay too", async () => {
  const one = await visit({ viewport: { width: 320, height: 700 }, javaScriptEnabled: false });
  const { page } = one;
  await page.goto("/?q=帆布&category=その他 1");
  await page.click(".filters > summary");
  await page.fill(field, "バッ");
  await page.click(`${field} + button`);
  // Before its style sheet is there, values and counts stand without a space.
  await page.waitForLoadState();
  expect(await otherValues(one)).toEqual(["バッグ 大 2", "ばっぐ 小 1"]);
  expect(await chosenValues(one)).toEqual(["その他 1"]);
  expect(await page.locator("fieldset > .choice", { hasText: "その他" }).innerText()).toMatch(/4$/);
  await page.check("text=バッグ 大");
  await page.click(".filters .unscripted >> nth=-1");
  expect(await page.locator("#count").innerText()).toBe("6件");
  expect(await chosenValues(one)).toEqual(["その他 1", "バッグ 大"]);
  // Links are about the search alone.
  const links = await readAll(one, "a[data-swap]", "search");
  expect(links.length).toBeGreaterThan(2);
  expect(links.join()).not.toContain("find_");
});

// Without a browser the last test shows the words, and `every-page.test.ts` examines the filters.
itLong(
  "is accessible and fits on every screen, and has more where more match than are listed",
  async () => {
    for (const look of looks) {
      const { page } = await visit(look);
      await page.goto("/?q=帆布&find_category=そ&find_shop_id=none");
      expect(await page.locator("#values-category .choice").count()).toBe(60);
      const notes = (await page.locator(".filters .fine:not(.number)").allInnerTexts()).join("\n");
      expect(notes).toMatch(look.locale === "en-GB" ? "There are more" : "ほかにもあります");
      expect(notes).toMatch(look.locale === "en-GB" ? "No value begins" : "始まるものはありません");
      expect(await violationsOf(page)).toEqual([]);
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    }
  },
);

it("answers only for filters that are searched, and for grouped searches too; says where more match, or none", async () => {
  const read = (path: string) =>
    fetch(`${shop.url}${path}`, { headers: { Accept: "text/html", "Accept-Language": "en" } });
  expect((await read("/filter-values/colour?find_colour=b")).status).toBe(404);
  const many = await (await read("/?q=帆布&find_category=そ&find_shop_id=none")).text();
  expect(many).toContain("There are more");
  expect(many).toContain("No value begins");
  const grouped = await read("/filter-values/shop_id?group=product&find_shop_id=ATE");
  expect(grouped.headers.get("Access-Control-Allow-Origin")).toBeNull();
  const text = await grouped.text();
  expect(text).toContain('data-found="1 value"');
  expect(text).toMatch(/Atelier ﾚｱ<\/span><span class="fine number">2</);
});
