import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { sql } from "drizzle-orm";
import { readDecisions } from "../../src/matching/review/decisions.ts";
import { categoryReasons } from "../../src/matching/comparing/estimates.ts";
import { messages } from "../../src/web/ops/messages/messages.ts";
import { clockAt, opsToken, createTestApi, type Served } from "../support/api.ts";
import { closeContexts, openChromium } from "../support/chromium.ts";
import { storePair, storeTitles } from "../support/matches.ts";
import { openedForAll } from "../support/opened.ts";
import { createTestDb } from "../support/postgres.ts";
import { itLong } from "../support/it-long.ts";

const { en, ja } = messages;
const clock = clockAt("2026-01-15T06:20:00.000Z");
const test = openedForAll(createTestDb);
let site: Served;
let browser: Browser;

beforeAll(async () => {
  await storeTitles(
    test.db,
    ["Sony WH-1000XM5 <b>黒</b>", 40_000],
    ["ＳＯＮＹ wh-1000xm5 ヘッドホン", 20_000],
    ["Sony WH-1000XM4", 19_000],
    ["革の財布", 18_900],
  );
  await test.db.execute(sql`
    insert into match_category (category, threshold, is_linked, reason, precision_by_codes, labelled_pairs, model_version, estimated_at)
    values ('手芸', 0.8, false, ${categoryReasons.refusedByCodes}, 0.71, 130, 1, ${clock.now().toISOString()})`);
  site = await createTestApi(test.db, { clock }).listen();
  browser = await openChromium(inject("runDir"));
});
afterAll(async () => {
  await closeContexts(browser);
  await site.close();
});
beforeEach(async () => {
  await test.db.execute(sql`truncate match_decision, match_due`);
  await test.db.execute(sql`
    update match_head set next_model = null, next_after_id = null, regrouped_after_id = null`);
  await test.db.execute(sql`delete from match_pair`);
  await storePair(test.db, 1, 2, { vetoes: ["pack"] });
  await storePair(test.db, 2, 3);
  await storePair(test.db, 3, 4);
});

const decided = async () =>
  (await readDecisions(test.db, { limit: 10 })).items.map(({ a, b, decision }) => [
    a.itemId,
    b.itemId,
    decision,
  ]);
const notice = (page: Page) => page.locator("[data-notice]").innerText();

/** Opens the page of matches as an operator who has just signed in. */
async function enter(options: { locale: string; javaScriptEnabled?: boolean }): Promise<Page> {
  const page = await browser.newPage(options);
  await page.goto(`${site.url}/ops/matches`);
  await page.fill("#token", opsToken);
  await page.keyboard.press("Enter");
  await page.locator("#review").waitFor();
  // Its script, which listens to keys, has run by then.
  await page.waitForLoadState("load");
  return page;
}

async function pressKey(page: Page, key: string): Promise<void> {
  const arrived = page.waitForEvent("load");
  await page.keyboard.press(key);
  await arrived;
}

