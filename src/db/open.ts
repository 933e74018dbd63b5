import type { SQL } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { ipv6Host } from "../lib/ipv6-host.ts";
import * as schema from "./schema.ts";

export type Db = PostgresJsDatabase<typeof schema> & { $client: postgres.Sql };
export type Tx = Parameters<Parameters<Db["transaction"]>[0]>[0];

export interface DbOptions {
  url: string;
  /** The name of the pool in pg_stat_activity. */
  applicationName: string;
  maxConnections: number;
  statementTimeoutMs: number;
  /** How long a statement waits for a lock; by default 30 s. */
  lockTimeoutMs?: number;
  /**
   * A connection that does not answer for this long counts as dead; by default 10 s more than the
   * statement timeout.
   */
  silenceMs?: number;
  /**
   * The URL leads through a transaction pooler: nothing is prepared, and limits of a session, which
   * poolers refuse, are left to the database's role. A statement that takes longer than its timeout
   * costs its connection.
   */
  pooled?: boolean;
  /** Called with what the server tells besides its answers, which else is dropped. */
  onNotice?: (message: string) => void;
}

/** How long a process that stops inside a transaction can keep its locks. */
const idleInTransactionMs = 10_000;

export interface OpenDb {
  db: Db;
  close(): Promise<void>;
}

/**
 * Each use has its own pool, so that slow searches cannot starve the crawler. `bigint` columns become
 * numbers, because the storefront client refuses ids beyond 2^53. `fetch_types` is off, because the
 * driver's type query on a dying backend ends the process. Without it arrays cannot be parameters;
 * JSON is passed instead.
 */
export function openDb(options: DbOptions): OpenDb {
  // An option of our patch. A half-open socket never reports an error; a live server has ended the
  // statement by then.
  const silenceMs = options.silenceMs ?? options.statementTimeoutMs + (options.pooled ? 0 : 10_000);
  const patience = {
    answer_timeout: silenceMs / 1000,
    // None is sent behind another: it would wait for that one while other connections become free, and a pooler,
    // which gives the server away at the end of a statement, would never answer it.
    max_pipeline: 0,
  };
  const client = postgres(options.url, {
    ...ipv6Host(options.url),
    max: options.maxConnections,
    prepare: !options.pooled,
    fetch_types: false,
    onnotice: ({ message }) => options.onNotice?.(message ?? ""),
    connect_timeout: 10,
    // The driver's own pause grows to 20 s while queries wait. The callers have a backoff already.
    backoff: () => 0.1,
    idle_timeout: 60,
    keep_alive: 30,
    ...patience,
    types: {
      bigint: {
        to: 20,
        from: [20],
        serialize: (value: number) => String(value),
        parse: (text: string) => Number(text),
      },
    },
    connection: {
      application_name: options.applicationName,
      ...(options.pooled
        ? texts
        : {
            ...session,
            statement_timeout: options.statementTimeoutMs,
            transaction_timeout: longestMs,
            idle_in_transaction_session_timeout: idleInTransactionMs,
            lock_timeout: options.lockTimeoutMs ?? 30_000,
          }),
    },
  });
  requirePatch(client);
  const db = drizzle({ client, schema });
  // Drizzle has set one of its own.
  client.options.parsers[timestamptz] = toTimestamp;
  return {
    db,
    close: () => client.end({ timeout: 5 }),
  };
}

/** The type's number in Postgres. */
const timestamptz = 1184;

/** As Postgres writes it. One that JavaScript cannot read, such as `infinity`, is as far away as ISO 8601 has it. */
function toTimestamp(text: string): string {
  if (/^\d{4}-(?!.*BC)/.test(text)) return text;
  return /^-|BC$/.test(text) ? "0001-01-01 00:00:00+00" : "9999-12-31 23:59:59.999+00";
}

/** How times are written, and texts read, those of our functions in the database too. Every pooler takes these. */
const texts = { timezone: "UTC", datestyle: "ISO", standard_conforming_strings: "on" };

/** The longest limit that Postgres knows. The driver does not send 0, which would mean none. */
const longestMs = 2 ** 31 - 1;

/**
 * What role and database may have other defaults for. A schema named like the role would come before ours; the lock
 * of a session ends with it.
 */
const session = {
  ...texts,
  search_path: "public",
  default_transaction_isolation: "read committed" as const,
  idle_session_timeout: longestMs,
};

/** One connection for large reads and writes, without limits of time, also where the role has some for its pooler. */
const openOne = (url: string, applicationName: string) =>
  postgres(url, {
    ...ipv6Host(url),
    max: 1,
    fetch_types: false,
    onnotice: () => {},
    connect_timeout: 10,
    connection: {
      ...session,
      application_name: applicationName,
      statement_timeout: longestMs,
      transaction_timeout: longestMs,
      idle_in_transaction_session_timeout: longestMs,
      lock_timeout: longestMs,
    },
  });

/** Runs `work` on such a connection. An abort closes it, and then throws the signal's reason. */
export async function withOne<T>(
  url: string,
  applicationName: string,
  work: (client: postgres.Sql) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  signal?.throwIfAborted();
  const client = openOne(url, applicationName);
  const end = () => void client.end({ timeout: 0 });
  signal?.addEventListener("abort", end, { once: true });
  try {
    // Else a statement goes on for hours without us, with its locks. Postgres on Windows has no such check.
    await client`set client_connection_check_interval = '1s'`.catch(() => {});
    return await work(client);
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener("abort", end);
    await client.end({ timeout: 5 });
  }
}

export class UnpatchedDriver extends Error {
  override readonly name = "UnpatchedDriver";
}

/** The driver ignores unknown settings; only our patch (infra/patches) knows this one. */
export function requirePatch({ options }: Pick<postgres.Sql, "options">): void {
  if ("loses_no_connection" in options) return; // the newest part of the patch
  throw new UnpatchedDriver(
    "the `postgres` driver lacks the patch in infra/patches, or has a former one: run `npm ci` where Kurabe is installed, and after `npm ci --ignore-scripts` also `npx patch-package --patch-dir infra/patches`",
  );
}

const dialect = new PgDialect();

/**
 * Like `db.execute`, for statements of every request: each connection plans them once (20 products by
 * id: 0.3 ms instead of 1.4 ms). The statement's text must not vary.
 */
export async function executePrepared<T extends Record<string, unknown>>(
  db: Db,
  query: SQL,
): Promise<T[]> {
  const { sql: text, params } = dialect.sqlToQuery(query);
  // Safe: drizzle sends the same text and parameters through the same client.
  const rows = db.$client.unsafe<T[]>(text, params as (string | number | boolean)[], {
    prepare: true,
  });
  return [...(await rows)];
}
