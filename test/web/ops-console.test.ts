import { sql } from "drizzle-orm";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { readAudit } from "../../src/api/ops/actions/audit-log.ts";
import { countWaiting } from "../../src/crawl/backoff-list.ts";
import { listJobs, readLastRuns } from "../../src/crawl/budget/jobs.ts";
import {
  forAll,
  readCrawlState,
  setBlock,
  anomalousAnswers,
} from "../../src/crawl/safety/pause.ts";
import { listKeywords } from "../../src/crawl/learning/keywords.ts";
import { tabPaths } from "../../src/web/ops/shared/frame.tsx";
import { overflowOf, violationsOf } from "../support/accessibility.ts";
import { clockAt, opsToken, type Served } from "../support/api.ts";
import { openConsole } from "../support/console-page.ts";
import { openedForAll } from "../support/opened.ts";

const clock = clockAt("2026-01-15T06:20:00.000Z");
const test = openedForAll(() =>
  openConsole(clock, {
    locale: "en-GB",
    viewport: { width: 1280, height: 900 },
  }),
);
let site: Served;
let page: Page;
const requests: string[] = [];
/** The matches show pictures of products, which are on hosts of the shops. */
const pictures = "https://img.example.com/";
const complaints: string[] = [];

beforeAll(async () => {
  ({ site, page } = test);
  await page.route(`${pictures}**`, (route) => route.fulfill({ status: 204 }));
  page.on("request", (request) => requests.push(request.url()));
  page.on("console", (message) => {
    // What is refused is a 400 or 401, which the browser mentions.
    if (message.type() === "error" && !/status of 40[01]/.test(message.text())) {
      complaints.push(message.text());
    }
  });
  page.on("pageerror", (error) => complaints.push(error.message));
});

/** Goes on by Tab until the focus is on what has this name, and fails after a long way. */
async function tabTo(name: string): Promise<void> {
  const named = `(() => {
    const { activeElement: at } = document;
    const label = at?.labels?.[0]?.textContent ?? "";
    return [at?.getAttribute("aria-label") ?? "", label, at?.textContent ?? ""].map((text) => text.trim());
  })()`;
  for (let step = 0; step < 120; step += 1) {
    await page.keyboard.press("Tab");
    if ((await page.evaluate<string[]>(named)).includes(name)) return;
  }
  throw new Error(`the keyboard does not reach "${name}"`);
}

async function press(name: string): Promise<void> {
  await tabTo(name);
  const arrived = page.waitForEvent("load");
  await page.keyboard.press("Enter");
  await arrived;
}

async function notice(): Promise<string> {
  return (await page.locator("[data-notice]").textContent()) ?? "";
}

async function go(path: string): Promise<void> {
  await page.goto(`${site.url}${path}`);
}

describe("an operator with nothing but a keyboard", () => {
  it("is refused with a wrong token and signs in with the right one", async () => {
    await go("/ops");
    await page.keyboard.type("not-the-token-but-as-long-as-a-token-has-to-be");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").waitFor();
    expect(await page.getByRole("alert").textContent()).toBe("This is not the token.");
    await page.keyboard.type(opsToken);
    await page.keyboard.press("Enter");
    await page.locator("#crawl-state").waitFor();
    const [cookie] = await page.context().cookies(site.url);
    expect(cookie).toMatchObject({
      name: "__Host-kurabe-ops",
      httpOnly: true,
      secure: true,
      sameSite: "Strict",
    });
    expect(await page.title()).toContain("Today");
  });

  it("pauses the crawler and lets it go on", async () => {
    await press("Pause");
    expect(await notice()).toContain("The crawler is paused");
    expect((await readCrawlState(test.db)).paused).toBe(true);
    await press("Resume");
    expect(await notice()).toContain("running again");
    expect((await readCrawlState(test.db)).paused).toBe(false);
  });

  it("changes a cron expression, and is refused a bad one, which changes nothing", async () => {
    const cronOf = async (name: string) =>
      (await listJobs(test.db)).find((job) => job.name === name)?.cron;
    await go("/ops/schedule");
    const field = page.locator("#cron-feed");
    const retype = async (cron: string) => {
      await field.focus();
      await page.keyboard.press("Control+A");
      await page.keyboard.type(cron);
    };
    await retype("61 * * * *");
    const trial = page.locator("#draft-feed");
    await trial.getByText("not valid").waitFor();
    await press("Save: feed");
    expect(await notice()).toContain("Nothing was changed");
    expect(await notice()).toContain('"61" cannot be used as minute');
    expect(await field.inputValue()).toBe("61 * * * *");
    expect(await field.getAttribute("aria-invalid")).toBe("true");
    expect(await cronOf("feed")).toBe("*/5 * * * *");
    await retype("7 3 * * *");
    await trial.getByText("Next runs with this expression").waitFor();
    expect(await trial.textContent()).toContain("03:07");
    expect(await cronOf("feed")).toBe("*/5 * * * *");
    await press("Save: feed");
    expect(await notice()).toBe("Saved.");
    expect(await cronOf("feed")).toBe("7 3 * * *");
    expect(await page.locator("#runs-feed").textContent()).toContain("03:07");
  });

  it("adds, pauses, takes up and removes a keyword", async () => {
    const known = async () => (await listKeywords(test.db)).find(({ q }) => q === "umbrella");
    await go("/ops/keywords");
    await tabTo("Keyword");
    await page.keyboard.type("umbrella");
    await page.keyboard.press("Enter");
    await page.getByText("has been added").waitFor();
    expect(await known()).toMatchObject({ enabled: true, source: "ops" });
    await press("Pause: umbrella");
    expect(await known()).toMatchObject({ enabled: false });
    await press("Resume: umbrella");
    expect(await known()).toMatchObject({ enabled: true });
    await tabTo("Remove: umbrella");
    await page.keyboard.press("Enter");
    await press("Really remove: umbrella");
    expect(await notice()).toContain("has been removed");
    expect(await known()).toBeUndefined();
  });

  it("retries at once what is backing off", async () => {
    await go("/ops");
    await page.getByText("Backing off after failed calls: Products 1").waitFor();
    await page.getByRole("link", { name: "Show them" }).click();
    const row = page.locator("#backoffs tbody tr").last();
    expect(await row.textContent()).toContain("手作りの革財布 1002");
    expect(await row.textContent()).toContain("the upstream does not show it");
    expect(await page.locator("#backoffs tbody tr").count()).toBe(6);
    await press('Retry now: "手作りの革財布 1002" in 革工房');
    expect(await notice()).toBe("The next call may request it.");
    expect(await page.locator("#backoffs form").count()).toBe(0);
    expect(await countWaiting(test.db, clock.now())).toMatchObject({ product: 0 });
    await page.getByRole("link", { name: "Shops 1" }).click();
    expect(await page.locator("#backoffs tbody th").allTextContents()).toEqual([
      expect.stringContaining("shop 革工房"),
    ]);
  });

  it("B9: stops a run that was started by hand", async () => {
    const active = async () => (await readLastRuns(test.db, "discover")).active;
    await go("/ops/schedule");
    const runs = page.locator("#runs-discover");
    expect(await runs.textContent()).toContain("none yet");
    await press("Run now: discover");
    expect(await active()).toMatchObject({ trigger: "manual" });
    // Scheduled runs of a crawl that goes on all the time never end.
    expect(await runs.textContent()).not.toContain("none yet");
    await press("Stop: discover");
    expect(await notice()).toContain("has been stopped");
    expect(await active()).toBeNull();
    expect(await page.locator("#runs-discover").textContent()).toContain("stopped");
    // One that the schedule opened ends with its window.
    expect(await page.getByRole("button", { name: "Stop: revalidate" }).count()).toBe(0);
  });
});

