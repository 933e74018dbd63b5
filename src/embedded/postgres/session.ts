import postgres from "postgres";
import { errorCode } from "../../lib/error-code.ts";
import type { Answer } from "../server.ts";

const STARTING = "57P03";
/** Wrong password, unknown role, refused by pg_hba.conf. */
const REFUSED = ["28P01", "28000"];

/** Logs in with our credentials and checks that the server belongs to this cluster. */
export async function askPostgres(url: string, clusterDir: string): Promise<Answer> {
  try {
    return await inSession(url, async (client) => {
      const rows = await client<{ dir: string }[]>`select current_setting('data_directory') as dir`;
      return rows[0]?.dir === clusterDir ? "ready" : "foreign";
    });
  } catch (error) {
    const code = errorCode(error) ?? "";
    if (code === STARTING) return "starting";
    return REFUSED.includes(code) ? "foreign" : "silent";
  }
}

export async function createDatabase(url: string, name: string): Promise<void> {
  await inSession(url, async (client) => {
    const found = await client`select 1 from pg_database where datname = ${name}`;
    if (found.length === 0) await client`create database ${client(name)}`;
  });
}

const SESSION_TIMEOUT_MS = 10_000;

/** A stopped process still accepts connections but never answers, so the whole session has a deadline. */
async function inSession<T>(url: string, work: (client: postgres.Sql) => Promise<T>): Promise<T> {
  const client = postgres(url, {
    max: 1,
    fetch_types: false,
    onnotice: () => {},
    connect_timeout: 3,
    connection: { application_name: "kurabe:embedded" },
  });
  const deadline = AbortSignal.timeout(SESSION_TIMEOUT_MS);
  const expired = new Promise<never>((_, reject) => {
    deadline.addEventListener("abort", () => reject(deadline.reason), { once: true });
  });
  try {
    return await Promise.race([work(client), expired]);
  } finally {
    await client.end({ timeout: 0 });
  }
}
