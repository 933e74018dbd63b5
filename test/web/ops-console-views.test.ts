import { sql } from "drizzle-orm";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { must } from "../../src/lib/must.ts";
import { absentEngine, clockAt, opsToken, type Served } from "../support/api.ts";
import { violationsOf } from "../support/accessibility.ts";
import { openConsole } from "../support/console-page.ts";
import { openedForAll } from "../support/opened.ts";
import { until } from "../support/until.ts";
import { itLong } from "../support/it-long.ts";

const test = openedForAll(() =>
  openConsole(
    clockAt("2026-01-15T06:20:00.000Z"),
    { locale: "en-GB", viewport: { width: 1280, height: 900 } },
    {
      searchClient: {
        ...absentEngine,
        askAnew: (queries) =>
          isEngineUp
            ? Promise.resolve({ answers: [], indexUid: "products_v1" })
            : absentEngine.askAnew(queries),
      },
    },
  ),
);
let isEngineUp = true;
let site: Served;
let page: Page;

beforeAll(async () => {
  ({ site, page } = test);
  await go("/ops");
  await page.keyboard.type(opsToken);
  await page.keyboard.press("Enter");
  await page.locator("#crawl-state").waitFor();
});

async function go(path: string): Promise<void> {
  await page.goto(`${site.url}${path}`);
}

describe("an operator with nothing but a keyboard", () => {
  itLong("stops what updates itself, also after a reload, and lets it go on", async () => {
    const other = await page.context().newPage();
    await other.clock.install();
    let asked = 0;
    other.on("request", () => (asked += 1));
    await other.goto(`${site.url}/ops`);
    const state = other.locator(".live");
    await state.getByText("Live").waitFor();
    const choice = other.getByLabel("Update by itself");
    await choice.press("Space");
    expect(await state.textContent()).toBe("Stopped");
    await other.reload({ waitUntil: "networkidle" });
    expect(await choice.isChecked()).toBe(false);
    expect(await state.textContent()).toBe("Stopped");
    asked = 0;
    await other.clock.fastForward("00:01:00");
    expect(asked).toBe(0);
    await choice.press("Space");
    await state.getByText("Live").waitFor();
    // A slow answer is waited for: another question would make it slower, and throw it away.
    const held: (() => void)[] = [];
    await other.route(`${site.url}/ops`, async (route) => {
      await new Promise<void>((resolve) => held.push(resolve));
      await route.continue();
    });
    const tick = async () => {
      await other.clock.runFor("00:00:05");
      // What it has asked is held before this later request is answered.
      await other.evaluate("fetch('/healthz')");
      return held.length;
    };
    expect(await tick()).toBe(1);
    expect(await tick()).toBe(1);
    held[0]?.();
    await expect.poll(tick).toBe(2);
    held[1]?.();
    await other.close();
  });

  itLong(
    "reads why a page cannot be shown, one line below the other, and goes on to another tab",
    async () => {
      await go("/ops/nothing-here");
      const boxes = ["h1", "h1 + p"].map((one) => page.locator(one).boundingBox());
      const [heading, text] = await Promise.all(boxes);
      expect(must(text, "the text").y).toBeGreaterThanOrEqual(
        must(heading, "the heading").y + must(heading, "the heading").height,
      );
      expect(await violationsOf(page)).toEqual([]);
      await page.getByRole("link", { name: "Keywords" }).press("Enter");
      await page.getByRole("heading", { level: 1, name: "Keywords" }).waitFor();
    },
  );

  it("shows what visitors missed and whether it is a keyword", async () => {
    await go("/ops/keywords");
    const missed = page.getByRole("region", { name: "Searches without results" });
    expect(await missed.locator("h3").allTextContents()).toEqual(["<b>燭台</b>", "がま口"]);
    expect(await missed.locator(".tag").allTextContents()).toEqual(["To be proposed", "In use"]);
  });

  itLong("asks what another budget would do, without a reload", async () => {
    await go("/ops/plan");
    const whatIf = page.locator(".what-if-figure dd");
    await whatIf.waitFor();
    const slider = page.locator("#calls-per-day");
    const least = await slider.getAttribute("min");
    await slider.focus();
    await page.keyboard.press("Home");
    await until(async () => new URL(page.url()).searchParams.get("calls_per_day") === least, {
      what: "the request in the address",
    });
    await until(async () => (await whatIf.textContent())?.includes("−") ?? false, {
      what: "another forecast",
    });
    expect(await page.locator("output").textContent()).toBe(least);
    const values = await page.locator("#next-calls td.number").allInnerTexts();
    expect(values).toContainEqual(expect.stringMatching(/^0\.0*[1-9]/));
    expect(values).not.toContain("0");
  });
});

