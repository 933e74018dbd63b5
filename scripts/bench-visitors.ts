/**
 * What visitors can do to one process and to each other: the memory of an API process that answers
 * `--searches` different searches of 100 hits over products with 5 kB of text each, and the p50 of
 * ordinary searches with and without 8 clients that send the heaviest allowed requests. The API is a
 * process of its own, like `kurabe api`; the load comes from this one.
 *
 *   npx tsx scripts/bench-visitors.ts [--products 5000] [--searches 10000] [--seconds 15]
 */
import { countEach } from "../src/lib/collect.ts";
import { systemClock as clock } from "../src/lib/clock.ts";
import { must } from "../src/lib/must.ts";
import { createRandom } from "../src/lib/random.ts";
import type { SandboxItem } from "../src/sandbox/catalogue/item.ts";
import { mostWork } from "../src/api/instantsearch/request/bounds.ts";
import { readArguments } from "./support/arguments.ts";
import { quantileOf } from "../src/lib/quantile.ts";
import { withBenchCatalogue } from "./support/bench-catalogue.ts";
import { startBenchApi } from "./support/bench-api-process.ts";
import { residentMiB, watchMemory } from "./support/resident-memory.ts";
import { wordsOf } from "./support/search-load.ts";
import { print } from "./support/servers.ts";

const options = readArguments({ products: 5000, searches: 10_000, seconds: 15, clients: 8 });
const detailChars = 1700; // 5 kB of UTF-8

/** Runs `next` in so many clients at once until it returns null; returns the durations in order. */
async function load(clients: number, next: () => Promise<Response> | null): Promise<Sent[]> {
  const sent: Sent[] = [];
  const client = async () => {
    for (;;) {
      const atMs = clock.monotonicMs();
      const asked = next();
      if (asked === null) return;
      const answer = await asked;
      const { byteLength } = await answer.arrayBuffer();
      sent.push({ ms: clock.monotonicMs() - atMs, status: answer.status, bytes: byteLength });
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return sent;
}

interface Sent {
  ms: number;
  status: number;
  bytes: number;
}

function summary(sent: readonly Sent[]): { p50_ms: number; p95_ms: number; requests: number } {
  const times = sent.map(({ ms }) => ms);
  return {
    p50_ms: quantileOf(times, 0.5),
    p95_ms: quantileOf(times, 0.95),
    requests: sent.length,
  };
}

function countStatuses(sent: readonly Sent[]): Record<string, number> {
  return Object.fromEntries(countEach(sent.map(({ status }) => status)));
}

/** The memory after many searches that no cache can answer. */
async function benchMemory(url: string, pid: number): Promise<void> {
  const idleMiB = await residentMiB(pid);
  let n = 0;
  const search = () => {
    if (n >= options.searches) return null;
    n += 1;
    // Another page and other products each time.
    const page = 1 + (n % 50);
    return fetch(`${url}/v1/products?per_page=100&page=${page}&price_max=${1_000_000 + n}`);
  };
  const most = watchMemory(pid);
  const sent = await load(options.clients, search);
  const highestMiB = await most();
  print({
    measured: "memory",
    statuses: countStatuses(sent),
    answer_bytes: Math.round(sent.reduce((sum, { bytes }) => sum + bytes, 0) / sent.length),
    idle_mib: Math.round(idleMiB),
    highest_mib: Math.round(highestMiB),
  });
}

const largePage = (n: number) =>
  `/v1/products?q=${encodeURIComponent("手作りの")}&per_page=100&page=${1 + (n % 90)}&facets=shop_id,category,price,in_stock`;

const kinds = {
  "multi-search": (url: string, n: number) =>
    fetch(`${url}/meili/multi-search`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        queries: Array.from({ length: mostWork.queries }, (_, i) => ({
          indexUid: "products",
          q: "手作りの",
          // Fewer than are allowed: with fully highlighted texts the answer would be too large.
          limit: 20,
          offset: (n + i) % 900,
          attributesToHighlight: ["*"],
          facets: ["shop_id", "categories", "price"],
          filter: Array.from({ length: 25 }, (_, j) => `price < ${1_000_000 + n + j}`),
        })),
      }),
    }),
  "large pages": (url: string, n: number) =>
    fetch(`${url}${largePage(n)}&price_max=${2_000_000 + n}`),
  "grouped searches": (url: string, n: number) =>
    fetch(`${url}${largePage(n)}&price_max=${3_000_000 + n}&group=gtin`),
  lookups: (url: string, n: number) =>
    fetch(`${url}/v1/products/lookup`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ item_ids: Array.from({ length: 200 }, (_, i) => n + i + 1) }),
    }),
};

/** Ordinary searches, alone and beside the heaviest requests of each kind. */
async function benchLanes(url: string, words: readonly string[]): Promise<void> {
  const random = createRandom(5);
  let asked = 0;
  const ordinary = (endsMs: number) => () => {
    if (clock.monotonicMs() >= endsMs) return null;
    asked += 1;
    const q = encodeURIComponent(random.pick(words));
    return fetch(`${url}/v1/products?q=${q}&price_max=${500_000 + asked}`);
  };
  const measure = async () => load(2, ordinary(clock.monotonicMs() + options.seconds * 1000));
  await measure();
  for (const [kind, heaviest] of Object.entries(kinds)) {
    const alone = summary(await measure());
    let isOver = false;
    let n = 0;
    const heavy = load(options.clients, () => (isOver ? null : heaviest(url, (n += 1))));
    const beside = await measure();
    isOver = true;
    const heavySent = await heavy;
    const { p50_ms, p95_ms } = summary(beside);
    print({
      beside: kind,
      alone_p50_ms: alone.p50_ms,
      p50_ms,
      p95_ms,
      times: Number((p50_ms / alone.p50_ms).toFixed(2)),
      ordinary: countStatuses(beside),
      heavy: { ...countStatuses(heavySent), ...summary(heavySent) },
    });
  }
}

const random = createRandom(11);
const letters = Array.from("手作革財布鞄帆木綿絹麻青赤白黒銀器皿茶碗花瓶のでにをはとやも");
const withText = (item: SandboxItem) => ({
  ...item,
  detail: `手作りの${Array.from({ length: detailChars }, () => random.pick(letters)).join("")}`,
});
const { products } = options;
await withBenchCatalogue({ file: null, products, change: withText }, async (catalogue) => {
  const words = catalogue.titles.flatMap(wordsOf);
  const api = await startBenchApi(catalogue);
  const pid = must(api.child.pid, "a process");
  print({ products, clients: options.clients, cache_mib: 64 });
  if (options.searches > 0) await benchMemory(api.url, pid);
  await benchLanes(api.url, words);
  print({ measured: "memory", after: "all", mib: Math.round(await residentMiB(pid)) });
  api.child.kill();
});
