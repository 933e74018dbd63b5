/**
 * Searches of `GET /v1/products` over one, two and four search hosts (two copies), with nothing
 * remembered and with everything, beside Meilisearch itself with all documents; then a host of the four is
 * killed several times under a steady load of `--pace` searches a second. All hosts share this machine, so
 * the figures show what asking several hosts costs, not what several machines gain.
 *
 *   npx tsx scripts/bench-hosts.ts [--catalog FILE | --products 20000] [--seconds 8] [--connections 8]
 *     [--rounds 3] [--pace 40] [--kills 8]
 */
import { join } from "node:path";
import { sql } from "drizzle-orm";
import type { Db } from "../src/db/open.ts";
import { countEach } from "../src/lib/collect.ts";
import { systemClock as clock } from "../src/lib/clock.ts";
import { must } from "../src/lib/must.ts";
import { createHostMirrors, enginesByUrl } from "../src/search/cluster/host-mirrors.ts";
import { createEngine } from "../src/search/engine/engine.ts";
import { bucketCount } from "../src/search/index/bucket.ts";
import { openMoreSearchHosts, type MoreSearchHost } from "../test/support/more-search-hosts.ts";
import { readArguments } from "./support/arguments.ts";
import { startBenchApi } from "./support/bench-api-process.ts";
import { withBenchCatalogue } from "./support/bench-catalogue.ts";
import { quantileOf } from "../src/lib/quantile.ts";
import { measure, toApiTarget, toRawTarget, zipfMix, type Figures } from "./support/search-load.ts";
import { logger, print } from "./support/servers.ts";

const args = readArguments({
  catalog: null,
  products: 20_000,
  seconds: 8,
  connections: 8,
  rounds: 3,
  pace: 40,
  kills: 8,
});
const load = { connections: args.connections, seconds: args.seconds };
/** Indexes of their own: the only host's stays, for Meilisearch itself. */
const indexPrefix = "benchv";
const copies = 2;

/** Fills these hosts; resolves when every bucket has its copies and every change is searchable. */
async function place(db: Db, urls: readonly string[], apiKey: string): Promise<void> {
  const engineOf = enginesByUrl([], (host) =>
    createEngine({ host, apiKey, clock, writeTimeoutMs: 60_000 }),
  );
  const options = { db, clock, logger, engineOf, urls, copies, indexPrefix };
  const mirrors = createHostMirrors({ ...options, leaveAfterMs: 3000, everyMs: 250 });
  const running = new AbortController().signal;
  for (;;) {
    const pauseMs = await mirrors.step(running);
    const [row] = await db.execute<{ is_placed: boolean }>(sql`
      select (select count(*) from search_placement) = ${copies * bucketCount}
        and not exists (select from search_placement where state <> 'serving')
        and not exists (select from mirror join mirror_index using (index_uid)
          where desired_version > indexed_version and state = 'serving') as is_placed`);
    if (row?.is_placed) break;
    await clock.sleep(pauseMs);
  }
  await mirrors.release();
}

/** Sends searches at a steady pace and kills hosts meanwhile, each well before the next. */
async function killUnderLoad(
  url: string,
  searches: readonly string[],
  hosts: readonly MoreSearchHost[],
): Promise<void> {
  const answers: { atMs: number; ms: number; engine: string }[] = [];
  const sent: Promise<void>[] = [];
  const search = async (q: string) => {
    const atMs = clock.monotonicMs();
    const engine = await fetch(`${url}/v1/products?q=${encodeURIComponent(q)}`).then(
      async (answer) =>
        answer.ok ? ((await answer.json()) as { engine: string }).engine : String(answer.status),
      () => "no answer",
    );
    answers.push({ atMs, ms: clock.monotonicMs() - atMs, engine });
  };
  const kills: number[] = [];
  const startedMs = clock.monotonicMs();
  const everyMs = 1000 / args.pace;
  const killEveryMs = 10_000;
  const end = killEveryMs * (args.kills + 1);
  for (let i = 0; i * everyMs < end; i += 1) {
    await clock.sleep(Math.max(0, startedMs + i * everyMs - clock.monotonicMs()));
    sent.push(search(must(searches[i % searches.length], "a search")));
    if (clock.monotonicMs() - startedMs > killEveryMs * (kills.length + 1)) {
      const host = must(hosts[kills.length % hosts.length], "a host");
      kills.push(clock.monotonicMs());
      sent.push(host.kill("kept"));
    }
  }
  await Promise.all(sent);
  const isAfterKill = ({ atMs }: { atMs: number }) =>
    kills.some((killMs) => atMs >= killMs && atMs < killMs + 1000);
  // A host is started again within 2 s, and reads its index.
  const isUsual = ({ atMs }: { atMs: number }) =>
    kills.some((killMs) => atMs >= killMs - 3000 && atMs < killMs);
  const timesOf = (some: typeof answers) => some.map(({ ms }) => ms);
  const usual = timesOf(answers.filter(isUsual));
  const after = timesOf(answers.filter(isAfterKill));
  print({
    kills: kills.length,
    searches: answers.length,
    answered_by: Object.fromEntries(countEach(answers.map(({ engine }) => engine))),
    usual_p50_ms: quantileOf(usual, 0.5),
    usual_p99_ms: quantileOf(usual, 0.99),
    first_second_p50_ms: quantileOf(after, 0.5),
    first_second_p99_ms: quantileOf(after, 0.99),
  });
}

await withBenchCatalogue({ file: args.catalog, products: args.products }, async (catalogue) => {
  const { db, titles, dir, meili } = catalogue;
  const zipf = zipfMix(titles, 200_000);
  const raw = toRawTarget(catalogue);
  const dirs = [2, 3, 4].map((nth) => join(dir, `search-${nth}`));
  const more = await openMoreSearchHosts(dirs, { apiKey: meili.apiKey, logger });
  const urls = [meili.host, ...more.map(({ url }) => url)];
  print({ products: titles.length, ...load, copies });
  for (const count of [1, 2, 4]) {
    if (count > 1) await place(db, urls.slice(0, count), meili.apiKey);
    const hosts: Record<string, string> = count > 1 ? { BENCH_SEVERAL_HOSTS: indexPrefix } : {};
    const uncached = await startBenchApi(catalogue, { ...hosts, BENCH_FORGETFUL: "1" });
    const remembering = await startBenchApi(catalogue, hosts);
    const targets = [
      raw,
      toApiTarget("nothing remembered", uncached.url),
      toApiTarget("remembered", remembering.url),
    ];
    for (const target of targets) await measure(target, zipf.slice(-5000), load);
    const words = [...new Set(zipf)];
    await measure(must(targets[2], "a target"), words, { ...load, most: words.length });
    const figures = targets.map((): Figures[] => []);
    for (let round = 0; round < args.rounds; round += 1) {
      for (const [i, target] of targets.entries()) {
        figures[i]?.push(await measure(target, zipf, load));
      }
    }
    const median = (i: number, of: keyof Figures) =>
      quantileOf(
        must(figures[i], "a target").map((figure) => figure[of]),
        0.5,
      );
    for (const [i, { name }] of targets.entries()) {
      const pace = median(i, "requests_per_s");
      print({
        hosts: count,
        target: name,
        requests_per_s: pace,
        over_raw: Number((pace / median(0, "requests_per_s")).toFixed(2)),
        p50_ms: median(i, "p50_ms"),
        p99_ms: median(i, "p99_ms"),
      });
    }
    if (count === 4) await killUnderLoad(uncached.url, zipf, more);
    for (const { child } of [uncached, remembering]) child.kill();
  }
  await Promise.all(more.map((host) => host.close()));
});