describe("the console", () => {
  it("follows what happens without a reload, and leaves alone what is being used", async () => {
    await go("/ops");
    await page.evaluate("window.stayed = true");
    await page.locator("#budget summary").click();
    await page.locator("#crawl-state").getByText("Crawling").waitFor();
    const until_ = new Date(clock.now().getTime() + 3_600_000);
    const reason = "prices of 61% of products fell";
    const block = { ...forAll(until_), code: anomalousAnswers, failures: 1, reason };
    await setBlock(test.db, block, clock.now());
    await test.db.execute(sql`update budget_day set used = used + 1 where day = '2026-01-15'`);
    await page.locator("#crawl-state").getByText(reason).waitFor();
    expect(await page.evaluate("window.stayed")).toBe(true);
    expect(await page.locator("#budget details").getAttribute("open")).not.toBeNull();
    await press("Accept and resume");
    expect((await readCrawlState(test.db)).block).toBeNull();
  });

  it("audits what was done, by the page's own account too", async () => {
    await go("/ops/audit");
    const told = await page.locator("#audit tbody th").allTextContents();
    const { items: records } = await readAudit(test.db, { limit: 100 });
    expect(told).toHaveLength(records.length);
    expect(records.map(({ via, action, outcome }) => `${via} ${action} ${outcome}`)).toEqual([
      "console resume done",
      "console stop_job done",
      "console run_job done",
      "console retry_backoff done",
      "console remove_query done",
      "console change_query done",
      "console change_query done",
      "console add_query done",
      "console change_job done",
      "console change_job refused",
      "console resume done",
      "console pause done",
      "console sign_in done",
      "console sign_in refused",
    ]);
    expect(records[8]).toMatchObject({ subject: "feed", detail: { cron: "7 3 * * *" } });
  });

  it.each([...(inject("long") ? [[1280, "light"] as const] : []), [390, "dark"] as const])(
    "fits %d pixels, and axe finds nothing, in %s",
    async (width, colorScheme) => {
      await page.setViewportSize({ width, height: 844 });
      await page.emulateMedia({ colorScheme });
      for (const [i, path] of Object.values(tabPaths).entries()) {
        await go(`${path}?lang=${width === 390 ? "ja" : "en"}`);
        expect([path, await overflowOf(page)]).toEqual([path, expect.toSatisfy((px) => px <= 0)]);
        // The short form examines one of six pages.
        const isExamined = inject("long") || i % 6 === 0;
        expect([path, isExamined ? await violationsOf(page) : []]).toEqual([path, []]);
      }
    },
  );

  it("loads nothing from elsewhere, breaks no policy, and puts no secret into an address", () => {
    expect(complaints).toEqual([]);
    const foreign = requests.filter((url) => !url.startsWith(site.url));
    expect(foreign.filter((url) => !url.startsWith(pictures))).toEqual([]);
    expect(requests.filter((url) => /form_token|token-of/.test(url))).toEqual([]);
  });

  it("signs out", async () => {
    await page.setViewportSize({ width: 1280, height: 900 });
    await go("/ops?lang=en");
    await press("Sign out");
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toContain("Sign in");
    expect(await violationsOf(page)).toEqual([]);
    expect(await page.context().cookies(site.url)).toEqual([
      expect.objectContaining({ name: "lang" }),
    ]);
  });
});
