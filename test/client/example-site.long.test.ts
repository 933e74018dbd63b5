import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { listenOnLoopback } from "../support/loopback.ts";
import { shopWindowForAll } from "../support/shop-window.ts";
import { searchItem } from "../support/products.ts";

const wallets = Array.from({ length: 12 }, (_, i) =>
  searchItem(i + 1, { title: `がま口 ${i + 1}`, stock: i % 2 }),
);
const bag = searchItem(99, { title: "<b>帆布</b>のバッグ" });
const { shop, visit } = shopWindowForAll([...wallets, bag]);
let site: { url: string; close(): Promise<void> };
beforeAll(async () => {
  site = await serveFile(new URL("../../infra/examples/search.html", import.meta.url));
});
afterAll(() => site.close());

/** The file on an origin of its own, as a comparison site would have it. */
async function serveFile(file: URL): Promise<{ url: string; close(): Promise<void> }> {
  const text = await readFile(file, "utf8");
  const server = createServer((_, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end(text);
  });
  const { url, close } = await listenOnLoopback(server);
  return { url: `${url}/`, close };
}

it("the example site searches the running API from its own origin, as it is", async () => {
  const { page, complaints } = await visit();
  await page.goto(`${site.url}?api=${encodeURIComponent(shop.url)}`);
  await page.getByText("13 件").waitFor();
  expect(await page.locator("#products li").count()).toBe(10);
  await page.getByRole("button", { name: "もっと見る" }).click();
  await page.locator("#products li").nth(12).waitFor();

  await page.getByLabel("商品名").fill("がま口");
  await page.getByRole("checkbox").check();
  await page.getByRole("button", { name: "検索" }).click();
  await page.getByText("6 件", { exact: true }).waitFor();
  expect(await page.locator("#products li").first().textContent()).toContain("在庫あり");
  await page.locator("#completions option").first().waitFor({ state: "attached" });

  await page.getByRole("checkbox").uncheck();
  await page.getByLabel("商品名").fill("帆布");
  await page.getByRole("button", { name: "検索" }).click();
  await page.getByText("<b>帆布</b>のバッグ").waitFor();

  // No product has both words.
  const q = "がま口 帆布";
  const answer = await fetch(`${shop.url}/v1/products?q=${encodeURIComponent(q)}`);
  const { found, partially_found: partial } = (await answer.json()) as Record<string, number>;
  expect([found, partial]).toEqual([0, expect.toSatisfy((count: number) => count > 1)]);
  await page.getByLabel("商品名").fill(q);
  await page.getByRole("button", { name: "検索" }).click();
  await page.getByText(`${partial} 件`, { exact: true }).waitFor();
  expect(complaints).toEqual([]);
});

it("the example site shows people what is wrong with a search", async () => {
  const { page } = await visit();
  await page.goto(`${site.url}?api=${encodeURIComponent(shop.url)}`);
  await page.getByLabel("商品名").fill("長".repeat(201));
  await page.getByRole("button", { name: "検索" }).click();
  await page.getByText("q 200文字以内にしてください").waitFor();
});
