/**
 * `servers.ts RUN_DIR`: the process with the servers of a test run. It runs until its standard input
 * is closed. So after any end of the run, even a kill -9, it removes the servers, all processes that
 * tests started below RUN_DIR, and the folder.
 */
import { chmod, mkdtemp, rm, statfs } from "node:fs/promises";
import { join } from "node:path";
import pino from "pino";
import { openEmbedded } from "../../src/embedded/open.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { must } from "../../src/lib/must.ts";
import { unlessMissing } from "../../src/lib/files.ts";
import { fastPostgres } from "./fast-postgres.ts";
import { killBelow } from "./kill-below.ts";
import { warmDictionary } from "./warm-dictionary.ts";

const runDir = must(process.argv[2], "a folder");
const over = new AbortController();
process.stdin.once("close", () => over.abort()).resume();
// Ctrl-C reaches the whole process group, but this process must end only with its input.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => {});
// The run may end before it learns the addresses; the closed input shows that too.
process.stdout.on("error", () => {});

const MEMORY = "/dev/shm";
const ROOM_BYTES = 4 * 1024 ** 3;

/**
 * In memory, if there is room: hundreds of databases are cloned and dropped, each with hundreds of files, which
 * costs some file systems several times as much.
 */
async function makeDataDir(): Promise<string> {
  const memory = await unlessMissing(statfs(MEMORY));
  if (!memory || memory.bavail * memory.bsize < ROOM_BYTES) return join(runDir, "servers");
  const dir = await mkdtemp(join(MEMORY, "kurabe-test-"));
  await chmod(dir, 0o755);
  return dir;
}

const dataDir = await makeDataDir();

async function serve(): Promise<void> {
  const embedded = await openEmbedded({
    dataDir,
    postgres: true,
    meilisearch: true,
    // Indexes of tests are small: a second thread and more memory are only taken and cleared for each task.
    indexingThreads: 1,
    indexingMemoryMib: 256,
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
  for (const dir of [dataDir, runDir]) {
    await killBelow(dir);
    await rm(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}
