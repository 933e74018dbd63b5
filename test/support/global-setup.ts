import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import postgres from "postgres";
import type { TestProject } from "vitest/node";
import { z } from "zod";
import { migrateDb } from "../../src/db/migrate.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** The superuser's connection to the server, to make databases with. */
    databaseUrl: string;
    /** A migrated, empty database that nobody may connect to while it is cloned. */
    templateDatabase: string;
    meili: { host: string; apiKey: string };
    /** Temporary folder of the run; what is started on a folder below it cannot outlive the run. */
    runDir: string;
    /** `npm run test:long`: whole runs instead of their short forms. */
    long: boolean;
  }
}

const TEMPLATE = "kurabe_template";
const announcement = z.object({ databaseUrl: z.string(), host: z.string(), apiKey: z.string() });

/** Builds the `kurabe` that tests start, and starts Postgres and Meilisearch once for the whole run; the answer stops them. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const runDir = await mkdtemp(join(await realpath(tmpdir()), "kurabe-test-"));
  await chmod(runDir, 0o755);
  const script = fileURLToPath(new URL("servers.ts", import.meta.url));
  const child = spawn(process.execPath, ["--import", "tsx", script, runDir], {
    stdio: ["pipe", "pipe", "inherit"],
    detached: true,
  });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const stop = async () => {
    child.stdin.end();
    await exited;
  };
  try {
    const [{ databaseUrl, ...meili }] = await Promise.all([untilReady(child), build()]);
    project.provide("databaseUrl", databaseUrl);
    project.provide("templateDatabase", TEMPLATE);
    project.provide("meili", meili);
    project.provide("runDir", runDir);
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}

/** Where the servers are, once the template is there. */
async function untilReady(child: ChildProcess & { stdout: NodeJS.ReadableStream }) {
  const servers = announcement.parse(JSON.parse(await firstLine(child)));
  await prepareTemplate(servers.databaseUrl);
  return servers;
}

async function build(): Promise<void> {
  const child = spawn("npm", ["run", "--silent", "build"], { stdio: "inherit" });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error("the build failed; see above");
}

async function firstLine(child: ChildProcess & { stdout: NodeJS.ReadableStream }): Promise<string> {
  for await (const line of createInterface({ input: child.stdout })) return line;
  throw new Error("the test servers did not start; see above");
}

async function prepareTemplate(databaseUrl: string): Promise<void> {
  const client = postgres(databaseUrl, { max: 1, fetch_types: false, onnotice: () => {} });
  try {
    await client`create database ${client(TEMPLATE)}`;
  } finally {
    await client.end();
  }
  const url = new URL(databaseUrl);
  url.pathname = TEMPLATE;
  await migrateDb(url.href);
}
