import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import { openEmbedded } from "../../src/embedded/open.ts";
import { findByCommand } from "../../src/embedded/process-table.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { must } from "../../src/lib/must.ts";
import { until } from "./until.ts";

/** An embedded Meilisearch that is started again on its port whenever it dies. */
export interface MoreSearchHost {
  url: string;
  kill(data: "kept" | "wiped"): Promise<void>;
  close(): Promise<void>;
}

/** Search hosts besides a first one, with its key. */
export function openMoreSearchHosts(
  dirs: readonly string[],
  { apiKey, logger }: { apiKey: string; logger: Logger },
): Promise<MoreSearchHost[]> {
  return Promise.all(
    dirs.map(async (dataDir) => {
      const home = join(dataDir, "meilisearch");
      await mkdir(home, { recursive: true, mode: 0o700 });
      await writeFile(join(home, "key"), apiKey, { mode: 0o600 });
      const servers = { postgres: false, meilisearch: true };
      const embedded = await openEmbedded({ dataDir, ...servers, clock: systemClock, logger });
      const db = join(home, "db");
      return {
        url: must(embedded.meili, "a search host").host,
        async kill(data) {
          await killByCommand(` --db-path ${db} `, "SIGKILL");
          if (data === "wiped") await rename(db, `${db}.wiped-${performance.now()}`);
        },
        close: embedded.close,
      };
    }),
  );
}

/** Resolves when the processes whose command has this text have ended. */
export async function killByCommand(text: string, signal: NodeJS.Signals): Promise<void> {
  const pids = findByCommand(text).map(({ pid }) => pid);
  for (const pid of pids) process.kill(pid, signal);
  const isEnded = () => findByCommand(text).every(({ pid }) => !pids.includes(pid));
  await until(isEnded, { what: "a server to end" });
}
