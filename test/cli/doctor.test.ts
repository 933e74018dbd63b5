import { randomBytes } from "node:crypto";
import { createServer } from "node:net";
import { sql } from "drizzle-orm";
import { afterEach, expect, inject, it, onTestFinished } from "vitest";
import { checkSmtp } from "../../src/alerts/mail/smtp.ts";
import { doctor } from "../../src/cli/doctor.ts";
import { warnOfFewConnections } from "../../src/db/connection-limit.ts";
import { createLogger } from "../../src/lib/logger.ts";
import { runCommand } from "../support/command.ts";
import { kurabeEnv } from "../support/kurabe-env.ts";
import { freePort } from "../support/free-port.ts";
import { listenOnLoopback } from "../support/loopback.ts";
import { createTestMirror, drain, fillProducts } from "../support/mirror.ts";
import { createTestDb, openPool } from "../support/postgres.ts";
import { until } from "../support/until.ts";
import { killStarted, spawnKurabe } from "../support/processes.ts";
import { startSmtpReceiver } from "../support/smtp-receiver.ts";

afterEach(killStarted);

async function settings(env: Record<string, string>): Promise<Record<string, string>> {
  const test = await createTestDb();
  onTestFinished(test.close);
  return { ...(await kurabeEnv(test.url)), ...env };
}

/** As a process, whose standard error is read too. */
async function spawnDoctor(env: Record<string, string>) {
  const kurabe = spawnKurabe(["doctor"], { env: await settings(env) });
  const code = await kurabe.ended;
  return { code, stdout: kurabe.stdout(), stderr: kurabe.stderr() };
}

const examine = async (env: Record<string, string>) => runCommand(doctor, await settings(env));

const withMails = (smtpUrl: string) => ({
  PUBLIC_URL: "https://kurabe.example",
  SMTP_URL: smtpUrl,
  SMTP_FROM: "Kurabe <alerts@kurabe.example>",
});

it("kurabe doctor says why a misspelt setting, the database, the search engine and the file with the secret cannot be used", async () => {
  const nowhere = new URL(inject("databaseUrl"));
  nowhere.pathname = "nowhere";
  const { code, stdout, stderr } = await spawnDoctor({
    DATABASE_URL: nowhere.href,
    MEILI_API_KEY: "wrong-canary",
    STOREFRONT_CLIENT_SECRET_FILE: "/nowhere/secret",
    STOREFRONT_DAYLY_LIMIT: "5",
  });
  expect(stdout).toMatch(/^FAIL {2}settings: unknown: STOREFRONT_DAYLY_LIMIT$/m);
  expect(stdout).toMatch(/^FAIL {2}database: database "nowhere" does not exist$/m);
  expect(stdout).toMatch(/^FAIL {2}search engine: .*invalid_api_key/m);
  expect(stdout).toContain("check MEILI_HOST and MEILI_API_KEY");
  expect(stdout).toMatch(/^FAIL {2}client secret file: ENOENT/m);
  expect(stdout + stderr).not.toContain("canary");
  expect(code).toBe(1);
});

it("kurabe doctor tells of a database that a newer Kurabe migrated, of a pooler and of a replica", async () => {
  const newer = await createTestDb();
  onTestFinished(newer.close);
  await newer.db.execute(sql`
    insert into drizzle.__drizzle_migrations (hash, created_at) values ('x', 9999999999999)`);
  const nowhere = `postgres://kurabe@127.0.0.1:${await freePort()}/kurabe`;
  const { code, stdout } = await examine({
    DATABASE_URL: newer.url,
    DATABASE_POOLER_URL: nowhere,
    DATABASE_REPLICA_URL: newer.url,
  });
  expect(stdout).toMatch(/^FAIL {2}database: the database was migrated by a newer Kurabe/m);
  expect(stdout).toMatch(/^FAIL {2}pooler: .*ECONNREFUSED.*\n +check DATABASE_POOLER_URL/m);
  expect(stdout).toMatch(
    /^FAIL {2}replica: it is no streaming replica\n +check DATABASE_REPLICA_/m,
  );
  expect(code).toBe(1);
});

it("kurabe doctor and a start tell that the role may open too few connections, but not where a pooler shares them", async () => {
  const test = await createTestDb();
  onTestFinished(test.close);
  const role = `few_${randomBytes(4).toString("hex")}`;
  const url = new URL(test.url);
  await test.db.execute(
    sql.raw(`
    create role ${role} login password 'few' connection limit 20;
    grant usage on schema drizzle to ${role};
    grant select on all tables in schema drizzle to ${role}`),
  );
  onTestFinished(async () => {
    await test.db.execute(sql.raw(`drop owned by ${role}; drop role ${role}`));
  });
  Object.assign(url, { username: role, password: "few" });
  const fault = /its role open 20 connections, and a process opens up to 26/;
  const { stdout } = await examine({ DATABASE_URL: url.href });
  expect(stdout).toMatch(fault);
  expect(stdout).toContain("lower DATABASE_CONNECTIONS");
  expect((await examine({ DATABASE_URL: url.href, DATABASE_CONNECTIONS: "18" })).stdout).toMatch(
    /^ok {4}database$/m,
  );
  const pooled = { DATABASE_URL: url.href, DATABASE_POOLER_URL: url.href };
  expect((await examine(pooled)).stdout).toMatch(/^ok {4}database$/m);
  const few = openPool(url.href);
  onTestFinished(few.close);
  const told: string[] = [];
  const logger = createLogger(
    { level: "warn", format: "json" },
    { write: (line: string) => void told.push(line) },
  );
  const config = { databaseConnections: 24, databasePoolerUrl: null };
  await warnOfFewConnections(few.db, config, logger);
  await warnOfFewConnections(test.db, config, logger);
  expect(told).toEqual([expect.stringMatching(fault)]);
});

