import { pipeline } from "node:stream/promises";
import { openOne } from "./open.ts";

export interface CopyOut {
  url: string;
  applicationName: string;
  /** Exported by the transaction whose data is wanted, which must still be open. */
  snapshot: string;
  /** `copy … to stdout`. */
  statement: string;
}

/**
 * Writes what a COPY gives to the last of the streams, which is opened only then: before, nobody would hear of its
 * errors. Uses a new connection for each: the driver stops reading when the file is slower than the server, and does
 * not resume after the copy has ended.
 */
export async function copyOut(
  { url, applicationName, snapshot, statement }: CopyOut,
  streams: readonly NodeJS.ReadWriteStream[],
  open: () => NodeJS.WritableStream,
): Promise<void> {
  const client = openOne(url, applicationName);
  try {
    await client.unsafe(
      `begin isolation level repeatable read read only; set transaction snapshot '${snapshot}'`,
    );
    const text = await client.unsafe(statement).readable();
    await pipeline([text, ...streams, open()]);
  } finally {
    await client.end({ timeout: 0 });
  }
}
