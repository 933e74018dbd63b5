import { createRoute, z, type OpenAPIHono } from "@hono/zod-openapi";
import { sql } from "drizzle-orm";
import type { ApiDeps, ApiEnv } from "../http/deps.ts";
import {
  refuseForNow,
  createFailureHandler,
  createNotFoundHandler,
} from "../http/problems/failures.ts";
import { within } from "../../lib/async.ts";
import { choiceParam } from "../http/parameters.ts";
import { createRoutes, strict, jsonAnswer } from "../http/route.ts";
import { onlyWhenReady, requestId } from "../http/middleware/request-guards.ts";

const stateSchema = z.object({ status: z.string() });
const noStore = { "Cache-Control": "no-store" };

const aliveRoute = createRoute({
  method: "get",
  path: "/healthz",
  operationId: "getHealth",
  tags: ["service"],
  security: [],
  summary: "The process is alive: it answers, and no loop of its worker hangs",
  responses: { 200: jsonAnswer("Alive", stateSchema) },
});

const readyRoute = createRoute({
  method: "get",
  path: "/readyz",
  operationId: "getReadiness",
  tags: ["service"],
  security: [],
  summary:
    "The process may be sent requests: the database answers, its migrations are applied, and no stop has begun",
  request: {
    query: strict({
      exclude: choiceParam(["database"])
        .optional()
        .describe(
          "what is not asked; for load balancers, which would otherwise remove every process when the database does not answer",
        ),
    }),
  },
  responses: { 200: jsonAnswer("Ready", stateSchema) },
});

const metricsRoute = createRoute({
  method: "get",
  path: "/metrics",
  operationId: "getMetrics",
  tags: ["service"],
  security: [],
  summary: "Prometheus metrics",
  responses: {
    200: {
      description: "Prometheus text format",
      content: { "text/plain": { schema: z.string() } },
    },
  },
});

const trustMs = 1000;
const patienceMs = 1500;

export type HealthDeps = Pick<
  ApiDeps,
  "db" | "writeDb" | "replica" | "cache" | "clock" | "registry" | "stopping" | "hangingLoops"
>;

export function healthRoutes(deps: HealthDeps) {
  const databaseAnswers = deps.cache.remember("readiness", trustMs, () => probe(deps));
  return createRoutes()
    .openapi(aliveRoute, (c) => {
      const hanging = deps.hangingLoops();
      if (hanging.length > 0) {
        refuseForNow("loop_hangs", `loops of the worker hang: ${hanging.join(", ")}`);
      }
      return c.json({ status: "alive" }, 200, noStore);
    })
    .openapi(readyRoute, async (c) => {
      if (deps.stopping.aborted) {
        refuseForNow("stopping", "Kurabe is stopping; another process answers");
      }
      const { exclude } = c.req.valid("query");
      if (exclude !== "database" && !(await databaseAnswers())) {
        refuseForNow("database_unavailable", "the database does not answer");
      }
      return c.json({ status: "ready" }, 200, noStore);
    })
    .openapi(metricsRoute, async (c) => {
      const text = await deps.registry.metrics();
      return c.text(text, 200, { ...noStore, "Content-Type": deps.registry.contentType });
    });
}

/**
 * At most one statement a second for all callers, and an answer within two seconds, so that a hanging
 * database is noticed too. Never rejects, so that an outage is cached like everything else.
 */
function probe({ db, writeDb, replica, clock }: HealthDeps): Promise<boolean> {
  // With a replica one of the two is enough, also in the second until a hanging one is noticed.
  const asked = (replica ? [db, writeDb] : [db]).map((one) => one.execute(sql`select 1`));
  return within(clock, patienceMs, Promise.any(asked)).then(
    () => true,
    () => false,
  );
}

/** Health and metrics alone, of a process that serves nothing else. */
export function createHealthApp(
  deps: HealthDeps & Pick<ApiDeps, "isReady" | "logger">,
): OpenAPIHono<ApiEnv> {
  const app = createRoutes();
  app.use(requestId(), onlyWhenReady(deps.isReady));
  app.onError(createFailureHandler(deps.logger));
  app.notFound(createNotFoundHandler(app));
  return app.route("/", healthRoutes(deps));
}
