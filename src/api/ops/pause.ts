import { z } from "@hono/zod-openapi";
import { readCrawlState, type Block, type CrawlState } from "../../crawl/safety/pause.ts";
import { toIso } from "../products/to-product.ts";
import { createRoutes, strict } from "../http/validation.ts";
import { byApi, type OpsContext, opsRoute } from "./context.ts";
import { instantSchema, jsonAnswer } from "../http/schema-parts.ts";

const crawlSchema = z
  .object({
    paused: z.boolean(),
    block: z
      .object({
        until: instantSchema,
        code: z.string(),
        failures: z.int().openapi({ description: "in a row" }),
        reason: z.string(),
      })
      .nullable()
      .openapi({
        description:
          "why the crawler waits after failures of the upstream; `anomalous_answers`: its answers do not fit together, see `reason`",
      }),
    believed_until: instantSchema
      .nullable()
      .openapi({ description: "ops accepted the anomalous answers" }),
  })
  .openapi("CrawlState");

const responses = { 200: jsonAnswer("The crawler's state", crawlSchema) };
const request = { query: strict({}) };

const readRoute = opsRoute({
  method: "get",
  path: "/pause",
  operationId: "getCrawlState",
  summary: "Whether the crawler makes calls, and if not, why",
  request,
  responses,
});

const pauseRoute = opsRoute({
  method: "post",
  path: "/pause",
  operationId: "pauseCrawl",
  summary: "Stop making calls, in every process; the API keeps running",
  request,
  responses,
});

const resumeRoute = opsRoute({
  method: "post",
  path: "/resume",
  operationId: "resumeCrawl",
  summary: "Make calls again; if anomalous answers had stopped them, accept such answers for a day",
  request,
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

const toBlock = ({ until, code, failures, reason }: Block) => ({
  until: toIso(until),
  code,
  failures,
  reason,
});

function toCrawlState(state: CrawlState): z.infer<typeof crawlSchema> {
  const { paused, block, believedUntil } = state;
  return {
    paused,
    block: block && toBlock(block),
    believed_until: believedUntil && toIso(believedUntil),
  };
}
