import { sql } from "drizzle-orm";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { listJobs } from "../../src/crawl/budget/jobs.ts";
import { readCrawlState } from "../../src/crawl/safety/pause.ts";
import { messages } from "../../src/web/ops/messages/messages.ts";
import { clockAt, opsToken } from "../support/api.ts";
import { openConsole } from "../support/console-page.ts";
import { itLong } from "../support/it-long.ts";
import { openedForAll } from "../support/opened.ts";

const { ja } = messages;
const clock = clockAt("2026-01-15T06:20:00.000Z");
const test = openedForAll(() => openConsole(clock, { locale: "ja-JP", javaScriptEnabled: false }));
let page: Page;

beforeAll(async () => {
  ({ page } = test);
});

const go = (path: string) => page.goto(`${test.site.url}${path}`);
const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
const notice = () => page.locator("[data-notice]").innerText();
const draft = () => page.locator("#draft-feed").innerText();
const isPaused = async () => (await readCrawlState(test.db)).paused;
const feedCron = async () => (await listJobs(test.db)).find(({ name }) => name === "feed")?.cron;

// `npm test` has what is left out here in `ops-console.test.ts`, with scripts.
describe("an operator whose browser runs no scripts", () => {
  it("is refused with a wrong token and signs in with the right one", async () => {
    await go("/ops/schedule");
    await page.fill("#token", "not-the-token-but-as-long-as-a-token-has-to-be");
    await press(ja.signIn.button);
    expect(await page.getByRole("alert").innerText()).toBe(ja.signIn.wrong);
    await page.fill("#token", opsToken);
    await press(ja.signIn.button);
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe(ja.tabs.schedule);
    expect(new URL(page.url()).pathname).toBe("/ops/schedule");
  });

  it("shows where visitors went on to shops", async () => {
    await go("/ops/clicks");
    expect(await page.locator("#click-days tbody tr").count()).toBe(14);
    await page.getByRole("link", { name: ja.ranges.names.month }).click();
    expect(new URL(page.url()).search).toBe("?range=month");
    expect(await page.locator("#click-days tbody tr").count()).toBe(30);
    const products = page.locator("#click-products tbody tr");
    expect(await products.count()).toBe(11);
    const link = products.first().getByRole("link");
    expect(await link.getAttribute("href")).toMatch(/^\/products\/10\d\d$/);
    const sources = await page.locator("#click-sources tbody tr").allInnerTexts();
    expect(sources.map((text) => text.split(/\s+/)[0])).toEqual(
      expect.arrayContaining(["top10", "page"]),
    );
  });

  itLong("shows calls and freshness of as many days as asked for", async () => {
    await go("/ops");
    for (const id of ["freshness", "days"]) {
      const chosen = page.locator(`#${id} [aria-current]`);
      expect(await chosen.innerText()).toBe(ja.ranges.names.fortnight);
    }
    await page.locator("#days").getByRole("link", { name: ja.ranges.names.quarter }).click();
    expect(await page.locator("#freshness [aria-current]").innerText()).toBe(
      ja.ranges.names.quarter,
    );
    expect(await page.locator("#days tbody tr").count()).toBeGreaterThanOrEqual(14);
  });

  it("tries an expression, which saves nothing, and saves it", async () => {
    await go("/ops/schedule");
    await page.fill("#cron-feed", "7 3 * * *");
    await page.locator("#job-feed summary").click();
    await page.fill('#job-feed [name="settings.weight"]', "3");
    await press(`${ja.schedule.check}: feed`);
    expect(await page.inputValue('#job-feed [name="settings.weight"]')).toBe("3");
    expect(await draft()).toContain(ja.schedule.nextDraft);
    expect(await draft()).toContain("03:07");
    expect(await page.inputValue("#cron-feed")).toBe("7 3 * * *");
    expect(await feedCron()).toBe("*/5 * * * *");
    await press(`${ja.schedule.save}: feed`);
    expect(await notice()).toBe(ja.done.job_saved);
    expect(await feedCron()).toBe("7 3 * * *");
  });

  it("is refused a bad expression, is told why in Japanese, and nothing changes", async () => {
    await page.fill("#cron-feed", "61 * * * *");
    await press(`${ja.schedule.check}: feed`);
    expect(await draft()).toContain("分に「61」は使えません。");
    await press(`${ja.schedule.save}: feed`);
    expect(await notice()).toContain(ja.refused.lead);
    expect(await notice()).toContain("分に「61」は使えません。");
    expect(await page.inputValue("#cron-feed")).toBe("61 * * * *");
    expect(await feedCron()).toBe("7 3 * * *");
  });

  it("pauses the crawler and lets it go on", async () => {
    await go("/ops");
    await press(ja.state.pause);
    expect(await notice()).toBe(ja.done.paused);
    expect(await isPaused()).toBe(true);
    await press(ja.state.resume);
    expect(await notice()).toBe(ja.done.resumed);
    expect(await isPaused()).toBe(false);
  });

  itLong(
    "retries at once what is backing off, and is told when there is nothing left",
    async () => {
      await go("/ops");
      await page.getByRole("link", { name: ja.backoffs.look }).click();
      expect(await page.locator("#backoffs tbody th").allInnerTexts()).toEqual([
        expect.stringContaining("「革財布」の人気順"),
        expect.stringContaining("「革財布」の更新順"),
        expect.stringContaining("ショップ 革工房"),
        expect.stringContaining("「革財布」の更新順、位置 37"),
        expect.stringContaining("手作りの革財布 1001（ショップ 革工房）"),
        expect.stringContaining("手作りの革財布 1002（ショップ 革工房）"),
      ]);
      await press(`${ja.backoffs.retry}: 手作りの革財布 1002（ショップ 革工房）`);
      expect(await notice()).toBe(ja.done.backoff_retried);
      await go("/ops");
      expect(await page.getByRole("link", { name: ja.backoffs.look }).count()).toBe(0);
      await test.db.execute(sql`delete from backoff`);
      await go("/ops/backoffs");
      expect(await page.locator("#backoffs").innerText()).toBe(ja.backoffs.empty);
    },
  );

  itLong("starts a run by hand and stops it", async () => {
    await go("/ops/schedule");
    await press(`${ja.schedule.run}: discover`);
    await press(`${ja.schedule.stop}: discover`);
    expect(await notice()).toBe(ja.done.run_stopped);
    expect(await page.locator("#runs-discover").innerText()).toContain("中止");
  });

  itLong(
    "asks what another budget would do, and reads why the next calls are planned",
    async () => {
      await go("/ops/plan");
      await page.locator("#floor-days").fill("3");
      await press(ja.plan.ask);
      expect(new URL(page.url()).searchParams.get("max_age_days")).toBe("3");
      expect(await page.inputValue("#floor-days")).toBe("3");
      const reasons = await page.locator("#next-calls tbody td:nth-child(3)").allInnerTexts();
      expect(reasons.length).toBeGreaterThan(0);
      for (const reason of reasons) expect(reason).toMatch(/[ぁ-ん]/);
    },
  );

  it("confirms before an index is rebuilt", async () => {
    await go("/ops/mirror");
    const sure = page.getByRole("button", { name: ja.mirror.rebuildConfirm, exact: true });
    expect(await sure.isVisible()).toBe(false);
    await page.getByText(ja.mirror.rebuild, { exact: true }).click();
    await sure.click();
    expect(await notice()).toBe(ja.done.rebuild_started);
  });

  it("signs out", async () => {
    await press(ja.signOut);
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe(ja.signIn.title);
    await go("/ops/schedule");
    expect(await page.locator("#token").isVisible()).toBe(true);
  });
});
