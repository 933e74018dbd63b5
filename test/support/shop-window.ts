import { inject, onTestFinished } from "vitest";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { systemClock } from "../../src/lib/clock.ts";
import { runLoop } from "../../src/lib/loop.ts";
import { silentLogger as logger } from "../../src/lib/logger.ts";
import { createSearch } from "../../src/search/search.ts";
import { readMirrorStatus } from "../../src/search/mirror/status.ts";
import type { SearchItem } from "../../src/storefront/product.ts";
import { createTestApi } from "./api.ts";
import { storeItems } from "./catalog.ts";
import { closeContexts, openChromium } from "./chromium.ts";
import { createTestMirror } from "./mirror.ts";
import { openedForAll } from "./opened.ts";
import type { TestDb } from "./postgres.ts";
import { until } from "./until.ts";

const clock = systemClock;

interface ShopWindow extends TestDb {
  url: string;
  /**
   * A browser that remembers nothing of this site, like a first visit. After the test another one gets it, with its cache
   * of files; one whose files are measured is closed by its test.
   */
  visit(options?: BrowserContextOptions): Promise<Visit>;
}

export interface Visit {
  page: Page;
  /** All requested addresses, including pictures, which the test answers. */
  requests: string[];
  /** Errors of the page, and violations of its own policy. */
  complaints: string[];
  /** The cumulative layout shift so far. */
  layoutShift(): Promise<number>;
}

/**
 * The whole site with these products, stored and mirrored, and a real Chromium, for all tests of a file. Visits have
 * the usual options, and what they ask for.
 */
export function shopWindowForAll(items: SearchItem[], usual: BrowserContextOptions = {}) {
  const shop = openedForAll(() => openShopWindow(items));
  const visit = (options: BrowserContextOptions = {}) => shop.visit({ ...usual, ...options });
  return { shop, visit };
}

async function openShopWindow(items: SearchItem[]): Promise<ShopWindow> {
  const test = await createTestMirror();
  const stopping = new AbortController();
  const { signal } = stopping;
  const { step } = test.start();
  const mirroring = runLoop({ name: "mirror", clock, logger, signal, step });
  await storeItems(test.db, new Date(clock.now().getTime() - 420_000).toISOString(), items);
  const search = createSearch({ ...test, searchDb: test.db, clock });
  const site = await createTestApi(test.db, search).listen();
  const browser = await openChromium(inject("runDir"));
  await until(
    async () => {
      const { serving } = await readMirrorStatus(test.db, test.indexPrefix);
      return serving?.isSearched && serving.clean >= items.length && serving.dirty === 0;
    },
    { what: "the index to have all products" },
  );
  /** Visits that ended, for further ones with the same options: a new context takes a second. */
  const left = new Map<string, Visit[]>();
  return {
    ...test,
    url: site.url,
    async visit(options) {
      const look = JSON.stringify(options ?? {});
      const one = left.get(look)?.pop() ?? (await visit(browser, site.url, options));
      onTestFinished(async () => {
        if (one.page.isClosed()) return;
        await forget(one);
        left.set(look, [...(left.get(look) ?? []), one]);
      });
      return one;
    },
    async close() {
      await closeContexts(browser);
      await site.close();
      stopping.abort();
      await mirroring;
      await test.close();
    },
  };
}

const picture =
  '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9" fill="#789"/></svg>';

async function visit(
  browser: Browser,
  baseURL: string,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({ baseURL, locale: "ja-JP", ...options });
  const complaints: string[] = [];
  const requests: string[] = [];
  await answerPictures(context);
  await context.addInitScript(`
    globalThis.shift = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (!entry.hadRecentInput) globalThis.shift += entry.value;
    }).observe({ type: "layout-shift", buffered: true });`);
  const page = await context.newPage();
  page.on("request", (request) => requests.push(request.url()));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  page.on("dialog", (dialog) => {
    complaints.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return {
    page,
    requests,
    complaints,
    layoutShift: () => page.evaluate<number>("globalThis.shift"),
  };
}

/** Everything of the visit, but not the page itself. */
async function forget({ page, requests, complaints }: Visit): Promise<void> {
  const context = page.context();
  for (const other of context.pages()) if (other !== page) await other.close();
  await page.unrouteAll({ behavior: "ignoreErrors" });
  // An address of the site without scripts of its own: each origin has its storage, and another one a new process.
  await page.goto("/robots.txt");
  await page.evaluate("localStorage.clear(); sessionStorage.clear()");
  await context.clearCookies();
  requests.length = 0;
  complaints.length = 0;
}

/** Draws the pictures of shops here, so that no request leaves the machine. */
async function answerPictures(context: BrowserContext): Promise<void> {
  await context.route(/^https:/, (route) =>
    route.request().resourceType() === "image"
      ? route.fulfill({ contentType: "image/svg+xml", body: picture })
      : route.abort(),
  );
}
