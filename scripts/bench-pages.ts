/**
 * Opens every kind of page in Chromium, at the width of a phone and of a desktop, each time with
 * nothing cached in the browser: without a limit of the network, and over a slow one (150 ms and
 * 1.6 Mbit/s, Lighthouse's "slow 4G"). Pictures are answered by the script and not counted. Exit
 * code 1 if a page misses an aim.
 *
 *   npx tsx scripts/bench-pages.ts [--catalog FILE | --products 20000] [--addresses 5]
 */
import type { Browser, BrowserContext } from "playwright-core";
import { countEach } from "../src/lib/collect.ts";
import { systemClock as clock } from "../src/lib/clock.ts";
import { quantileOf } from "../src/lib/quantile.ts";
import { pictureOf } from "../src/sandbox/catalogue/generate.ts";
import type { SandboxItem } from "../src/sandbox/catalogue/item.ts";
import { createSearch } from "../src/search/search.ts";
import { imageKey, imageSizes } from "../src/storefront/wire.ts";
import { createTestApi } from "../test/support/api.ts";
import { launchChromium } from "../test/support/chromium.ts";
import { measurePage, type PageMeasure } from "../test/support/page-measure.ts";
import { readArguments } from "./support/arguments.ts";
import {
  observeItems,
  spread,
  withBenchCatalogue,
  type BenchCatalogue,
} from "./support/bench-catalogue.ts";
import { saveAlert } from "./support/save-alert.ts";
import { say } from "./support/servers.ts";

const args = readArguments({ catalog: null, products: 20_000, addresses: 5 });
const aims = { largestPaintMs: 1000, layoutShift: 0.1, decodedBytes: 150_000 };
const widths = [
  { width: 390, height: 844 },
  { width: 1280, height: 900 },
];
const networks = [
  { name: "no limit", latency: 0, bytesPerSecond: -1 },
  { name: "slow 4G", latency: 150, bytesPerSecond: 200_000 },
];
const drawn =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" width="640" height="640"><path fill="#789" d="M1 1h7v7H1z"/></svg>';

interface Kind {
  name: string;
  addresses: string[];
  before?(context: BrowserContext): Promise<void>;
}

/** A recorded catalogue may have no pictures: four of five products get one. */
function withPicture(item: SandboxItem): SandboxItem {
  if (args.catalog === null || item.item_id % 5 === 0) return item;
  const sizes = imageSizes.map((size) => [imageKey(1, size), pictureOf(item.item_id, 1, size)]);
  return { ...item, images: Object.fromEntries(sizes) };
}

/** A day ago every tenth product costs a quarter less: there are price drops to show. */
async function storeDrops({ db, items }: BenchCatalogue): Promise<void> {
  const cheaper = items
    .filter(({ item_id: itemId, price }) => itemId % 10 === 0 && price > 100)
    .map((item) => ({ ...item, price: Math.round(item.price * 0.75) }));
  await observeItems(db, cheaper, { callId: 2, sentAt: clock.now() });
}

/** The words that most titles have, the most frequent first. */
function frequentWords(titles: readonly string[]): string[] {
  const words = titles.flatMap((title) => [...new Set(title.split(/\s+/))]);
  const counts = countEach(words.filter(({ length }) => length > 2));
  return [...counts].toSorted(([, a], [, b]) => b - a).map(([word]) => word);
}

