import { z } from "@hono/zod-openapi";
import { readCrawlState, type CrawlState } from "../../../crawl/safety/pause.ts";
import { membersOf, toIso } from "../../http/to-members.ts";
import { createRoutes, instantSchema, jsonAnswer } from "../../http/route.ts";
import { byApi, type OpsContext, opsRoute } from "../context.ts";

const blockSchema = z.object({
  until: instantSchema,
  code: z.string(),
  failures: z.int().describe("in a row"),
  reason: z.string(),
});

const crawlSchema = z
  .object({
    paused: z.boolean(),
    block: blockSchema
      .nullable()
      .describe(
        "why the crawler waits after failures of the upstream; `anomalous_answers`: its answers do not fit together, see `reason`",
      ),
    believed_until: instantSchema.nullable().describe("ops accepted the anomalous answers"),
  })
  .openapi("CrawlState");

const responses = { 200: jsonAnswer("The crawler's state", crawlSchema) };

const readRoute = opsRoute("get /pause", {
  operationId: "getCrawlState",
  summary: "Whether the crawler makes calls, and if not, why",
  responses,
});

const pauseRoute = opsRoute("post /pause", {
  operationId: "pauseCrawl",
  summary: "Stop making calls, in every process; the API keeps running",
  responses,
});

const resumeRoute = opsRoute("post /resume", {
  operationId: "resumeCrawl",
  summary: "Make calls again; if anomalous answers had stopped them, accept such answers for a day",
  responses,
});

export function pauseRoutes({ opsDb, actions }: OpsContext) {
  return createRoutes()
    .openapi(readRoute, async (c) => c.json(toCrawlState(await readCrawlState(opsDb)), 200))
    .openapi(pauseRoute, async (c) =>
      c.json(toCrawlState(await actions.setPaused(byApi(c), true)), 200),
    )
    .openapi(resumeRoute, async (c) =>
      c.json(toCrawlState(await actions.setPaused(byApi(c), false)), 200),
    );
}

function toCrawlState({ paused, block, believedUntil }: CrawlState): z.infer<typeof crawlSchema> {
  return {
    paused,
    block: block && membersOf(blockSchema, block),
    believed_until: toIso(believedUntil),
  };
}
