import { readFile } from "node:fs/promises";
import { connect as connectTcp } from "node:net";
import { connect as connectTls } from "node:tls";
import { sql } from "drizzle-orm";
import type { CommandContext } from "./context.ts";
import { checkSmtp } from "../alerts/mail/smtp.ts";
import { blockingSessions } from "../db/blocking.ts";
import { connectionFault, mendConnections } from "../db/connection-limit.ts";
import { schemaFault } from "../db/migrate.ts";
import { openDb, type Db } from "../db/open.ts";
import { systemClock } from "../lib/clock.ts";
import { toReason } from "../lib/logged-error.ts";
import { plainUrl } from "../search/cluster/plan.ts";
import { createEngine, type Engine } from "../search/engine/engine.ts";
import { openResources, type Resources } from "../service/resources.ts";

interface Finding {
  what: string;
  fault: string | null;
  mend: string;
}

const well = { fault: null, mend: "" };
const connectTimeoutMs = 5000;
const alone = { applicationName: "kurabe:doctor", maxConnections: 1, statementTimeoutMs: 5000 };

/** Checks what a start needs and prints one line for each. Only connects to the upstream, which costs no call, and sends no mail. */
export async function doctor(context: CommandContext): Promise<number> {
  const { config, logger, signal, stdout } = context;
  const findings: Finding[] = [
    {
      what: "settings",
      fault: config.unknown.length > 0 ? `unknown: ${config.unknown.join(", ")}` : null,
      mend: "infra/settings.md has all names",
    },
  ];
  const resources = await openResources(config, { clock: systemClock, logger, signal }).catch(
    (error: unknown) => {
      findings.push({
        what: "embedded servers",
        fault: error instanceof Error ? error.message : String(error),
        mend: "see the message, or set DATABASE_URL and MEILI_HOST",
      });
      return null;
    },
  );
  if (resources) {
    try {
      findings.push(
        ...(await checkDatabases(config, resources)),
        ...(await checkEngines(config, resources)),
      );
    } finally {
      await resources.close();
    }
  }
  findings.push(
    await checkUpstream(config.storefront.baseUrl),
    ...(config.storefront.accounts ?? []).map(({ name, dailyLimit, timezone }) => ({
      ...well,
      what: `account ${name}: ${dailyLimit} calls a day (${timezone})`,
    })),
  );
  const { clientSecretFile } = config.storefront;
  if (clientSecretFile !== null) findings.push(await checkSecretFile(clientSecretFile));
  if (config.smtp !== null) findings.push(await checkMails(config.smtp));
  for (const { what, fault, mend } of findings) {
    stdout.write(fault === null ? `ok    ${what}\n` : `FAIL  ${what}: ${fault}\n      ${mend}\n`);
  }
  return findings.every((finding) => finding.fault === null) ? 0 : 1;
}

/** A replica and a pooler are asked besides: a start tells of them in the log alone. */
function checkDatabases(
  config: CommandContext["config"],
  { databaseUrl }: Resources,
): Promise<Finding[]> {
  const { databasePoolerUrl, databaseReplicaUrl } = config;
  const databases = [
    { what: "database", setting: "DATABASE_URL", url: databaseUrl },
    { what: "pooler", setting: "DATABASE_POOLER_URL", url: databasePoolerUrl },
    { what: "replica", setting: "DATABASE_REPLICA_URL", url: databaseReplicaUrl },
  ];
  return Promise.all(
    databases.flatMap(({ what, setting, url }) =>
      url === null
        ? []
        : [
            checkDatabase(
              { what, url, mend: `check ${setting}, and that Postgres 18 or newer runs there` },
              config,
            ),
          ],
    ),
  );
}

async function checkDatabase(
  { what, url, mend }: { what: string; url: string; mend: string },
  config: CommandContext["config"],
): Promise<Finding> {
  const finding = (fault: string | null) => ({ what, fault, mend });
  const { db, close } = openDb({ url, ...alone, pooled: what === "pooler" });
  try {
    const [row] = await db.execute<{ version: number; skew: number; standby: boolean }>(sql`
      select current_setting('server_version_num')::int as version,
        abs(extract(epoch from now() - ${systemClock.now().toISOString()}::timestamptz))::float8 as skew,
        pg_is_in_recovery() as standby`);
    if ((row?.version ?? 0) < 180_000) return finding(`version ${row?.version} is older than 18`);
    if ((row?.skew ?? 0) > 5) {
      const fault = `its clock is ${row?.skew.toFixed(0)} s off ours`;
      return { what, fault, mend: "synchronise the clocks (NTP)" };
    }
    if ((what === "replica") !== row?.standby) {
      return finding(
        row?.standby ? "it is a replica, which takes no writes" : "it is no streaming replica",
      );
    }
    const fault = await schemaFault(db);
    if (fault !== null || what !== "database") return finding(fault);
    const few = await connectionFault(db, config);
    if (few !== null) return { what, fault: few, mend: mendConnections };
    return { what, ...((await findHeldUp(db)) ?? well) };
  } catch (error) {
    return finding(toReason(error));
  } finally {
    await close();
  }
}

const longWaitS = 2;

