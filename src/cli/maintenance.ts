import { ensureAnalyst } from "../service/analyst.ts";
import type { CommandContext } from "./context.ts";
import { lacksDatabase, migrateNow, openDatabase } from "./database.ts";
import { readCatalogStatus } from "../catalog/status/status.ts";
import {
  backoffKinds,
  countWaiting,
  readNextRetry,
  type BackoffKind,
} from "../crawl/backoff-list.ts";
import { readBudget, type AccountToday } from "../crawl/budget/budget-today.ts";
import { hasKeywords, withoutKeywords } from "../crawl/learning/keywords.ts";
import { type CrawlState, readCrawlState } from "../crawl/safety/pause.ts";
import { migrateDb } from "../db/migrate.ts";
import type { Db } from "../db/open.ts";
import { systemClock } from "../lib/clock.ts";
import { runLoop } from "../lib/loop.ts";
import { openResources, whenReachable, type Resources } from "../service/resources.ts";
import { mirrorPool } from "../search/mirror/indexes/indexes.ts";
import { createSearchBackend, type SearchBackend } from "../service/search-backend.ts";
import { budgetRules } from "../service/from-config.ts";

const pool = { maxConnections: 4, statementTimeoutMs: 60_000 };

export async function withResources<T>(
  context: CommandContext,
  work: (resources: Resources) => Promise<T>,
): Promise<T> {
  const { config, logger, signal, stderr } = context;
  const isNew = lacksDatabase(config);
  const resources = await openResources(config, { clock: systemClock, logger, signal });
  try {
    if (isNew)
      stderr.write(
        `there was no data in ${config.dataDir}, so a new, empty database was made; if there should be some, run this where Kurabe is started, or set DATA_DIR\n`,
      );
    await migrateNow(resources.databaseUrl, context);
    return await work(resources);
  } finally {
    await resources.close();
  }
}

function backendOf(
  { config, logger, signal }: CommandContext,
  resources: Resources,
): SearchBackend {
  return createSearchBackend(config, resources, { clock: systemClock, logger, signal });
}

export async function migrate(context: CommandContext): Promise<number> {
  const { url, close } = await openDatabase(context);
  try {
    await whenReachable({ ...context, clock: systemClock }, () => migrateDb(url, context));
  } finally {
    await close();
  }
  context.stdout.write("the database is at this version's schema\n");
  return 0;
}

function accountLine({ account, day, used, refusedAt, pause }: AccountToday): [string, string] {
  const refused = refusedAt ? ", refused by the upstream" : "";
  const paused = pause ? `, paused until ${pause.until.toISOString()}: ${pause.reason}` : "";
  return [
    `  ${account.name}`,
    `${used} of ${account.dailyLimit} on ${day} (${account.timezone})${refused}${paused}`,
  ];
}

export function status(context: CommandContext): Promise<number> {
  return withResources(context, async (resources) => {
    const db = resources.pool("status", pool);
    const now = systemClock.now();
    const { products, shops, freshness, quarantined, heldDeletions } = await readCatalogStatus(
      db,
      now,
    );
    const budget = await readBudget(db, now, budgetRules(context.config));
    const { serving } = await backendOf(context, resources).status(db);
    const crawl = await readCrawlState(db);
    const canFind = await hasKeywords(db);
    const next = await readNextRetry(db, now);
    const waiting = next ? toWaitingText(await countWaiting(db, now)) : "";
    const age = (seconds: number) => `${Math.round(seconds)} s`;
    const lines = [
      [
        "products",
        `${products.live} live, ${products.missing} missing, ${products.gone} gone, in ${shops} shops`,
      ],
      [
        "checked",
        freshness
          ? `half within ${age(freshness.p50Seconds)}, 95% within ${age(freshness.p95Seconds)}, all within ${age(freshness.oldestSeconds)}`
          : "nothing yet",
      ],
      [
        "calls",
        `${budget.used} of ${budget.limit} on ${budget.day} (${budget.timezone})${budget.refusedAt ? ", refused by the upstream" : ""}`,
      ],
      ...(budget.accounts.length > 1 ? budget.accounts.map(accountLine) : []),
      ["crawler", describeCrawl(crawl, { canFind, waits: next !== null, now })],
      ...(next
        ? [
            [
              "backoffs",
              `waiting after failed calls: ${waiting}; the next try is at ${next.retryAt.toISOString()} (${next.code}: ${next.reason})`,
            ],
          ]
        : []),
      [
        "mirror",
        serving
          ? `${serving.dirty} to send, ${serving.deadLettered} dead-lettered, ${serving.lagSeconds.toFixed(1)} s behind`
          : "no index yet",
      ],
      ["attention", `${quarantined} quarantined, ${heldDeletions} held deletions`],
      ["database", context.config.databaseUrl ? "as set in DATABASE_URL" : resources.databaseUrl],
      ["analysts", await describeAnalyst(context, db, resources)],
    ];
    context.stdout.write(lines.map(([name, text]) => `${name?.padEnd(10)}${text}\n`).join(""));
    return 0;
  });
}

