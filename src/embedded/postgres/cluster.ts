import { randomBytes } from "node:crypto";
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { z } from "zod";
import { errorCode } from "../../lib/error-code.ts";
import { asAccount, chooseAccount, grantPassage, type Account } from "../account.ts";
import { runCommand } from "../launch.ts";
import { EmbeddedError } from "../errors.ts";
import type { Host } from "../server.ts";
import { findPostgres } from "../platform.ts";
import { unlessMissing } from "../../lib/files.ts";

const major = "18";
export const superuser = "kurabe";

/** An embedded Postgres data directory, and what is needed to run it. */
export interface Cluster {
  /** `DATA_DIR/postgres`: contains the data, the password and the last port. */
  home: string;
  /** The data directory itself. */
  dir: string;
  password: string;
  binary: string;
  account: Account | null;
  env: Record<string, string>;
}

/** Opens the cluster under DATA_DIR; creates it if there is none. */
export async function openCluster(host: Host): Promise<Cluster> {
  const home = join(host.dataDir, "postgres");
  const dir = join(home, "data");
  const binaries = await findPostgres();
  const env = await linkSharedLibraries(binaries.root, join(host.dataDir, "postgres-libraries"));
  const chosen = await chooseAccount(dir);
  const tools: Tools = { initdb: binaries.initdb, chosen, env };
  const existing = await readVersion(dir);
  if (existing === null) {
    await mayMakeCluster(host, home);
    await makeCluster(host, home, tools);
  } else if (existing !== major) {
    throw new EmbeddedError(
      `${dir} was made by Postgres ${existing}, but this Kurabe contains Postgres ${major}: dump it with the old version, or set another DATA_DIR`,
    );
  }
  const account = await grantPassage(chosen, { dir, initdb: binaries.initdb }, env);
  const password = await readFile(join(home, "password"), "utf8");
  return { home, dir, password, binary: binaries.postgres, account, env };
}

interface Tools {
  initdb: string;
  chosen: Account | null;
  env: Record<string, string>;
}

async function readVersion(dir: string): Promise<string | null> {
  const text = await unlessMissing(readFile(join(dir, "PG_VERSION"), "utf8"));
  return text?.trim() ?? null;
}

/** Throws where a new database would hide that one is lost. */
async function mayMakeCluster(host: Host, home: string): Promise<void> {
  if (host.isRunning) {
    throw new EmbeddedError(
      `the database in ${home} was removed while Kurabe runs: stop Kurabe and put the folder back, or start again with an empty one`,
    );
  }
  const remains = await unlessMissing(readdir(home));
  if (remains === null || remains.length === 0) return;
  throw new EmbeddedError(
    `${home} has only parts of a database (no data/PG_VERSION): put the folder back, or remove it to begin with an empty one`,
  );
}

const unfinishedPrefix = "postgres.new-";

/** Creates data and password in another folder and then renames it, so that a kill leaves no half-made cluster. */
async function makeCluster(host: Host, home: string, tools: Tools): Promise<void> {
  await removeUnfinished(host);
  host.logger.info({ dir: home }, "preparing the embedded Postgres");
  const staging = await mkdtemp(join(host.dataDir, unfinishedPrefix));
  try {
    await fillCluster(host, staging, tools);
    await rename(staging, home);
  } catch (error) {
    await removeUnfinished(host);
    throw error;
  }
}

async function fillCluster(host: Host, staging: string, tools: Tools): Promise<void> {
  const dir = join(staging, "data");
  const passwordFile = join(staging, "password");
  // The account must be able to enter this folder. Each other file in it has its own mode.
  await chmod(staging, 0o711);
  await mkdir(dir, { mode: 0o700 });
  await writeFile(passwordFile, randomBytes(24).toString("hex"), { mode: 0o600 });
  if (tools.chosen) {
    for (const path of [dir, passwordFile]) await chown(path, tools.chosen.uid, tools.chosen.gid);
  }
  const account = await grantPassage(tools.chosen, { dir, initdb: tools.initdb }, tools.env);
  const args = ["-D", dir, "-U", superuser, `--pwfile=${passwordFile}`, "--auth=scram-sha-256"];
  args.push("--encoding=UTF8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8");
  args.push("--locale=C");
  if (host.postgresSettings?.["fsync"] === "off") args.push("--no-sync");
  const result = await runCommand({
    ...asAccount(account, { file: tools.initdb, args, env: tools.env }),
    timeoutMs: 120_000,
    signal: host.signal,
  });
  host.signal?.throwIfAborted();
  if (result.code !== 0) {
    throw new EmbeddedError(
      `initdb failed in ${host.dataDir} (code ${result.code}); set DATABASE_URL to use another Postgres\n${result.output.trim()}`,
    );
  }
}

async function removeUnfinished(host: Host): Promise<void> {
  for (const name of await readdir(host.dataDir)) {
    if (!name.startsWith(unfinishedPrefix)) continue;
    const path = join(host.dataDir, name);
    try {
      await rm(path, { recursive: true, force: true, maxRetries: 3 });
    } catch (error) {
      // Its initdb may still be running. That is harmless, because the next cluster gets another name.
      host.logger.warn({ err: error, path }, "an unfinished Postgres folder could not be removed");
    }
  }
}

const links = z.array(z.object({ source: z.string(), target: z.string() }));

/**
 * Creates missing symlinks between the libraries of the Postgres package. npm packages contain no
 * symlinks, so the package creates them in an install script, which may be blocked. If the package is
 * read-only, they go to `fallbackDir`; the result is then the addition to the loader's search path.
 */
export async function linkSharedLibraries(
  packageRoot: string,
  fallbackDir: string,
  makeLink: typeof symlink = symlink,
): Promise<Record<string, string>> {
  const text = await readFile(join(packageRoot, "native/pg-symlinks.json"), "utf8");
  const wanted = links.parse(JSON.parse(text)).map(({ source, target }) => ({
    source: join(packageRoot, source),
    target: join(packageRoot, target),
  }));
  try {
    for (const { source, target } of wanted) {
      await link(makeLink, relative(dirname(target), source), target);
    }
    return {};
  } catch (error) {
    if (!["EACCES", "EPERM", "EROFS"].includes(errorCode(error) ?? "")) throw error;
  }
  await mkdir(fallbackDir, { recursive: true });
  for (const { source, target } of wanted) {
    await link(
      makeLink,
      source,
      join(fallbackDir, relative(join(packageRoot, "native/lib"), target)),
    );
  }
  const name = process.platform === "darwin" ? "DYLD_LIBRARY_PATH" : "LD_LIBRARY_PATH";
  // A library that is loaded through its link looks for the others beside that link.
  return { [name]: `${fallbackDir}:${join(packageRoot, "native/lib")}` };
}

async function link(makeLink: typeof symlink, source: string, target: string): Promise<void> {
  try {
    await makeLink(source, target);
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
}
