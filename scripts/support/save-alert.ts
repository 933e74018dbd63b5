import type { Page } from "playwright-core";

/** On the page of a product: asks to be told of its next lowest price. */
export async function saveAlert(page: Page): Promise<void> {
  await page.click("#tell-me > summary");
  await page.check("#rule-new_low");
  await page.click("#tell-me button[type=submit]");
  await page.locator("section.alert").waitFor();
}