describe("the console", () => {
  it("has the focus on what an action brought, also beside its job", async () => {
    await go("/ops/schedule");
    await page.locator("#job-feed").getByRole("button", { name: "Save" }).click();
    await page.waitForURL(/#job-feed$/);
    await page.waitForLoadState("networkidle");
    expect(await page.locator("[data-notice]:focus").textContent()).toContain("Saved");
  });

  it("names the fields of a form in what it refuses, each fault once", async () => {
    const refused = () => page.locator("[data-notice] li").allInnerTexts();
    await go("/ops/schedule");
    const job = page.locator("#job-feed");
    await job.locator("summary").first().click();
    await job.locator("[name='settings.weight']").fill("101");
    await page.fill("#cron-feed", "61 * * * *");
    await job.getByRole("button", { name: "Save" }).click();
    await page.waitForURL(/\/ops\/schedule#job-feed$/);
    await page.locator("[data-notice]").waitFor();
    expect(await refused()).toEqual([
      '"61" cannot be used as minute (0 to 59)',
      "Weight against other jobs: must be from 0 to 100",
    ]);
    await go("/ops/keywords");
    await page.getByLabel("Keyword", { exact: true }).fill(" ");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.locator("[data-notice]").waitFor();
    expect(await refused()).toEqual([expect.stringMatching(/^Keyword: must be a text of 1 to/)]);
    await go("/ops/keys");
    await page.getByLabel("Name").fill("shop");
    await page.getByLabel("Allowed origins").fill("no origin");
    await page.getByRole("button", { name: "Create" }).click();
    await page.locator("[data-notice]").waitFor();
    expect(await refused()).toEqual([
      expect.stringMatching(/^Allowed origins: “no” must be/),
      expect.stringMatching(/^Allowed origins: “origin” must be/),
    ]);
  });

  it("says when a keyword was last checked, also if its list was not read to the end", async () => {
    const shown = async (error: string | null) => {
      await test.db.execute(sql`
        update crawl_query set asked_at = '2026-01-15T06:15:00Z', last_error = ${error} where id = 1`);
      await go("/ops/keywords");
      return page.locator("#keyword-1 dd").last().innerText();
    };
    expect(await shown(null)).toBe("5 minutes ago");
    expect(await shown("search_error")).toBe("never");
  });

  it("removes ticked keywords only after a second press, and says in words which rows are to be ticked", async () => {
    await go("/ops/keywords");
    const removal = page.locator("form[action$='/change'] button[value=remove]");
    expect(await removal.isVisible()).toBe(false);
    await page.locator("form[action$='/change'] summary").press("Enter");
    expect(await removal.innerText()).toBe("Really remove");
    await page.locator("form[action$='/change'] button[value=disable]").click();
    expect(await page.locator("[data-notice] li").innerText()).toBe("select at least one keyword");
  });

  itLong("has its current tab in sight on a phone", async () => {
    await page.setViewportSize({ width: 390, height: 800 });
    for (const path of ["/ops", "/ops/matches", "/ops/audit"]) {
      await go(path);
      const box = await page.locator(".tabs [aria-current]").boundingBox();
      expect([path, box && box.x >= 0 && box.x + box.width <= 390]).toEqual([path, true]);
    }
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  it("has no column of a table so narrow on a phone that Japanese stands in it one below the other", async () => {
    await page.setViewportSize({ width: 390, height: 800 });
    for (const path of ["/ops/audit", "/ops/mirror"]) {
      await go(`${path}?lang=ja`);
      const narrowest = await page.evaluate<number>(
        `Math.min(...[...document.querySelectorAll(".wide td, .wide th")]
          .filter((cell) => cell.textContent.trim().length > 3)
          .map((cell) => cell.offsetWidth))`,
      );
      expect([path, narrowest > 40]).toEqual([path, true]);
    }
    await go("/ops/matches");
    const links = page.locator(".wide td:has(> a + a)");
    const height = (await links.first().boundingBox())?.height ?? Infinity;
    expect([(await links.first().locator("a").count()) >= 5, height < 70]).toEqual([true, true]);
    await page.setViewportSize({ width: 1280, height: 900 });
    await go("/ops?lang=en");
  });

  it("offers to clear filters only where some are set, and quotes keywords as its language does", async () => {
    const clear = page.getByRole("link", { name: "Clear the filters" });
    await go("/ops/calls?purpose=discovery");
    expect(await clear.count()).toBe(1);
    expect(await page.locator("main").innerText()).toContain('"革財布"');
    await clear.click();
    expect(new URL(page.url()).search).toBe("");
    expect(await clear.count()).toBe(0);
  });

  it("says that searches are answered from the database while they are", async () => {
    const told = async () => {
      await go("/ops/mirror");
      return (await page.locator("#mirror").innerText()).includes("answered from the database");
    };
    expect(await told()).toBe(false);
    isEngineUp = false;
    expect(await told()).toBe(true);
    isEngineUp = true;
    expect(await told()).toBe(false);
  });

  it("shows raw text of quarantined items as text", async () => {
    await go("/ops/mirror");
    await page.locator(".quarantine details:has(pre) > summary").last().click();
    expect(await page.locator(".quarantine pre").last().textContent()).toContain(
      "<img src=x onerror=alert(1)>",
    );
    expect(await page.locator(".quarantine img").count()).toBe(0);
    expect(await page.locator("#dead-letters").textContent()).toContain("invalid_document_fields");
  });
});
