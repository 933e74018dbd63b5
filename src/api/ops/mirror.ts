import { z } from "@hono/zod-openapi";
import type { IndexStatus, MirrorStatus } from "../../search/mirror/status.ts";
import { createRoutes } from "../http/validation.ts";
import { byApi, type OpsContext, opsRoute } from "./context.ts";
import { runSchema, toRun } from "./jobs.ts";
import { instantSchema, jsonAnswer, objectAnswer, orNull, conflict } from "../http/route.ts";
import { membersOf, tenths, toMembers } from "../http/to-members.ts";

const indexSchema = z
  .object({
    index_uid: z.string(),
    lag_s: z
      .number()
      .openapi({ description: "age of the oldest change that is not searchable yet" }),
    clean: z.int(),
    dirty: z.int(),
    dead_lettered: z.int(),
    dead_lettered_items: z
      .array(z.object({ item_id: z.int(), since: instantSchema, error: z.string().nullable() }))
      .openapi({ description: "documents that the engine refuses, newest first, at most 100" }),
    oldest_task_s: z
      .number()
      .openapi({ description: "if high while the engine is healthy, the engine is stuck" }),
  })
  .openapi("MirrorIndex");

const verifySchema = z.object({
  index_uid: z.string(),
  started_at: instantSchema,
  finished_at: instantSchema,
  buckets: z.int().openapi({ description: "ranges of about 1,000 products" }),
  documents: z.int(),
  missing: z.int(),
  stale: z.int(),
  stray: z.int(),
  repaired: z.int(),
});

const mirrorSchema = z
  .object({
    serving: orNull(indexSchema),
    building: orNull(indexSchema),
    last_verify: verifySchema
      .nullable()
      .openapi({ description: "the last consistency check of index and database" }),
  })
  .openapi("Mirror");

const readRoute = opsRoute({
  method: "get",
  path: "/mirror",
  operationId: "getMirror",
  summary: "How far the search index is behind the database, and the last consistency check",
  responses: { 200: jsonAnswer("Mirror", mirrorSchema) },
});

const verifyRoute = opsRoute({
  method: "post",
  path: "/mirror/verify",
  operationId: "verifyMirror",
  summary:
    "Check that index and database are equal: the versions of 100,000 products, or of more so that all are checked every day",
  responses: {
    202: jsonAnswer("The run", runSchema),
    ...conflict,
  },
});

const rebuildRoute = opsRoute({
  method: "post",
  path: "/mirror/rebuild",
  operationId: "rebuildMirror",
  summary: "Build a new index beside the serving one, and switch once it is verified",
  responses: {
    202: objectAnswer(
      "The index being built, also if its build was already running",
      "MirrorRebuild",
      { index_uid: z.string() },
    ),
  },
});

export function mirrorRoutes({ mirrorStatus, actions }: OpsContext) {
  return createRoutes()
    .openapi(readRoute, async (c) => c.json(toMirror(await mirrorStatus()), 200))
    .openapi(verifyRoute, async (c) =>
      c.json(toRun(await actions.runJob(byApi(c), "verify-mirror")), 202),
    )
    .openapi(rebuildRoute, async (c) =>
      c.json({ index_uid: await actions.startRebuild(byApi(c)) }, 202),
    );
}

function toMirror({ serving, building, lastVerify }: MirrorStatus): z.infer<typeof mirrorSchema> {
  return {
    serving: serving && toIndex(serving),
    building: building && toIndex(building),
    last_verify: lastVerify && membersOf(verifySchema, lastVerify),
  };
}

function toIndex(index: IndexStatus): z.infer<typeof indexSchema> {
  return {
    ...membersOf(indexSchema, index),
    lag_s: tenths(index.lagSeconds),
    dead_lettered_items: index.deadLetters.map(toMembers),
    oldest_task_s: tenths(index.oldestTaskSeconds),
  };
}
