import { z } from "@hono/zod-openapi";
import { readSnapshotManifest, snapshotFormats, type SnapshotFile } from "../export/manifest.ts";
import { answer } from "./http/answer.ts";
import type { ApiDeps } from "./http/deps.ts";
import { refuse } from "./http/problems/problem.ts";
import { publicRoute, instantSchema, objectAnswer, failure, createRoutes } from "./http/route.ts";
import { sendFile } from "./http/send-file.ts";

const snapshotSchema = z
  .object({
    made_at: instantSchema,
    cursor: z.string().describe("the `after` of `GET /v1/changes` for this state"),
    rows: z.int().describe("products in each of the files"),
    files: z.array(
      z.object({
        file: z.string().openapi({ example: "products-20260131T051300Z.jsonl.gz" }),
        format: z.enum(snapshotFormats),
        bytes: z.int(),
        sha256: z.string().describe("of the file, in hexadecimal digits"),
      }),
    ),
  })
  .openapi("Snapshot");

const notThere = {
  404: failure("No such file now, or this catalogue publishes no snapshots"),
};

const manifestRoute = publicRoute("get /exports/manifest.json", {
  operationId: "getSnapshotManifest",
  tags: ["products"],
  summary: "Daily snapshots of all products, to begin a copy with",
  description:
    "Each file has every product that lived at that moment, without `age_s`: JSON lines with one Product each, and Parquet in which lists and objects are JSON. Load one, then follow `GET /v1/changes?after=` its `cursor`.",
  responses: {
    200: objectAnswer("The files there are", "SnapshotManifest", {
      version: z.literal(1),
      snapshots: z.array(snapshotSchema).describe("newest first"),
    }),
    304: { description: "Unchanged" },
    ...notThere,
  },
});

const binary = { schema: z.string().openapi({ format: "binary" }) };
const content = { "application/gzip": binary, "application/vnd.apache.parquet": binary };

const fileRoute = publicRoute("get /exports/{file}", {
  operationId: "getSnapshotFile",
  tags: ["products"],
  summary: "A file of a snapshot; a range resumes a broken download",
  description: "A file never changes. The oldest ones are removed when new ones are made.",
  request: { params: z.object({ file: z.string().max(200) }) },
  responses: {
    200: { description: "The file", content },
    206: { description: "The range that was asked for", content },
    304: { description: "Unchanged" },
    416: { description: "The range begins after the end of the file" },
    ...notThere,
  },
});

const contentTypes = {
  "jsonl.gz": "application/gzip",
  parquet: "application/vnd.apache.parquet",
} as const;

export function publicExportRoutes({ publicExportsDir: folder }: ApiDeps) {
  return createRoutes()
    .openapi(manifestRoute, async (c) => {
      if (folder === null) noExports();
      return answer(c, await readSnapshotManifest(folder));
    })
    .openapi(fileRoute, async (c) => {
      if (folder === null) noExports();
      const { snapshots } = await readSnapshotManifest(folder);
      const wanted = c.req.valid("param").file;
      // Only names in the manifest are opened, never a path of the caller.
      const known = snapshots
        .flatMap(({ files }): SnapshotFile[] => files)
        .find(({ file }) => file === wanted);
      const served = known && {
        ...known,
        folder,
        contentType: contentTypes[known.format],
        cacheControl: "public, max-age=31536000, immutable",
      };
      const sent = served && (await sendFile(c, served));
      return sent ?? refuse(404, "unknown_export", "no such file in the manifest; read it again");
    });
}

function noExports(): never {
  refuse(404, "no_public_exports", "this catalogue publishes no snapshots");
}
