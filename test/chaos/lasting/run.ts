import { chmod, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEmbedded } from "../../../src/embedded/open.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { createLogger } from "../../../src/lib/logger.ts";
import { must } from "../../../src/lib/must.ts";
import { fastPostgres } from "../../support/fast-postgres.ts";
import { killBelow } from "../../support/kill-below.ts";
import { serviceCases } from "./all-cases.ts";
import { holds, matches, type Figure, type Verdict } from "./case.ts";
import { crawlCases } from "./crawl-cases.ts";
import { createCrawlRuns } from "./crawl-run.ts";
import { openDatabases } from "./databases.ts";
import { playServiceCase } from "./service-run.ts";
import { openSite } from "./site.ts";
import { progressLine, toTable } from "./table.ts";

export interface LastingOptions {
  seed: number;
  /** Only cases whose ids or words contain this. */
  only: string | null;
  /** Ends the run after the case under way. */
  signal: AbortSignal;
  print(line: string): void;
}

interface Playable {
  ids: readonly string[];
  what: string;
  subject?: string;
}

const siteProducts = 3000;

/** Plays every case for the whole of a run; resolves with the number of those that cost the rest too much. */
export async function runLasting(options: LastingOptions): Promise<number> {
  const { only, print } = options;
  const dir = await mkdtemp(join(await realpath(tmpdir()), "kurabe-lasting-"));
  await chmod(dir, 0o755);
  const chosen = <T extends Playable>(cases: readonly T[]) =>
    cases.filter((one) => matches(one.ids, one.what, only));
  try {
    print(`seed ${options.seed}`);
    const verdicts = [
      ...(await playCrawl(join(dir, "crawl"), chosen(crawlCases), options)),
      ...(await playService(join(dir, "site"), chosen(serviceCases), options)),
    ];
    for (const line of toTable(verdicts)) print(line);
    const low = verdicts.filter((verdict) => !holds(verdict));
    print(`${verdicts.length} cases, ${low.length} of which cost the rest more than a twentieth`);
    return low.length;
  } finally {
    await killBelow(dir);
    await rm(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

async function playCrawl(
  dataDir: string,
  cases: typeof crawlCases,
  options: LastingOptions,
): Promise<Verdict[]> {
  if (cases.length === 0) return [];
  const servers = await openEmbedded({
    dataDir,
    postgres: true,
    meilisearch: false,
    clock: systemClock,
    logger: createLogger({ level: "warn", format: "json" }),
    postgresSettings: fastPostgres,
  });
  try {
    const openDb = await openDatabases(must(servers.databaseUrl, "a database"));
    const runs = createCrawlRuns({ seed: options.seed, openDb });
    return await playAll(cases, options, (one) => runs.play(one));
  } finally {
    await servers.close();
  }
}

async function playService(
  dataDir: string,
  cases: typeof serviceCases,
  options: LastingOptions,
): Promise<Verdict[]> {
  if (cases.length === 0 || options.signal.aborted) return [];
  const site = await openSite({ dataDir, seed: options.seed, products: siteProducts });
  try {
    return await playAll(cases, options, async (one) => ({
      subject: one.subject,
      figures: await playServiceCase(site, one),
    }));
  } finally {
    await site.close();
  }
}

async function playAll<T extends Playable>(
  cases: readonly T[],
  { signal, print }: LastingOptions,
  play: (one: T) => Promise<{ subject: string; figures: readonly Figure[] }>,
): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const one of cases) {
    if (signal.aborted) break;
    const verdict = await judge(one, play);
    verdicts.push(verdict);
    print(progressLine(verdict));
  }
  return verdicts;
}

async function judge<T extends Playable>(
  one: T,
  play: (one: T) => Promise<{ subject: string; figures: readonly Figure[] }>,
): Promise<Verdict> {
  const began = performance.now();
  const { ids, what } = one;
  const seconds = () => (performance.now() - began) / 1000;
  try {
    const { subject, figures } = await play(one);
    return { ids, what, subject, figures, failure: null, seconds: seconds() };
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error);
    return { ids, what, subject: one.subject ?? "", figures: [], failure, seconds: seconds() };
  }
}
