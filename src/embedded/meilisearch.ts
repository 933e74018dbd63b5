import { randomBytes } from "node:crypto";
import { mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { availableParallelism, totalmem } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { mustBeOurs } from "./account.ts";
import { EmbeddedError } from "./errors.ts";
import { launch, type Launched } from "./launch.ts";
import { findMeilisearch } from "./platform.ts";
import { findByCommand, stopProcess, type ProcessInfo } from "./process-table.ts";
import {
  isUsable,
  startAttempts,
  startServer,
  type Answer,
  type Host,
  type Server,
  readPort,
} from "./server.ts";
import { sha256Of, unlessMissing } from "../lib/files.ts";

export interface MeilisearchServer extends Server {
  apiKey: string;
}

/** The files of an embedded Meilisearch, below `DATA_DIR/meilisearch`. */
interface Engine {
  home: string;
  dir: string;
  portFile: string;
  binary: string;
  apiKey: string;
}

/**
 * Adopts, replaces or starts the embedded Meilisearch, like Postgres. Its data can be rebuilt: if another
 * version wrote it, or the engine cannot start with it, it is moved aside and the mirror fills a new index.
 * Call it only under the lock, because the engine itself does not refuse to run twice on one folder.
 */
export async function ensureMeilisearch(host: Host): Promise<MeilisearchServer> {
  const engine = await openEngine(host);
  for (const running of findEngines(engine.dir)) {
    const port = await readPort(engine.portFile);
    const isLost = await hasLostData(host);
    const ask = (port: number) => () => askMeilisearch(engine, port);
    if (!isLost && port && (await isUsable(host, running.pid, ask(port)))) {
      return { url: toUrl(port), pid: running.pid, apiKey: engine.apiKey };
    }
    const fault = isLost ? "has lost its folder" : "does not answer";
    host.logger.warn(`the embedded Meilisearch (pid ${running.pid}) ${fault}: replacing it`);
    await stopEngine(host, running, 2_000);
  }
  const version = await unlessMissing(readFile(join(engine.dir, "VERSION"), "utf8"));
  if (version !== null && version.trim() !== meilisearchVersion) {
    await moveAside(host, engine, version.trim());
  }
  return startMeilisearch(host, engine);
}

/**
 * Whether its data was removed: it answers from what it has open, and can write nothing. Without its key it could not
 * be replaced by one that this process reaches.
 */
export async function hasLostData({ dataDir }: Pick<Host, "dataDir">): Promise<boolean> {
  const home = join(dataDir, "meilisearch");
  const exists = async (path: string) => (await unlessMissing(stat(join(home, path)))) !== null;
  return !(await exists("db/VERSION")) && exists("key");
}

/** Stops the embedded Meilisearch if it runs. Call only under the lock. */
export async function stopMeilisearch(host: Host): Promise<void> {
  for (const running of findEngines(join(host.dataDir, "meilisearch", "db"))) {
    await stopEngine(host, running, 10_000);
  }
}

async function openEngine(host: Host): Promise<Engine> {
  const home = join(host.dataDir, "meilisearch");
  const binary = await findMeilisearch();
  // Root may use the server that its owner runs, and would leave files of its own if it started one.
  if (process.getuid?.() !== 0 || findEngines(join(home, "db")).length === 0)
    await mustBeOurs(home);
  await mkdir(home, { recursive: true, mode: 0o700 });
  await verifyBinary(binary, join(home, "binary-checked"));
  const keyFile = join(home, "key");
  let apiKey = await unlessMissing(readFile(keyFile, "utf8"));
  if (!apiKey) {
    apiKey = randomBytes(24).toString("hex");
    await writeFile(keyFile, apiKey, { mode: 0o600 });
  }
  return { home, dir: join(home, "db"), portFile: join(home, "port"), binary, apiKey };
}

function toUrl(port: number): string {
  return `http://127.0.0.1:${port}`;
}

/** Normally at most one. The process table also shows servers that no file names. */
function findEngines(dir: string): ProcessInfo[] {
  return findByCommand(` --db-path ${dir} `);
}

const versionReply = z.object({ pkgVersion: z.string() });

async function askMeilisearch(engine: Engine, port: number): Promise<Answer> {
  try {
    const response = await fetch(`${toUrl(port)}/version`, {
      headers: { authorization: `Bearer ${engine.apiKey}` },
      redirect: "error",
      signal: AbortSignal.timeout(3_000),
    });
    if (!response.ok) return response.status < 500 ? "foreign" : "starting";
    const { pkgVersion } = versionReply.parse(await response.json());
    return pkgVersion === meilisearchVersion ? "ready" : "foreign";
  } catch {
    return "silent";
  }
}

async function stopEngine(host: Host, running: ProcessInfo, patienceMs: number): Promise<void> {
  if (await stopProcess(running, { SIGTERM: patienceMs, SIGKILL: 5_000 }, host.clock)) return;
  throw new EmbeddedError(`Meilisearch (pid ${running.pid}) cannot be stopped: end it by hand`);
}

async function moveAside(host: Host, engine: Engine, label: string): Promise<void> {
  const aside = join(engine.home, `db-${label.replaceAll(/[^\w.-]/g, "_")}`);
  host.logger.warn({ aside }, "starting with an empty search index; it is filled from Postgres");
  await rm(aside, { recursive: true, force: true });
  await rename(engine.dir, aside);
}

async function startMeilisearch(host: Host, engine: Engine): Promise<MeilisearchServer> {
  const hadData = (await unlessMissing(readFile(join(engine.dir, "VERSION"), "utf8"))) !== null;
  const { port, pid } = await startServer(host, {
    failure: `the embedded Meilisearch in ${engine.home} does not start: correct the fault below, or set MEILI_HOST and MEILI_API_KEY`,
    portFile: engine.portFile,
    launch: (port) => launchEngine(host, engine, port),
    ask: (port) => askMeilisearch(engine, port),
    silentMs: 60_000,
    stop: () => stopMeilisearch(host),
    async onFailure(attempt) {
      if (hadData && attempt === startAttempts - 1) await moveAside(host, engine, "broken");
    },
  });
  return { url: toUrl(port), pid, apiKey: engine.apiKey };
}

const mebibyte = 1024 * 1024;

/** Half the cores and a quarter of the memory, because Postgres and the crawler need the rest. */
function launchEngine(host: Host, engine: Engine, port: number): Promise<Launched> {
  const threads = host.indexingThreads ?? Math.max(2, Math.floor(availableParallelism() / 2));
  const quarterMib = Math.floor(totalmem() / mebibyte / 4);
  const memoryMib = host.indexingMemoryMib ?? Math.min(2048, Math.max(256, quarterMib));
  const options = {
    "--env": "production",
    "--db-path": engine.dir,
    "--dump-dir": join(engine.home, "dumps"),
    "--snapshot-dir": join(engine.home, "snapshots"),
    "--http-addr": `127.0.0.1:${port}`,
    "--max-indexing-threads": String(threads),
    "--max-indexing-memory": `${memoryMib}MiB`,
    "--log-level": "WARN",
  };
  return launch({
    file: engine.binary,
    args: ["--no-analytics", ...Object.entries(options).flat()],
    // Not an argument, because every user of the machine can read those.
    env: { MEILI_MASTER_KEY: engine.apiKey },
    cwd: engine.home,
    logFile: join(host.dataDir, "logs", "meilisearch.log"),
  });
}

/** The engine version that Kurabe needs, as the packaged binary reports it. */
export const meilisearchVersion = "1.21.0";

/** The package is not published by Meilisearch itself, so its contents are pinned. */
const pinnedSha256 = "5354d854974433f8f903e59347c1c6a7f2ad947f21b3402a2cc01e07b1c952e0";

/**
 * Refuses an unknown binary before it runs. Hashing takes half a second, so the verdict stays in
 * `verdictFile` until the binary's size or time changes.
 */
export async function verifyBinary(
  binary: string,
  verdictFile: string,
  expected = pinnedSha256,
): Promise<void> {
  const { size, mtimeMs, ino } = await stat(binary);
  const verdict = [expected, binary, size, mtimeMs, ino].join(" ");
  if ((await unlessMissing(readFile(verdictFile, "utf8"))) === verdict) return;
  const found = await sha256Of(binary);
  if (found !== expected) {
    throw new EmbeddedError(
      `${binary} is not the Meilisearch that this Kurabe was tested with (sha256 ${found}): install again with npm ci, or set MEILI_HOST`,
    );
  }
  await writeFile(verdictFile, verdict, { mode: 0o600 });
}
