import type { Readable } from "node:stream";
import postgres from "postgres";

/** One consistent view of the database for large reads. Queries are our own text, never a user's. */
export interface Snapshot {
  /** Name and type (OID of pg_type) of a query's columns. */
  columns(query: string): Promise<{ name: string; type: number }[]>;
  /** Rows in batches: int8 as text, instants and dates as Date. */
  rows(query: string, batchSize: number): AsyncIterable<readonly Record<string, unknown>[]>;
  /** The result as CSV with a header line, as Postgres itself writes it. */
  csv(query: string): Promise<Readable>;
}

/** Runs `work` on a connection of its own, in one read-only transaction. */
export async function withSnapshot<T>(
  url: string,
  work: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  const client = postgres(url, {
    max: 1,
    fetch_types: false,
    onnotice: () => {},
    connection: { application_name: "kurabe:export", timezone: "UTC" },
  });
  try {
    // Awaited, because returning at once would close the connection during the transaction.
    const result = await client.begin("isolation level repeatable read read only", (tx) =>
      work({
        columns: async (query) =>
          (await tx.unsafe(`select * from (${query}) q limit 0`)).columns.map(({ name, type }) => ({
            name,
            type,
          })),
        rows: (query, batchSize) => tx.unsafe(query).cursor(batchSize),
        csv: (query) => tx.unsafe(`copy (${query}) to stdout with (format csv, header)`).readable(),
      }),
    );
    return result as T;
  } finally {
    await client.end({ timeout: 5 });
  }
}
