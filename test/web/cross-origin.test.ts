import { createServer } from "node:http";
import type { Browser } from "playwright-core";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { createClickBuffer, type ClickBuffer } from "../../src/catalog/visitors/clicks.ts";
import { ensureJobs } from "../../src/crawl/budget/jobs.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { opsToken, createTestApi, type Served } from "../support/api.ts";
import { storeItems } from "../support/catalog.ts";
import { closeContexts, openChromium } from "../support/chromium.ts";
import { withJson } from "../support/json-request.ts";
import { listenOnLoopback } from "../support/loopback.ts";
import { openedForAll } from "../support/opened.ts";
import { createTestDb } from "../support/postgres.ts";
import { searchItem } from "../support/products.ts";

/** Chromium says that it is remote-controlled unless it is given another name. */
const userAgent =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";

const test = openedForAll(createTestDb);
let site: Served;
let shop: OtherSite;
let clicks: ClickBuffer;
let browser: Browser;
const closers: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  shop = await serveOtherSite();
  await ensureJobs(test.db, systemClock.now());
  await storeItems(test.db, new Date(Date.now() - 3_600_000).toISOString(), [
    searchItem(1, { shopUrl: shop.url }),
  ]);
  clicks = createClickBuffer(test.db, systemClock, {
    timezone: "Asia/Tokyo",
    demand: { opened() {} },
  });
  site = await createTestApi(test.db, { clicks }).listen();
  closers.push(site.close);
  browser = await openChromium(inject("runDir"));
  closers.push(() => closeContexts(browser));
});
beforeEach(() => test.db.execute(sql`truncate click`));
afterAll(async () => {
  for (const close of closers.toReversed()) await close();
});

interface OtherSite {
  url: string;
  /** Path and referrer of each request. */
  requests: [string | undefined, string | undefined][];
}

/** A site of empty pages, on an origin of its own. */
async function serveOtherSite(): Promise<OtherSite> {
  const requests: OtherSite["requests"] = [];
  const server = createServer(({ url, headers }, response) => {
    if (url !== "/favicon.ico") requests.push([url, headers.referer]);
    response.setHeader("content-type", "text/html");
    response.end("<!doctype html><title>another site</title>");
  });
  const { url, close } = await listenOnLoopback(server);
  closers.push(close);
  return { url: `${url}/`, requests };
}

async function counted(): Promise<unknown[]> {
  await clicks.flush();
  return [
    ...(await test.db.execute(sql`select item_id, key_id, src, clicks from analytics.clicks`)),
  ];
}

describe("a page of another site, in Chromium", () => {
  it("looks up and refreshes with a key in a header, reads headers and failures, and reaches neither forms nor ops", async () => {
    const page = await browser.newPage();
    await page.goto((await serveOtherSite()).url);
    const send = (path: string, init: object) =>
      page.evaluate<unknown>(
        `fetch(${JSON.stringify(site.url + path)}, ${JSON.stringify(init)}).then(
          async (answer) => [answer.status, (await answer.text()).slice(0, 20),
            Boolean(answer.headers.get("X-Request-Id")), Boolean(answer.headers.get("Retry-After"))],
          (error) => error.name)`,
      );
    const made = await fetch(`${site.url}/ops/v1/keys`, {
      method: "POST",
      ...withJson({ name: "other site" }, { Authorization: `Bearer ${opsToken}` }),
    });
    const { key } = (await made.json()) as { key: string };
    const { headers, body } = withJson({ item_ids: [1] }, { "X-Api-Key": key });
    const post = { method: "POST", headers, body };
    expect(await send("/v1/products/lookup", post)).toEqual([
      200,
      '{"items":[{"item_id"',
      true,
      false,
    ]);
    expect(await send("/v1/products/lookup", { ...post, body: "{" })).toEqual([
      400,
      '{"type":"about:blank',
      true,
      false,
    ]);
    expect(await send("/v1/products/1/refresh", { method: "POST", headers })).toEqual([
      202,
      '{"item_id":1,"status',
      true,
      true,
    ]);
    for (const path of ["/ops/v1/budget", "/ops/v1/pause", "/products/1/check"]) {
      expect([path, await send(path, { method: "POST", headers })]).toEqual([path, "TypeError"]);
    }
    await page.close();
  });
});

describe("a visitor who goes on to the shop, in Chromium", () => {
  it("is counted, and the shop learns from which site the visit comes and nothing more", async () => {
    const context = await browser.newContext({ userAgent, locale: "en-GB" });
    const page = await context.newPage();
    await page.goto(`${site.url}/products/1?lang=en`);
    const opened = context.waitForEvent("page");
    await page.getByRole("link", { name: "Buy at the shop" }).first().click();
    await (await opened).waitForURL(`${shop.url}items/1`);
    expect(shop.requests).toEqual([["/items/1", `${site.url}/`]]);
    expect(await counted()).toEqual([{ item_id: 1, key_id: null, src: "page", clicks: 1 }]);
    await context.close();
  });

  it("is not counted for a picture or frame that another site hides in its page", async () => {
    const page = await browser.newPage({ userAgent });
    await page.goto((await serveOtherSite()).url);
    const before = shop.requests.length;
    await page.evaluate<unknown>(`Promise.all(["img", "iframe"].map((kind) => new Promise((resolve) => {
      const hidden = document.createElement(kind);
      hidden.onload = hidden.onerror = resolve;
      hidden.src = ${JSON.stringify(`${site.url}/go/1`)};
      document.body.append(hidden);
    })))`);
    expect(shop.requests.length).toBeGreaterThan(before);
    expect(await counted()).toEqual([]);
    await page.close();
  });
});
