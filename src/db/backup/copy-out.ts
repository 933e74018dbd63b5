import { PassThrough } from "node:stream";
import { pipeline } from "node:stream/promises";
import type postgres from "postgres";
import { withOne } from "../open.ts";

export interface CopyOut {
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
