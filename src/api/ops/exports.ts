import { createReadStream } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { createRoute, z } from "@hono/zod-openapi";
import { readManifest, type ExportedFile } from "../../export/manifest.ts";
import { matchesEtag } from "../http/answer.ts";
import type { ApiDeps } from "../http/deps.ts";
import { notFound, Problem } from "../http/problem.ts";
import { json } from "../http/schema-parts.ts";
import { createRoutes, strict } from "../http/validation.ts";
import { opsFailures, opsRoute } from "./context.ts";

const fileSchema = z
  .object({
    file: z.string(),
    dataset: z.string(),
    format: z.enum(["parquet", "csv"]),
    day: z.string().openapi({ description: "of the marketplace's calendar" }),
    rows: z.int(),
    bytes: z.int(),
    sha256: z.string(),
    written_at: z.string(),
  })
  .openapi("ExportedFile");

const listRoute = createRoute({
  ...opsRoute,
  method: "get",
  path: "/exports",
  operationId: "listExports",
  summary: "Files written by `kurabe export`, finished ones only",
  request: { query: strict({}) },
  responses: {
    200: {
      description: "The manifest",
      content: json(
        z.object({ version: z.literal(1), files: z.array(fileSchema) }).openapi("ExportManifest"),
      ),
    },
    ...opsFailures,
  },
});

const fileRoute = createRoute({
  ...opsRoute,
  method: "get",
  path: "/exports/{file}",
  operationId: "getExport",
  summary: "One of these files; a range resumes a broken download",
  request: { params: z.object({ file: z.string().max(200) }), query: strict({}) },
  responses: {
    200: { description: "The file", content: { "application/octet-stream": { schema: z.any() } } },
    206: { description: "The file from the range's first byte on" },
    304: { description: "Unchanged" },
    416: { description: "The range begins after the end of the file" },
    ...notFound,
    ...opsFailures,
  },
});

export function exportRoutes({ exportsDir }: Pick<ApiDeps, "exportsDir">) {
  return createRoutes()
    .openapi(listRoute, async (c) => c.json(await readManifest(exportsDir), 200))
    .openapi(fileRoute, async (c) => {
      const { files } = await readManifest(exportsDir);
      // Only names in the manifest are opened, never a path of the caller.
      const known = files.find(({ file }) => file === c.req.valid("param").file);
      if (!known) {
        throw new Problem({
          status: 404,
          code: "unknown_export",
          detail: "no such file in the manifest",
        });
      }
      const etag = `"${known.sha256}"`;
      if (matchesEtag(c.req.header("If-None-Match"), etag))
        return c.body(null, 304, { ETag: etag });
      return send(exportsDir, known, {
        ETag: etag,
        range: rangeStart(c.req.header("Range"), c.req.header("If-Range"), etag),
      });
    });
}

/** Reads `bytes=N-`, which resumes a download. Anything else means the whole file. */
function rangeStart(range: string | undefined, ifRange: string | undefined, etag: string): number {
  const start = /^bytes=(\d{1,15})-$/.exec(range ?? "")?.[1];
  return start === undefined || (ifRange !== undefined && ifRange !== etag) ? 0 : Number(start);
}

function send(
  folder: string,
  known: ExportedFile,
  { ETag, range: start }: { ETag: string; range: number },
): Response {
  const headers = {
    ETag,
    "Accept-Ranges": "bytes",
    "Cache-Control": "no-store",
    "Content-Type":
      known.format === "csv" ? "text/csv; charset=utf-8" : "application/vnd.apache.parquet",
    "Content-Disposition": `attachment; filename="${known.file}"`,
  };
  if (start > 0 && start >= known.bytes) {
    const behind = { ...headers, "Content-Range": `bytes */${known.bytes}` };
    return new Response(null, { status: 416, headers: behind });
  }
  const stream = createReadStream(join(folder, known.file), { start });
  const body = Readable.toWeb(stream) as ReadableStream<Uint8Array>;
  const length = { "Content-Length": String(known.bytes - start) };
  if (start === 0) return new Response(body, { headers: { ...headers, ...length } });
  const part = `bytes ${start}-${known.bytes - 1}/${known.bytes}`;
  return new Response(body, {
    status: 206,
    headers: { ...headers, ...length, "Content-Range": part },
  });
}
