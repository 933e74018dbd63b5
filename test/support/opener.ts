/**
 * `opener.ts DATA_DIR`: a process that uses the embedded servers and prints their addresses once they
 * are ready. SIGTERM closes it; SIGINT has its default effect.
 */
import pino from "pino";
import { openEmbedded } from "../../src/embedded/open.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { must } from "../../src/lib/must.ts";
import { fastPostgres } from "./fast-postgres.ts";

const stopping = new AbortController();
process.once("SIGTERM", () => stopping.abort());
const embedded = await openEmbedded({
  dataDir: must(process.argv[2], "a folder"),
  postgres: true,
  meilisearch: true,
  clock: systemClock,
  logger: pino({ level: "warn" }, pino.destination(2)),
  signal: stopping.signal,
  postgresSettings: fastPostgres,
});
process.stdout.write(`ready ${JSON.stringify(embedded)}\n`);
while (!stopping.signal.aborted) await systemClock.sleep(3_600_000, stopping.signal);
await embedded.close();
process.stdout.write("closed\n");
