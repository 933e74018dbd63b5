/**
 * Runs a whole Kurabe with the sandbox behind a real pgbouncer in transaction mode with `--servers`
 * connections for `--seconds`, with searches meanwhile, then housekeeping and the proof of the index.
 * Fails for an error in the log, a failed job, or a ledger that does not add up.
 *
 *   npx tsx scripts/prove-pooler.ts --pgbouncer PATH [--seconds 60] [--servers 8]
 *
 * On Debian: `apt-get install pgbouncer`, then `--pgbouncer /usr/sbin/pgbouncer`.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import postgres from "postgres";
import { loadConfig } from "../src/config.ts";
import { systemClock as clock } from "../src/lib/clock.ts";
import { createLogger } from "../src/lib/logger.ts";
import { must } from "../src/lib/must.ts";
import { startService } from "../src/service/service.ts";
import { startPgbouncer } from "../test/support/pgbouncer.ts";
import { withServers } from "./servers.ts";

const { values } = parseArgs({
  options: {
    pgbouncer: { type: "string" },
    seconds: { type: "string", default: "60" },
    servers: { type: "string", default: "8" },
  },
});
const program = must(values.pgbouncer, "--pgbouncer");
const opsToken = "pooler-token-0123456789-0123456789-0123456789";
const headers = { authorization: `Bearer ${opsToken}`, "content-type": "application/json" };
const print = (line: Record<string, unknown>) => process.stdout.write(`${JSON.stringify(line)}\n`);

/** What the log says of failures. */
const failures: string[] = [];
const log = {
  write(line: string) {
    if (/"level":(50|60)|prepared statement|unsupported startup/.test(line)) failures.push(line);
  },
};

await withServers(async ({ dir, databaseUrl, meili }) => {
  const pgbouncer = await startPgbouncer({
    program,
    databaseUrl,
    connections: Number(values.servers),
  });
  const sql = postgres(databaseUrl, { max: 1, fetch_types: false, onnotice: () => {} });
  const stopping = new AbortController();
  const config = loadConfig({
    DATABASE_URL: databaseUrl,
    DATABASE_POOLER_URL: pgbouncer.url,
    MEILI_HOST: meili.host,
    MEILI_API_KEY: meili.apiKey,
    DATA_DIR: join(dir, "kurabe"),
    CRAWL_PACING: "burst",
    STOREFRONT_MAX_CALLS_PER_SECOND: "20",
    OPS_TOKEN: opsToken,
    PORT: "0",
  });
  const runtime = { clock, logger: createLogger(config.log, log), signal: stopping.signal };
  const service = await startService(config, { api: true, worker: true }, runtime);
  const url = must(service.url, "the API's address");
  const statuses: Record<number, number> = {};
  let most = 0;
  const endMs = clock.monotonicMs() + Number(values.seconds) * 1000;
  while (clock.monotonicMs() < endMs) {
    const paths = [
      "/v1/products?q=革",
      "/v1/status",
      "/v1/shops",
      "/ops/v1/plan",
      "/v1/suggest?q=革",
    ];
    for (const path of paths) {
      const answer = await fetch(`${url}${path}`, path.startsWith("/ops") ? { headers } : {});
      await answer.arrayBuffer();
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
    }
    const [row] = await sql<{ n: number }[]>`
      select count(*)::int as n from pg_stat_activity where datname = current_database()
        and backend_type = 'client backend' and pid <> pg_backend_pid()`;
    most = Math.max(most, row?.n ?? 0);
  }
  for (const job of ["housekeeping", "verify-mirror"])
    await fetch(`${url}/ops/v1/jobs/${job}/run`, { method: "POST", headers });
  const runs = () => sql<{ job: string; error: string | null }[]>`
    select job, error from job_run where job in ('housekeeping', 'verify-mirror') and finished_at is not null`;
  while ((await runs()).length < 2) await clock.sleep(500);
  const [ledger] = await sql<{ used: number; calls: number; products: number }[]>`
    select (select sum(used) from budget_day)::int as used, (select count(*) from api_call)::int as calls,
      (select count(*) from product)::int as products`;
  const jobs = Object.fromEntries((await runs()).map(({ job, error }) => [job, error ?? "done"]));
  await service.stop();
  await pgbouncer.close();
  await sql.end();
  print({ ...ledger, statuses, jobs, most_server_connections: most, failures });
  const isRight =
    failures.length === 0 &&
    ledger?.used === ledger?.calls &&
    Object.keys(statuses).join() === "200" &&
    Object.values(jobs).every((end) => end === "done");
  process.exitCode = isRight ? 0 : 1;
});
