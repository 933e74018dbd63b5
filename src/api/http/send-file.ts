import { open } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { unlessMissing } from "../../lib/files.ts";
import { matchesEtag } from "./answer.ts";
import type { ApiContext } from "./deps.ts";

export interface ServedFile {
  folder: string;
  /** Its name there. */
  file: string;
  bytes: number;
  sha256: string;
  contentType: string;
  cacheControl: string;
}

/**
 * Sends a file, or the range that is asked for, which resumes a download. null if the file is missing or is
 * not the one described.
 */
export async function sendFile(c: ApiContext, served: ServedFile): Promise<Response | null> {
  const etag = `"${served.sha256}"`;
  const caching = { ETag: etag, "Cache-Control": served.cacheControl };
  if (matchesEtag(c.req.header("If-None-Match"), etag)) return c.body(null, 304, caching);
  const ifRange = c.req.header("If-Range");
  const range =
    ifRange === undefined || ifRange === etag ? toRange(c.req.header("Range"), served.bytes) : null;
  if (range === "unsatisfiable") {
    const headers = { ...caching, "Cache-Control": "no-store" };
    return c.body(null, 416, { ...headers, "Content-Range": `bytes */${served.bytes}` });
  }
  const { start, end } = range ?? { start: 0, end: served.bytes - 1 };
  const isHead = c.req.method === "HEAD";
  const content = await openPart(served, start, end);
  if (content === null) return null;
  if (isHead) await content.cancel();
  const body = isHead ? null : content;
  const headers = {
    ...caching,
    "Accept-Ranges": "bytes",
    "Content-Type": served.contentType,
    "Content-Length": String(end - start + 1),
    "Content-Disposition": `attachment; filename="${served.file}"`,
  };
  if (range === null) return c.newResponse(body, 200, headers);
  const part = { "Content-Range": `bytes ${start}-${end}/${served.bytes}` };
  return c.newResponse(body, 206, { ...headers, ...part });
}

interface Range {
  start: number;
  /** The last byte, included. */
  end: number;
}

/** One range, by RFC 9110 section 14. Several, and what is no range, mean the whole file: null. */
export function toRange(header: string | undefined, bytes: number): Range | "unsatisfiable" | null {
  const [, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? "") ?? [];
  if (from === undefined || to === undefined || from + to === "") return null;
  if (from === "") {
    const start = Math.max(0, bytes - Number(to));
    return start < bytes ? { start, end: bytes - 1 } : "unsatisfiable";
  }
  const start = Number(from);
  const end = to === "" ? bytes - 1 : Math.min(Number(to), bytes - 1);
  if (to !== "" && Number(to) < start) return null;
  return start < bytes ? { start, end } : "unsatisfiable";
}

/** Opened before the answer begins, so that a file which is removed meanwhile is still sent whole. */
async function openPart(
  { folder, file, bytes }: ServedFile,
  start: number,
  end: number,
): Promise<ReadableStream<Uint8Array> | null> {
  const handle = await unlessMissing(open(join(folder, file)));
  if (handle === null) return null;
  if ((await handle.stat()).size !== bytes) {
    await handle.close();
    return null;
  }
  return Readable.toWeb(handle.createReadStream({ start, end })) as ReadableStream<Uint8Array>;
}
