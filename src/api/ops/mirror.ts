import { z } from "@hono/zod-openapi";
import type { IndexStatus, MirrorStatus } from "../../search/mirror/status.ts";
import {
  createRoutes,
  strict,
  instantSchema,
  jsonAnswer,
  objectAnswer,
  orNull,
  conflict,
  nextPage,
} from "../http/route.ts";
import { byApi, type OpsContext, opsRoute, rowsHandler, rowsRoute } from "./context.ts";
import { runSchema, toRun } from "./crawl/jobs.ts";
import { membersOf, tenths, toMembers } from "../http/to-members.ts";
import { readDeadLetters } from "../../search/mirror/writes/dead-letters.ts";
import { afterParam, limitParam } from "../http/parameters.ts";
import type { PlacementStatus } from "../../search/cluster/placement-status.ts";

const indexSchema = z
  .object({
    index_uid: z.string(),
    lag_s: z.number().describe("age of the oldest change that is not searchable yet"),
    clean: z.int(),
    dirty: z.int(),
    dead_lettered: z.int(),
    dead_lettered_items: z
      .array(z.object({ item_id: z.int(), since: instantSchema, error: z.string().nullable() }))
      .describe("documents that the engine refuses, newest first, at most 100"),
    oldest_task_s: z.number().describe("if high while the engine is healthy, the engine is stuck"),
  })
  .openapi("MirrorIndex");

const verifySchema = z.object({
  index_uid: z.string(),
  started_at: instantSchema,
  finished_at: instantSchema,
  buckets: z.int().describe("ranges of about 1,000 products"),
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
      .describe("the last consistency check of index and database"),
  })
  .openapi("Mirror");

const readRoute = opsRoute("get /mirror", {
  operationId: "getMirror",
  summary: "How far the search index is behind the database, and the last consistency check",
  responses: { 200: jsonAnswer("Mirror", mirrorSchema) },
});

const verifyRoute = opsRoute("post /mirror/verify", {
  operationId: "verifyMirror",
  summary:
    "Check that index and database are equal: the versions of 100,000 products, or of more so that all are checked every day",
  responses: { 202: jsonAnswer("The run", runSchema), ...conflict },
});

const rebuildRoute = opsRoute("post /mirror/rebuild", {
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

export function mirrorRoutes({ opsDb, mirrorStatus, placement, actions }: OpsContext) {
  return createRoutes()
    .openapi(readRoute, async (c) => c.json(toMirror(await mirrorStatus()), 200))
    .openapi(verifyRoute, async (c) =>
      c.json(toRun(await actions.runJob(byApi(c), "verify-mirror")), 202),
    )
    .openapi(rebuildRoute, async (c) =>
      c.json({ index_uid: await actions.startRebuild(byApi(c)) }, 202),
    )
    .openapi(deadLetterRoute, async (c) => {
      const { items, next } = await readDeadLetters(opsDb, c.req.valid("query"));
      return c.json({ items: items.map(toMembers), next }, 200);
    })
    .openapi(resendRoute, rowsHandler(actions.resendDeadLetters))
    .openapi(placementRoute, async (c) => c.json(toPlacement(await placement()), 200));
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

const letterSchema = z
  .object({
    item_id: z.int(),
    title: z.string(),
    shop_id: z.string(),
    shop_name: z.string(),
    since: instantSchema,
    error: z.string().nullable(),
  })
  .openapi("DeadLetter");

const deadLetterRoute = opsRoute("get /mirror/dead-letters", {
  operationId: "listDeadLetters",
  summary: "Products whose documents the search engine refuses, by item_id",
  request: {
    query: strict({
      limit: limitParam(200, 50),
      after: afterParam(),
    }),
  },
  responses: {
    200: objectAnswer("A page", "DeadLetterList", {
      items: z.array(letterSchema),
      next: nextPage(z.int(), "after"),
    }),
  },
});

const resendRoute = rowsRoute("/mirror/dead-letters/resend", {
  operationId: "resendDeadLetters",
  summary: "Send the documents of these products (item ids) again",
});

const hostSchema = z
  .object({
    host: z.string().describe("its address"),
    wanted: z
      .boolean()
      .describe("false: no longer in `MEILI_HOST`; its buckets move to the others"),
    up: z.boolean().describe("whether it answered now, within a second"),
    index_uid: z.string().nullable(),
    buckets: z
      .object({
        serving: z.int().describe("proven, and searched here"),
        filling: z.int().describe("being copied here, not searched yet"),
        leaving: z.int().describe("about to be deleted here"),
      })
      .openapi("PlacementBuckets"),
    dirty: z.int().describe("products that it lacks, or has in an older version"),
    lag_s: z.number().describe("age of the oldest change that it lacks"),
    verified_at: instantSchema
      .nullable()
      .describe("when a whole comparison with the database last ended"),
  })
  .openapi("PlacementHost");

const placementSchema = z
  .object({
    copies: z.int().describe("on how many hosts each product is to be"),
    buckets: z.int().describe("parts of the catalogue that move as one"),
    unsearchable_buckets: z
      .int()
      .describe("buckets that no host may be searched for; Postgres answers searches meanwhile"),
    moving_buckets: z.int().describe("copies that are being made or deleted"),
    hosts: z.array(hostSchema).describe("empty with one search host"),
  })
  .openapi("Placement");

const placementRoute = opsRoute("get /placement", {
  operationId: "getPlacement",
  summary: "Which of several search hosts has which share of the products",
  responses: { 200: jsonAnswer("Placement", placementSchema) },
});

function toPlacement(status: PlacementStatus): z.infer<typeof placementSchema> {
  return {
    ...membersOf(placementSchema, status),
    moving_buckets: status.hosts.reduce((sum, host) => sum + host.filling + host.leaving, 0),
    hosts: status.hosts.map((host) => ({
      ...membersOf(hostSchema, host),
      host: host.url,
      wanted: host.isWanted,
      up: host.isUp,
      buckets: { serving: host.serving, filling: host.filling, leaving: host.leaving },
      lag_s: tenths(host.lagSeconds),
    })),
  };
}
