import { PassThrough } from "node:stream";
import { pipeline } from "node:stream/promises";
import type postgres from "postgres";
import { must } from "../../lib/must.ts";
import { withOne } from "../open.ts";

interface CopyOut {
  url: string;
  applicationName: string;
  /** Exported by the transaction whose data is wanted, which must still be open. */
  snapshot: string;
  /** `copy … to stdout`. */
  statement: string;
  signal?: AbortSignal | undefined;
}

/**
 * Writes what a COPY gives to the last of the streams, which is opened only then: before, nobody would hear of its
 * errors. Uses a new connection for each: the driver stops reading when the file is slower than the server, and does
 * not resume after the copy has ended.
 */
export async function copyOut(
  { url, applicationName, snapshot, statement, signal }: CopyOut,
  streams: readonly NodeJS.ReadWriteStream[],
  open: () => NodeJS.WritableStream,
): Promise<void> {
  const copy = async (client: postgres.Sql) => {
    await client.unsafe(
      `begin isolation level repeatable read read only; set transaction snapshot '${snapshot}'`,
    );
    const text = await client.unsafe(statement).readable();
    const taken = new PassThrough();
    text.on("error", (error) => taken.destroy(error)).pipe(taken);
    try {
      await pipeline([taken, ...streams, open()], { signal });
    } finally {
      // A driver that has stopped reading for a slow file never sees its connection end, and the process goes on.
      text.unpipe();
      text.resume();
    }
  };
  await withOne(url, applicationName, copy, signal);
}

/** One consistent view of the database for large reads. Queries are our own text, never a user's. */
export interface Snapshot {
  /** Until the end of the snapshot; false: another one has it. */
  takeLock(name: string): Promise<boolean>;
  /** Name and type (OID of pg_type) of a query's columns. */
  columns(query: string): Promise<{ name: string; type: number }[]>;
  /** Rows in batches: int8 as text, instants and dates as Date. */
  rows(query: string, batchSize: number): AsyncIterable<readonly Record<string, unknown>[]>;
  /** Writes the result as CSV with a header line, as Postgres itself does. */
  csv(query: string, open: () => NodeJS.WritableStream): Promise<void>;
}

const applicationName = "kurabe:export";

/** Runs `work` on a connection of its own, in one read-only transaction. */
export async function withSnapshot<T>(
  url: string,
  work: (snapshot: Snapshot) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const read = (client: postgres.Sql) =>
    client.begin("isolation level repeatable read read only", (tx) =>
      work({
        takeLock: async (name) => {
          const [row] = await tx.unsafe<{ taken: boolean }[]>(
            "select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as taken",
            [name],
          );
          return row?.taken ?? false;
        },
        columns: async (query) =>
          (await tx.unsafe(`select * from (${query}) q limit 0`)).columns.map(({ name, type }) => ({
            name,
            type,
          })),
        async *rows(query, batchSize) {
          for await (const batch of tx.unsafe(query).cursor(batchSize)) {
            yield batch;
            signal?.throwIfAborted();
          }
        },
        async csv(query, open) {
          const [exported] = await tx.unsafe<{ id: string }[]>("select pg_export_snapshot() as id");
          const snapshot = must(exported, "a snapshot").id;
          const statement = `copy (${query}) to stdout with (format csv, header)`;
          await copyOut({ url, applicationName, snapshot, statement, signal }, [], open);
        },
      }),
    );
  return (await withOne(url, applicationName, read, signal)) as T;
}
