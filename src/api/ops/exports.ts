import { z } from "@hono/zod-openapi";
import { exportedFile, readManifest } from "../../export/manifest.ts";
import type { ApiDeps } from "../http/deps.ts";
import { refuse } from "../http/problems/problem.ts";
import { objectAnswer, notFound, createRoutes } from "../http/route.ts";
import { sendFile } from "../http/send-file.ts";
import { opsRoute } from "./context.ts";

const fileSchema = exportedFile
  .extend({ day: z.string().describe("of the marketplace's calendar") })
  .openapi("ExportedFile");

const listRoute = opsRoute("get /exports", {
  operationId: "listExports",
  summary: "Files written by `kurabe export`, finished ones only",
  responses: {
    200: objectAnswer("The manifest", "ExportManifest", {
      version: z.literal(1),
      files: z.array(fileSchema),
    }),
  },
});

const bytes = z.string().openapi({ type: "string", format: "binary" });
const fileContent = {
  "text/csv": { schema: bytes },
  "application/vnd.apache.parquet": { schema: bytes },
};
const rangeHeader = {
  description: "Which bytes of how many",
  required: true,
  schema: { type: "string" },
} as const;
const fileHeaders = {
  ETag: { $ref: "#/components/headers/ETag" },
  "Accept-Ranges": { description: "A range may be asked for", schema: { type: "string" } },
} as const;

const fileRoute = opsRoute("get /exports/{file}", {
  operationId: "getExport",
  summary: "One of these files; a range resumes a broken download",
  request: { params: z.object({ file: z.string().max(200) }) },
  responses: {
    200: { description: "The file", content: fileContent, headers: fileHeaders },
    206: {
      description: "The file from the range's first byte on",
      content: fileContent,
      headers: { ...fileHeaders, "Content-Range": rangeHeader },
    },
    304: { description: "Unchanged since `If-None-Match`" },
    416: {
      description: "The range begins after the end of the file",
      headers: { "Content-Range": rangeHeader },
    },
    ...notFound,
  },
});

export function exportRoutes({ exportsDir }: ApiDeps) {
  return createRoutes()
    .openapi(listRoute, async (c) => c.json(await readManifest(exportsDir), 200))
    .openapi(fileRoute, async (c) => {
      const { files } = await readManifest(exportsDir);
      // Only names in the manifest are opened, never a path of the caller.
      const known = files.find(({ file }) => file === c.req.valid("param").file) ?? unknownExport();
      const sent = await sendFile(c, {
        ...known,
        folder: exportsDir,
        contentType: contentTypes[known.format],
        cacheControl: "no-store",
      });
      return sent ?? unknownExport();
    });
}

const contentTypes = {
  csv: "text/csv; charset=utf-8",
  parquet: "application/vnd.apache.parquet",
};

function unknownExport(): never {
  refuse(404, "unknown_export", "no such file in the manifest");
}
