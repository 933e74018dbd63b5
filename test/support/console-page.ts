import type { BrowserContextOptions, Page } from "playwright-core";
import { inject } from "vitest";
import type { Clock } from "../../src/lib/clock.ts";
import { createTestApi, type Served } from "./api.ts";
import { closeContexts, openChromium } from "./chromium.ts";
import { storeOpsPast } from "./console.ts";
import { createTestDb, type TestDb } from "./postgres.ts";

export interface OpenConsole extends TestDb {
  site: Served;
  /** In a browser that knows nothing of the site. */
  page: Page;
}

/** The console with its usual data in a database of its own, and a page to visit it. */
export async function openConsole(
  clock: Clock,
  options: BrowserContextOptions,
  over: Parameters<typeof createTestApi>[1] = {},
): Promise<OpenConsole> {
  const test = await createTestDb();
  await storeOpsPast(test.db, clock.now());
  const site = await createTestApi(test.db, { ...over, clock }).listen();
  const browser = await openChromium(inject("runDir"));
  const context = await browser.newContext(options);
  return {
    ...test,
    site,
    page: await context.newPage(),
    async close() {
      await closeContexts(browser);
      await site.close();
      await test.close();
    },
  };
}
