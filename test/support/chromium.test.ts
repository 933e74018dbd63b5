import { expect, inject, it } from "vitest";
import { launchChromium } from "./chromium.ts";

it("draws a page in real Chromium", async () => {
  const browser = await launchChromium(inject("runDir"));
  try {
    const page = await browser.newPage();
    await page.setContent("<h1>比べ</h1><script>document.title = document.body.innerText</script>");
    expect(await page.title()).toBe("比べ");
    expect(browser.version()).toMatch(/^\d+\./);
  } finally {
    await browser.close();
  }
});
