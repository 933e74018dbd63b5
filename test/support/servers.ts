/**
 * `servers.ts RUN_DIR`: a process of its own that holds the servers of a test run. It lives as long
 * as its standard input stays open: however the run ends, even by kill -9, the servers, what the
 * tests themselves started below RUN_DIR, and the folder go away.
 */
import { rm } from "node:fs/promises";
import pino from "pino";
import { openEmbedded } from "../../src/embedded/open.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { must } from "../../src/lib/must.ts";
import { fastPostgres } from "./fast-postgres.ts";
import { killBelow } from "./kill-below.ts";
import { warmDictionary } from "./warm-dictionary.ts";

const runDir = must(process.argv[2], "a folder");
const over = new AbortController();
process.stdin.once("close", () => over.abort()).resume();
// Ctrl-C reaches the whole group of the terminal: this process ends by its input alone.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => {});
// The run may be gone before it was told where the servers are; the input says so as well.
process.stdout.on("error", () => {});

async function serve(): Promise<void> {
  const embedded = await openEmbedded({
    dataDir: `${runDir}/servers`,
    postgres: true,
    meilisearch: true,
    clock: systemClock,
    logger: pino({ level: "warn" }, pino.destination(2)),
    signal: over.signal,
    postgresSettings: fastPostgres,
  });
  const meili = must(embedded.meili, "a search engine");
  process.stdout.write(`${JSON.stringify({ databaseUrl: embedded.databaseUrl, ...meili })}\n`);
  const warming = warmDictionary(meili);
  while (!over.signal.aborted) await systemClock.sleep(3_600_000, over.signal);
  await Promise.allSettled([warming]);
  await embedded.close();
}

try {
  await serve();
} catch (error) {
  if (!over.signal.aborted) throw error;
} finally {
  await killBelow(runDir);
  await rm(runDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}