/** Whose locks others wait for, or keep them from a table, if it waits for none itself, so that its end helps. */
async function findHeldUp(db: Db): Promise<Omit<Finding, "what"> | null> {
  type Holder = { pid: number; who: string; tables: string | null; seconds: number };
  const [holder] = await db.execute<Holder>(sql`
    ${blockingSessions}, held as (
      select pid, concat_ws(', ', usename, nullif(application_name, '')) as who, tables,
        case when tables is null then waits else greatest(waits, clock_timestamp() - xact_start) end as held
      from blocking)
    select pid, who, tables, extract(epoch from held)::float8 as seconds from held
    where held > make_interval(secs => ${longWaitS})
    order by held desc limit 1`);
  if (!holder) return null;
  const { pid, who, tables, seconds } = holder;
  const time = `${seconds.toFixed(0)} s`;
  return {
    fault: tables
      ? `session ${pid} (${who}) has kept others from ${tables} for ${time}`
      : `others have waited ${time} for locks that session ${pid} (${who}) holds`,
    mend: `have it end its transaction, or end it: select pg_terminate_backend(${pid})`,
  };
}

async function checkEngines(
  { meiliHosts }: CommandContext["config"],
  { engine, meili, databaseUrl }: Resources,
): Promise<Finding[]> {
  const mend = "check MEILI_HOST and MEILI_API_KEY, and that Meilisearch 1.21 or newer runs there";
  // Its health is told to everybody; tasks need the key.
  const check = (what: string, one: Pick<Engine, "readTasks" | "readWrites">): Promise<Finding> =>
    one.readTasks([0]).then(
      () => checkWriters(what, one, databaseUrl),
      (error: unknown) => ({ what, fault: toReason(error), mend }),
    );
  if (meiliHosts.length < 2) return [await check("search engine", engine)];
  return Promise.all(
    meiliHosts.map((host) =>
      check(
        `search engine ${plainUrl(host)}`,
        createEngine({ ...meili, host, clock: systemClock, writeTimeoutMs: connectTimeoutMs }),
      ),
    ),
  );
}

const writesOfMs = 3_600_000;

/**
 * A copy of the database's files has its identity. Only writes that no batch of this database knows tell that it fills the
 * same index; a process that was killed while it sent leaves a batch without its write.
 */
async function checkWriters(
  what: string,
  engine: Pick<Engine, "readWrites">,
  url: string,
): Promise<Finding> {
  const { db, close } = openDb({ url, ...alone });
  try {
    const indexes = await db.execute<{ uid: string }>(sql`
      select index_uid as uid from mirror_index where state <> 'retired'`);
    const since = new Date(systemClock.now().getTime() - writesOfMs);
    const uids = indexes.map(({ uid }) => uid);
    const writes = uids.length === 0 ? [] : await engine.readWrites(uids, since);
    const [row] = await db.execute<{ unknown: number }>(sql`
      select (select count(*) from json_to_recordset(${JSON.stringify(writes)}::text::json)
          as w("taskUid" bigint, "enqueuedAt" text)
        where not exists (select from mirror_batch
          where task_uid = "taskUid" and enqueued_at = "enqueuedAt"))::int
        - (select count(*) from mirror_batch where operation = 'replace' and task_uid is null
          and created_at > ${since.toISOString()}::timestamptz - interval '1 minute')::int as unknown`);
    const unknown = row?.unknown ?? 0;
    const fault =
      unknown > 0
        ? `writes to ${uids.join(", ")} in the last hour that are not of this database: ${unknown}`
        : null;
    const mend =
      'a copy of the database\'s files gets another MEILI_INDEX_PREFIX ("A copy of the database" in infra/operations.md); after a promotion this ends by itself';
    return { what, fault, mend };
  } catch {
    // The database is away or not migrated, as its own line says.
    return { ...well, what };
  } finally {
    await close();
  }
}

async function checkUpstream(baseUrl: string | null): Promise<Finding> {
  if (baseUrl === null) {
    return { ...well, what: "upstream: none configured, the built-in sandbox is used" };
  }
  const url = new URL(baseUrl);
  const isTls = url.protocol === "https:";
  const target = {
    host: url.hostname.replaceAll(/[[\]]/g, ""),
    port: Number(url.port || (isTls ? 443 : 80)),
  };
  const fault = await new Promise<string | null>((resolve) => {
    const socket = isTls ? connectTls({ ...target, servername: target.host }) : connectTcp(target);
    const end = (verdict: string | null) => {
      socket.destroy();
      resolve(verdict);
    };
    socket.setTimeout(connectTimeoutMs, () =>
      end(`no connection within ${connectTimeoutMs / 1000} s`),
    );
    socket.once(isTls ? "secureConnect" : "connect", () => end(null));
    socket.once("error", (error) => end(error.message));
  });
  return {
    what: `upstream ${url.host} (connection only, no call spent)`,
    fault,
    mend: "check STOREFRONT_BASE_URL, DNS, proxies and certificates",
  };
}

async function checkSecretFile(path: string): Promise<Finding> {
  const what = "client secret file";
  const mend = "check STOREFRONT_CLIENT_SECRET_FILE, and that this user may read it";
  try {
    const secret = (await readFile(path, "utf8")).trim();
    return { what, fault: secret === "" ? "it is empty" : null, mend };
  } catch (error) {
    return { what, fault: toReason(error), mend };
  }
}

async function checkMails(smtp: { url: string }): Promise<Finding> {
  const { protocol, host } = new URL(smtp.url);
  return {
    what: `mail server ${protocol}//${host} (connection and sign-in, no mail sent)`,
    fault: await checkSmtp(smtp, connectTimeoutMs),
    mend: "check SMTP_URL: protocol, port, name and password, and that the server may be reached from here",
  };
}
