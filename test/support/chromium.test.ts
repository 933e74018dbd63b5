import { afterAll, expect, inject, it } from "vitest";
import { closeContexts, openChromium } from "./chromium.ts";

afterAll(async () => closeContexts(await openChromium(inject("runDir"))));

it("draws a page in real Chromium", async () => {
  const browser = await openChromium(inject("runDir"));
  const page = await browser.newPage();
  await page.setContent("<h1>比べ</h1><script>document.title = document.body.innerText</script>");
  expect(await page.title()).toBe("比べ");
  expect(browser.version()).toMatch(/^\d+\./);
});