describe("the matches in the console", () => {
  const models = [
    {
      state: "next_model = 2, next_after_id = 2",
      words: {
        en: en.matches.modelJudges(1, 2, "50.0%"),
        ja: ja.matches.modelJudges(1, 2, "50.0%"),
      },
    },
    {
      state: "next_model = null",
      words: { en: en.matches.modelInUse(1), ja: ja.matches.modelInUse(1) },
    },
    {
      state: "regrouped_after_id = 1",
      words: { en: en.matches.modelRegroups(1, "25.0%"), ja: ja.matches.modelRegroups(1, "25.0%") },
    },
  ];
  it.each(inject("long") ? models : models.slice(0, 1))(
    "tell how far another model is ($state)",
    async ({ state, words }) => {
      await test.db.execute(sql`
      insert into match_item (item_id, shop_id, codes, words, models, couples, version, steps)
      values (4, 'shop-4', '{}', '{}', '{}', '{}', 1, '{}') on conflict do nothing`);
      await test.db.execute(sql`update match_head set ${sql.raw(state)}`);
      const told = [
        ["en-GB", words.en],
        ["ja-JP", words.ja],
      ] as const;
      for (const [locale, said] of inject("long") ? told : told.slice(1)) {
        const page = await enter({ locale });
        expect(await page.locator("#model").innerText()).toBe(said);
        await page.close();
      }
    },
  );

  it("show two products side by side, with the words that differ and the reasons", async () => {
    const page = await enter({ locale: "en-GB" });
    const [left, right] = await page.locator(".pair .side").all();
    expect(await left?.locator("h3").innerText()).toBe("Sony WH-1000XM5 <b>黒</b>");
    expect(await left?.locator("mark").allInnerTexts()).toEqual(["b", "黒", "b"]);
    expect(await right?.locator("mark").allInnerTexts()).toEqual(["ヘッドホン"]);
    const [speaksFor, against] = await page.locator(".pair .reasons").allInnerTexts();
    expect(speaksFor).toContain(en.matches.nothing);
    expect(against).toContain("¥40,000 / ¥20,000");
    expect(against).toContain(en.matches.about.pack);
    expect(await page.locator("#categories tbody").innerText()).toMatch(/手芸.*71\.0%.*130/s);
    await page.close();
  });

  it("are decided with one key each, and none meets the next pair", async () => {
    const page = await enter({ locale: "en-GB" });
    await pressKey(page, "d");
    expect(await notice(page)).toBe(en.done.match_decided);
    await pressKey(page, "S");
    await pressKey(page, "u");
    expect(await decided()).toEqual([
      [3, 4, "unsure"],
      [2, 3, "same"],
      [1, 2, "different"],
    ]);
    expect(await page.locator("#review").innerText()).toContain(en.matches.none);
    await page.close();
  });

  itLong("tell an operator of an old page what another has decided, which stands", async () => {
    const old = await enter({ locale: "en-GB" });
    const page = await enter({ locale: "en-GB" });
    await pressKey(page, "d");
    await pressKey(old, "s");
    expect(await notice(old)).toContain(en.refused.decision_stands);
    expect(await old.locator("#decisions").innerText()).toContain(
      en.matches.decisionNames.different,
    );
    expect(await decided()).toEqual([[1, 2, "different"]]);
    await Promise.all([old.close(), page.close()]);
  });

  itLong("take no key once the keys are switched off, also after a reload", async () => {
    const page = await enter({ locale: "en-GB" });
    await page.getByLabel(en.matches.keys).uncheck();
    await page.keyboard.press("s");
    await page.reload();
    expect(await page.getByLabel(en.matches.keys).isChecked()).toBe(false);
    await page.keyboard.press("s");
    expect(await decided()).toEqual([]);
    await page.close();
  });

  itLong("can be put off, decided and undone without scripts, in Japanese", async () => {
    const page = await enter({ locale: "ja-JP", javaScriptEnabled: false });
    await page.getByRole("link", { name: ja.matches.later }).click();
    expect(await page.locator(".pair .side").first().innerText()).not.toContain("XM5 <b>");
    await page.getByRole("link", { name: ja.matches.first }).click();
    await page.getByRole("button", { name: ja.matches.different, exact: true }).click();
    expect(await notice(page)).toBe(ja.done.match_decided);
    expect(await decided()).toEqual([[1, 2, "different"]]);
    await page.getByRole("button", { name: ja.matches.undo }).click();
    expect(await notice(page)).toBe(ja.done.match_undone);
    expect((await decided())[0]).toEqual([1, 2, "undone"]);
    expect(await page.locator(".pair .side").first().innerText()).toContain("XM5 <b>");
    expect(await page.locator("#categories").innerText()).toContain(
      ja.matches.reasons[categoryReasons.refusedByCodes],
    );
    await page.close();
  });
});