/** What the crawl does now, or what it waits for. `canFind`: there is a keyword; `waits`: something does after failed calls. */
export function describeCrawl(
  { paused, block }: CrawlState,
  { canFind, waits, now }: { canFind: boolean; waits: boolean; now: Date },
): string {
  if (paused) return "paused by ops";
  if (block) {
    const isOver = block.until.getTime() <= now.getTime();
    const when = isOver ? "about to try again" : `waiting until ${block.until.toISOString()}`;
    return `${when}: ${block.code}, ${block.reason}`;
  }
  if (!canFind) return withoutKeywords;
  return waits ? "free to run, but not what waits after failed calls" : "free to run";
}

/** How many subjects of each kind wait because their calls failed. */
function toWaitingText(waiting: Record<BackoffKind, number>): string {
  const nouns = {
    keyword: ["keyword list", "keyword lists"],
    page: ["position", "positions"],
    shop: ["shop", "shops"],
    product: ["product", "products"],
  } as const;
  const kinds = backoffKinds.flatMap((kind) =>
    waiting[kind] === 0 ? [] : [`${waiting[kind]} ${nouns[kind][waiting[kind] === 1 ? 0 : 1]}`],
  );
  return kinds.join(", ");
}

async function describeAnalyst(
  { config }: CommandContext,
  db: Db,
  resources: Resources,
): Promise<string> {
  if (config.databaseUrl) return "role kurabe_analyst; an administrator gives it a password";
  const url = await ensureAnalyst(db, config.dataDir, resources.databaseUrl);
  return url ?? "role kurabe_analyst could not be made";
}

const unproven = {
  none: "there is no index in service yet",
  outdated:
    "the index in service is of another version or other settings, and a worker fills a new one; run this again when that is in service",
};

export function proveMirror(context: CommandContext): Promise<number> {
  return withResources(context, async (resources) => {
    const db = resources.pool("verify", pool);
    let differences = 0;
    for (const [host, report] of await backendOf(context, resources).verifyAll(
      db,
      context.signal,
    )) {
      const at = host === "" ? "" : `${host}: `;
      if (report === null || report === "outdated") {
        context.stdout.write(`${at}${unproven[report ?? "none"]}\n`);
        differences += 1;
        continue;
      }
      context.stdout.write(
        `${at}${report.documents} documents in ${report.buckets} parts: ${report.missing} missing, ` +
          `${report.stale} stale, ${report.stray} stray; ${report.repaired} handed to the mirror for repair\n`,
      );
      differences += report.missing + report.stale + report.stray;
    }
    return differences === 0 ? 0 : 1;
  });
}

const noIndexYet = { indexUid: "no index yet", clean: 0, dirty: 0 };

export function reindex(context: CommandContext): Promise<number> {
  return withResources(context, async (resources) => {
    const { logger, signal, stdout } = context;
    const db = resources.pool("reindex", mirrorPool);
    const backend = backendOf(context, resources);
    await backend.startRebuild(db);
    const finished = new AbortController();
    const stop = AbortSignal.any([signal, finished.signal]);
    // If a running worker has the mirror's lease, it does the work; otherwise this process does.
    const mirror = backend.mirror(db);
    const mirroring = runLoop({
      name: "mirror",
      clock: systemClock,
      logger,
      signal: stop,
      step: mirror.step,
    });
    while (!stop.aborted) {
      // Its name may change meanwhile: one that turns out to be another database's is left for the next.
      const { serving, building } = await backend.status(db);
      if (building === null && serving?.isSearched) {
        stdout.write(`${serving.indexUid} is proven and in service\n`);
        finished.abort();
      } else {
        const { indexUid, clean, dirty } = building ?? serving ?? noIndexYet;
        stdout.write(`${indexUid}: ${clean} documents in, ${dirty} to go\n`);
        await systemClock.sleep(1000, stop);
      }
    }
    await mirroring;
    await mirror.release();
    return signal.aborted ? 1 : 0;
  });
}
