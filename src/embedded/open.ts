import {
  access,
  constants,
  mkdir,
  readdir,
  readFile,
  realpath,
  rm,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { randomBytes } from "node:crypto";
import { startLoop } from "../lib/loop.ts";
import { makeFolder, unlessMissing, unusable } from "../lib/files.ts";
import { EmbeddedError } from "./errors.ts";
import { withLock } from "./lock.ts";
import {
  ensureMeilisearch,
  hasLostData,
  stopMeilisearch,
  type MeilisearchServer,
} from "./meilisearch.ts";
import { ensurePostgres, stopPostgres } from "./postgres/postgres.ts";
import { findProcess } from "./process-table.ts";
import type { Host, Server } from "./server.ts";
import { must } from "../lib/must.ts";

export interface Embedded {
  /** null: not asked for. */
  databaseUrl: string | null;
  /** null: not asked for. */
  meili: { host: string; apiKey: string } | null;
  /** Stops the servers unless another living process uses them. */
  close(): Promise<void>;
}

export interface EmbeddedOptions extends Omit<Host, "isRunning"> {
  postgres: boolean;
  meilisearch: boolean;
}

interface Servers {
  postgres: Server | null;
  meilisearch: MeilisearchServer | null;
}

const lockWaitMs = 180_000;
const watchEveryMs = 2_000;

/**
 * Opens the embedded Postgres and Meilisearch under `dataDir`. All processes that open the same folder
 * share them: the first starts them, later ones adopt them (also after a kill), and the last one to
 * close stops them. A server that dies is started again on the same port. Throws EmbeddedError if one
 * cannot run, and then stops what it has started.
 */
export async function openEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  if (!options.postgres && !options.meilisearch) {
    return { databaseUrl: null, meili: null, close: () => Promise.resolve() };
  }
  const host: Host = { ...options, dataDir: await prepareFolder(options.dataDir) };
  const ensure = async (host: Host): Promise<Servers> => {
    const postgres = options.postgres ? ensurePostgres(host) : null;
    const meilisearch = options.meilisearch ? ensureMeilisearch(host) : null;
    // Waits for both, so that none is still working when the lock is released.
    await Promise.allSettled([postgres, meilisearch]);
    return { postgres: await postgres, meilisearch: await meilisearch };
  };

  const { users, servers } = await underLock(host, async () => {
    const users = await registerUser(host.dataDir);
    try {
      return { users, servers: await ensure(host) };
    } catch (error) {
      await users.leave();
      if ((await users.countOthers()) === 0) await stopServers(host);
      throw error;
    }
  });
  const stopWatching = watch(host, servers, ensure);

  return {
    databaseUrl: servers.postgres?.url ?? null,
    meili: servers.meilisearch
      ? { host: servers.meilisearch.url, apiKey: servers.meilisearch.apiKey }
      : null,
    async close() {
      await stopWatching();
      await withLock({ ...host, signal: undefined, waitMs: lockWaitMs }, async () => {
        await users.leave();
        if ((await users.countOthers()) === 0) await stopServers(host);
      });
    },
  };
}

async function prepareFolder(dataDir: string): Promise<string> {
  try {
    await makeFolder(join(dataDir, "logs"));
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw unusable(dataDir, error);
  }
  return realpath(dataDir);
}

function underLock<T>(host: Host, work: () => Promise<T>): Promise<T> {
  return withLock({ ...host, waitMs: lockWaitMs }, work);
}

async function stopServers(host: Host): Promise<void> {
  const stops = [stopMeilisearch(host), stopPostgres(host)];
  await Promise.allSettled(stops);
  await Promise.all(stops);
}

const addressOf = ({ postgres, meilisearch }: Servers) =>
  [postgres?.url, meilisearch?.url, meilisearch?.apiKey].join(" ");

/**
 * Restarts a server that has died or lost its folder, also while the process stops: what it stores then needs them.
 * Every process watches, and the lock lets one of them do it.
 */
function watch(
  host: Host,
  first: Servers,
  ensure: (host: Host) => Promise<Servers>,
): () => Promise<void> {
  let servers = first;
  return startLoop({
    name: "embedded servers",
    clock: host.clock,
    logger: host.logger,
    async step(signal) {
      const watched: Host = { ...host, signal, isRunning: true };
      const all = [servers.postgres, servers.meilisearch];
      const hasDied = all.some((server) => server && !findProcess(server.pid));
      if (hasDied || (servers.meilisearch && (await hasLostData(watched)))) {
        servers = await underLock(watched, () => ensure(watched));
        host.logger.warn("an embedded server was started again");
      }
      if (addressOf(servers) !== addressOf(first)) {
        throw new EmbeddedError(
          "an embedded server is not at its former address, because its port is taken or its folder was removed: start Kurabe again",
        );
      }
      return watchEveryMs;
    },
  });
}

/** `<pid>-<random>`; whatever else lies in the folder is not ours. */
const userFile = /^(\d+)-[0-9a-f]{8}$/;

/**
 * Notes this process as one that uses the servers of a DATA_DIR: one file `run/<pid>-<random>` each. Call all
 * of it only under the lock.
 */
export async function registerUser(dataDir: string) {
  const folder = join(dataDir, "run");
  await mkdir(folder, { recursive: true });
  const self = must(findProcess(process.pid), "this process in the process table");
  const name = `${process.pid}-${randomBytes(4).toString("hex")}`;
  await writeFile(join(folder, name), self.startedAt, { mode: 0o600 });

  return {
    leave: () => rm(join(folder, name), { force: true }),
    /** Other processes that are alive. Removes the files of dead ones. */
    async countOthers(): Promise<number> {
      let count = 0;
      for (const file of (await unlessMissing(readdir(folder))) ?? []) {
        const pid = userFile.exec(file)?.[1];
        if (pid === undefined || file === name) continue;
        const startedAt = await readFile(join(folder, file), "utf8");
        if (findProcess(Number(pid))?.startedAt === startedAt) count += 1;
        else await rm(join(folder, file), { force: true });
      }
      return count;
    },
  };
}
