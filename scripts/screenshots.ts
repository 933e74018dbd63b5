/**
 * Takes the README's pictures: a catalogue like the sandbox's with a history, the whole site,
 * and real Chromium. The pictures of the products are those that the sandbox draws.
 *
 *   npx tsx scripts/screenshots.ts [--out infra/screenshots]
 */
import { mkdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { migrateDb } from "../src/db/migrate.ts";
import { systemClock as clock } from "../src/lib/clock.ts";
import { must } from "../src/lib/must.ts";
import type { SandboxItem } from "../src/sandbox/catalogue/item.ts";
import { drawPicture } from "../src/sandbox/catalogue/pictures.ts";
import { createSearch } from "../src/search/search.ts";
import { clockAt, opsToken, createTestApi } from "../test/support/api.ts";
import { launchChromium } from "../test/support/chromium.ts";
import { storeOpsPast } from "../test/support/console.ts";
import { readArguments } from "./support/arguments.ts";
import { withBenchCatalogue, type BenchCatalogue } from "./support/bench-catalogue.ts";
import { followedOf, storePast } from "./support/screenshot-catalogue.ts";
import { saveAlert } from "./support/save-alert.ts";
import { openScriptDb } from "./support/servers.ts";

const args = readArguments({ out: "infra/screenshots" });
const products = 900;
const wide = { width: 1280, height: 900 };
const tall = { width: 1280, height: 1500 };
const narrow = { width: 390, height: 844 };

interface Shot {
  name: string;
  path: string;
  viewport: { width: number; height: number };
  dark?: boolean;
  before?(page: Page): Promise<unknown>;
}

async function takeAll(
  browser: Browser,
  url: string,
  shots: readonly Shot[],
  pictures: (url: string) => string,
) {
  const font = await japaneseFont();
  for (const shot of shots) {
    const context = await browser.newContext({
      bypassCSP: true,
      locale: "ja-JP",
      viewport: shot.viewport,
      colorScheme: shot.dark ? "dark" : "light",
      reducedMotion: "reduce",
    });
    await context.addInitScript(font);
    const page = await context.newPage();
    await page.route("https://img.example.com/**", (route) =>
      route.fulfill({ contentType: "image/svg+xml", body: pictures(route.request().url()) }),
    );
    await page.goto(`${url}${shot.path}`);
    await shot.before?.(page);
    await page.evaluate("document.fonts.ready.then(() => {})");
    await page.waitForLoadState("networkidle");
    await page.evaluate(
      "new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)))",
    );
    await page.screenshot({ path: join(args.out, `${shot.name}.png`) });
    await context.close();
  }
}

/**
 * A script that loads the font: the machine may have no Japanese one, and the pages name those of their readers.
 * The package has the arrow of links to shops in a file of its own.
 */
async function japaneseFont(): Promise<string> {
  const require = createRequire(import.meta.url);
  const sheet = require.resolve("@fontsource/noto-sans-jp/400.css");
  const faces = ["58-400", "58-700", "japanese-400", "japanese-700"].map(async (name) => {
    const file = join(dirname(sheet), "files", `noto-sans-jp-${name}-normal.woff2`);
    const source = `url(data:font/woff2;base64,${await readFile(file, "base64")})`;
    return { source, weight: name.slice(-3) };
  });
  return `for (const { source, weight } of ${JSON.stringify(await Promise.all(faces))}) {
    const face = new FontFace("Noto Sans JP", source, { weight });
    document.fonts.add(face);
    void face.load();
  }`;
}

/** Without half-width letters, which the font has not. */
function inFullWidth(item: SandboxItem): SandboxItem {
  const [title, shop_name] = [item.title.normalize("NFKC"), item.shop_name.normalize("NFKC")];
  return { ...item, title, shop_name };
}

/** A reduced product whose first barcode other products share. */
function toCompare(items: readonly SandboxItem[]): SandboxItem {
  const barcodeOf = (item: SandboxItem) => item.variations.find(({ barcode }) => barcode)?.barcode;
  const sharing = (item: SandboxItem) =>
    items.filter((other) => barcodeOf(other) === barcodeOf(item)).length;
  const ranked = items
    .filter((item) => barcodeOf(item) && item.proper_price !== null)
    .toSorted((a, b) => Math.abs(sharing(a) - 3) - Math.abs(sharing(b) - 3));
  return must(ranked[0], "a product to compare");
}

const opsShots: readonly Shot[] = [
  { name: "ops", path: "/ops", viewport: { width: 1280, height: 1180 }, before: signIn },
  { name: "ops-schedule", path: "/ops/schedule", viewport: wide, before: signIn },
  { name: "ops-narrow", path: "/ops", viewport: narrow, dark: true, before: signIn },
];

async function signIn(page: Page): Promise<void> {
  await page.fill("#token", opsToken);
  await page.keyboard.press("Enter");
  await page.locator("#crawl-state").waitFor();
}

/** The console with a database of its own, on a day that shows something of everything. */
async function openOps(databaseUrl: string): Promise<{ url: string; close(): Promise<void> }> {
  const url = new URL(databaseUrl);
  const outer = openScriptDb(databaseUrl);
  await outer.db.execute("create database ops_pictures");
  await outer.close();
  url.pathname = "ops_pictures";
  await migrateDb(url.href);
  const { db, close } = openScriptDb(url.href);
  const afternoon = clockAt("2026-01-15T06:20:00.000Z");
  await storeOpsPast(db, afternoon.now());
  const site = await createTestApi(db, { clock: afternoon }).listen();
  return {
    url: site.url,
    async close() {
      await site.close();
      await close();
    },
  };
}

async function run({ dir, databaseUrl, db, engine, items }: BenchCatalogue): Promise<void> {
  await mkdir(args.out, { recursive: true });
  const site = await createTestApi(db, createSearch({ db, searchDb: db, engine, clock })).listen();
  const browser = await launchChromium(dir);
  const ops = await openOps(databaseUrl);
  const followed = followedOf(items);
  const compared = toCompare(followed);
  const alike = followed
    .filter(({ categories }) => categories[0] === compared.categories[0])
    .slice(0, 3)
    .map((item) => item.item_id);
  const product = `/products/${compared.item_id}`;
  const search = `/?${new URLSearchParams({ q: "陶器", in_stock: "true" }).toString()}`;
  try {
    await takeAll(
      browser,
      site.url,
      [
        { name: "search", path: search, viewport: wide },
        { name: "home", path: "/", viewport: wide },
        { name: "search-dark", path: "/?q=", viewport: wide, dark: true },
        { name: "search-narrow", path: search, viewport: narrow },
        { name: "product", path: product, viewport: { width: 1280, height: 2000 } },
        { name: "compare", path: `/compare?items=${alike.join(",")}`, viewport: tall },
        { name: "compare-narrow", path: `/compare?items=${alike.join(",")}`, viewport: narrow },
        { name: "price-drops", path: "/price-drops", viewport: wide },
        { name: "categories", path: "/categories", viewport: wide },
        { name: "alerts", path: product, viewport: wide, before: saveAlert },
      ],
      (url) => {
        const [, itemId, slot] = /\/(\d+)\/(\d)\//.exec(url) ?? [];
        const item = items.find((one) => one.item_id === Number(itemId));
        return item ? drawPicture(item, Number(slot), 640) : "";
      },
    );
    await takeAll(browser, ops.url, opsShots, () => "");
  } finally {
    await browser.close();
    await site.close();
    await ops.close();
  }
}

const past = (databaseUrl: string) => storePast(databaseUrl, products);
await withBenchCatalogue({ file: null, products, change: inFullWidth }, run, past);