it("kurabe doctor names the session whose locks hold up others, and not one that waits itself", async () => {
  const { db, url, close } = await createTestDb();
  onTestFinished(close);
  const haveWaited = async (sessions: number, seconds: number) => {
    const waiting = await db.execute(sql`
      select from pg_locks join pg_stat_activity using (pid) where not granted
        and datname = current_database() and waitstart < now() - make_interval(secs => ${seconds})`);
    return waiting.length === sessions;
  };
  const heldUp: Promise<unknown>[] = [];
  await db.transaction(async (tx) => {
    const [holder] = await tx.execute<{ pid: number }>(sql`
      select pg_backend_pid() as pid, (select count(*) from product)`);
    heldUp.push(Promise.resolve(db.execute(sql`alter table product add column more int`)));
    await until(() => haveWaited(1, 0), { what: "a change that waits" });
    heldUp.push(Promise.resolve(db.execute(sql`select from product`)));
    await until(() => haveWaited(2, 2), { what: "two that have waited for long" });
    const { code, stdout } = await examine({ DATABASE_URL: url });
    expect(stdout).toMatch(
      new RegExp(
        `^FAIL {2}database: others have waited \\d+ s for locks that session ${holder?.pid} \\(.+\\) holds$`,
        "m",
      ),
    );
    expect(code).toBe(1);
  });
  await Promise.all(heldUp);
  expect((await examine({ DATABASE_URL: url })).stdout).toMatch(/^ok {4}database$/m);
});

it("kurabe doctor names the session that keeps others from a table also while nobody waits", async () => {
  const { db, url, close } = await createTestDb();
  onTestFinished(close);
  await db.transaction(async (tx) => {
    await tx.execute(sql`lock table job_run, job in access exclusive mode`);
    const said =
      /^FAIL {2}database: session \d+ \(.+\) has kept others from job, job_run for \d+ s$/m;
    const isSaid = async () => said.test((await examine({ DATABASE_URL: url })).stdout);
    await until(isSaid, { what: "the session and its tables" });
  });
});

it("kurabe doctor tells of writes to the search index that another database made, as a copy of its files does", async () => {
  const mirrored = await createTestMirror();
  onTestFinished(mirrored.close);
  await fillProducts(mirrored.db, 1, 2);
  await drain(mirrored.db, mirrored.start(), mirrored.indexPrefix);
  const before = await examine({ DATABASE_URL: mirrored.url });
  expect(before.stdout).toMatch(/^ok {4}search engine$/m);
  const { engine, indexUid } = mirrored;
  await engine.awaitTask(await engine.addDocuments(indexUid, '{"id":1,"price":5}'), 30_000);
  const { code, stdout } = await examine({ DATABASE_URL: mirrored.url });
  expect(stdout).toMatch(
    /^FAIL {2}search engine: writes to \S+ in the last hour that are not of this database: 1\n .*MEILI_INDEX_PREFIX/m,
  );
  expect(code).toBe(1);
});

it("kurabe doctor signs in at the mail server, and sends nothing", async () => {
  const server = await startSmtpReceiver({ auth: "235 welcome" });
  const { code, stdout } = await examine(
    withMails(server.url.replace("://", "://reader:secret-canary@")),
  );
  expect(stdout).toMatch(/^ok {4}mail server smtp:\/\/127\.0\.0\.1:\d+ /m);
  expect(stdout).not.toContain("canary");
  expect(code).toBe(0);
  expect(server.received).toEqual([]);
});

it("kurabe doctor tells that the mail server refuses the password, without the password", async () => {
  const server = await startSmtpReceiver({ auth: "535 5.7.8 no secret-canary for reader" });
  const { code, stdout, stderr } = await spawnDoctor(
    withMails(server.url.replace("://", "://reader:secret-canary@")),
  );
  expect(stdout).toMatch(/^FAIL {2}mail server .*: answered 535 5\.7\.8$/m);
  expect(stdout).toContain("check SMTP_URL");
  expect(stdout + stderr).not.toContain("canary");
  expect(code).toBe(1);
});

it("a mail server that is not there, or says nothing, is told of in time", async () => {
  expect(await checkSmtp({ url: `smtp://127.0.0.1:${await freePort()}` }, 1000)).toMatch(
    /^failed: E[A-Z]+$/,
  );
  const silent = createServer(() => {});
  const { port } = await listenOnLoopback(silent);
  onTestFinished(() => void silent.close());
  expect(await checkSmtp({ url: `smtp://127.0.0.1:${port}` }, 300)).toBe("failed: ETIMEDOUT");
});
