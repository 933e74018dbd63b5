import { access, constants, realpath } from "node:fs/promises";
import { join } from "node:path";
import { startLoop } from "../lib/loop.ts";
import { makeFolder, unusable } from "../lib/files.ts";
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
import { registerUser } from "./users.ts";

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

const LOCK_WAIT_MS = 180_000;
const WATCH_EVERY_MS = 2_000;

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
      await withLock({ ...host, signal: undefined, waitMs: LOCK_WAIT_MS }, async () => {
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
  return withLock({ ...host, waitMs: LOCK_WAIT_MS }, work);
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
      return WATCH_EVERY_MS;
    },
  });
}