function toKinds({ items, titles }: BenchCatalogue): Kind[] {
  const wanted = args.addresses;
  const ids = spread(items, wanted * 4).map(({ item_id: itemId }) => itemId);
  const words = frequentWords(titles).slice(0, wanted);
  const search = (parameters: Record<string, string>) =>
    `/?${new URLSearchParams(parameters).toString()}`;
  const alike = ids.map((_, index) => ids.slice(index, index + 4).join(","));
  const before = async (context: BrowserContext) => {
    const page = await context.newPage();
    await page.goto(`/products/${ids[0]}`);
    await saveAlert(page);
    await page.close();
  };
  return [
    { name: "home", addresses: ["/"] },
    { name: "results", addresses: [search({ q: "" }), ...words.map((q) => search({ q }))] },
    {
      name: "filtered results",
      addresses: words.map((q) =>
        search({ q, in_stock: "true", price_min: "200", sort: "price:asc" }),
      ),
    },
    { name: "product", addresses: ids.slice(0, wanted).map((itemId) => `/products/${itemId}`) },
    { name: "compare", addresses: alike.slice(0, wanted).map((of) => `/compare?items=${of}`) },
    { name: "categories", addresses: ["/categories"] },
    { name: "shops", addresses: ["/shops"] },
    { name: "price drops", addresses: ["/price-drops"] },
    { name: "alerts", addresses: ["/alerts"], before },
  ];
}

async function measureKind(
  browser: Browser,
  baseURL: string,
  kind: Kind,
  network: (typeof networks)[number],
) {
  const measured: PageMeasure[] = [];
  for (const viewport of widths) {
    const context = await browser.newContext({ baseURL, locale: "ja-JP", viewport });
    await context.route(/^https:/, (route) =>
      route.fulfill({ contentType: "image/svg+xml", body: drawn }),
    );
    await kind.before?.(context);
    for (const address of kind.addresses) {
      const page = await context.newPage();
      const session = await context.newCDPSession(page);
      await session.send("Network.emulateNetworkConditions", {
        offline: false,
        latency: network.latency,
        downloadThroughput: network.bytesPerSecond,
        uploadThroughput: network.bytesPerSecond,
      });
      const one = await measurePage(page, address);
      if (one.status !== 200) throw new Error(`${one.status} for ${address}`);
      measured.push(one);
      await page.close();
    }
    await context.close();
  }
  return measured;
}

/** Prints a row of the table; returns the aims that the pages miss. */
function report(name: string, measured: readonly PageMeasure[]): string[] {
  const all = (of: keyof PageMeasure) => measured.map((one) => one[of]);
  const median = (of: keyof PageMeasure) => quantileOf(all(of), 0.5);
  const most = (of: keyof PageMeasure) => Math.max(...all(of));
  const kB = (of: keyof PageMeasure) => (most(of) / 1000).toFixed(1);
  const cells = [
    name,
    `${Math.round(median("firstByteMs"))} / ${Math.round(most("firstByteMs"))}`,
    `${Math.round(median("largestPaintMs"))} / ${Math.round(most("largestPaintMs"))}`,
    most("layoutShift").toFixed(3),
    `${kB("transferredBytes")} / ${kB("decodedBytes")}`,
    String(most("requests")),
  ];
  say(`| ${cells.join(" | ")} |`);
  const missed = Object.entries(aims).filter(([of, aim]) => most(of as keyof typeof aims) >= aim);
  if (all("largestPaintMs").includes(0)) missed.push(["largestPaintMs", 0]);
  return missed.map(([of, aim]) => `${name}: ${of} is not below ${aim}`);
}

const { catalog: file, products } = args;
const missed = await withBenchCatalogue(
  { file, products, change: withPicture },
  async (catalogue) => {
    await storeDrops(catalogue);
    const { db, dir, engine, items } = catalogue;
    const search = createSearch({ db, searchDb: db, engine, clock });
    const site = await createTestApi(db, search).listen();
    const browser = await launchChromium(dir);
    const faults: string[] = [];
    try {
      say(`${items.length} products\n`);
      say(
        "| page | first byte, ms (p50 / most) | largest paint, ms | layout shift | kB (sent / uncompressed) | requests |",
      );
      say("| --- | --- | --- | --- | --- | --- |");
      for (const network of networks) {
        for (const kind of toKinds(catalogue)) {
          const measured = await measureKind(browser, site.url, kind, network);
          faults.push(...report(`${kind.name}, ${network.name}`, measured));
        }
      }
    } finally {
      await browser.close();
      await site.close();
    }
    return faults;
  },
);
for (const one of missed) say(one);
process.exitCode = missed.length === 0 ? 0 : 1;
