import { createRoute, z } from "@hono/zod-openapi";
import { sql } from "drizzle-orm";
import type { ApiDeps } from "./deps.ts";
import { unavailableProblem } from "./failures.ts";
import { Problem, unavailable } from "./problem.ts";
import { createRoutes } from "./validation.ts";
import { json } from "./schema-parts.ts";

const stateSchema = z.object({ status: z.string() });
const noStore = { "Cache-Control": "no-store" };

const aliveRoute = createRoute({
  method: "get",
  path: "/healthz",
  operationId: "getHealth",
  tags: ["service"],
  summary: "The process is alive",
  responses: {
    200: { description: "Alive", content: json(stateSchema) },
  },
});

const readyRoute = createRoute({
  method: "get",
  path: "/readyz",
  operationId: "getReadiness",
  tags: ["service"],
  summary: "The database answers and its migrations are applied",
  responses: {
    200: { description: "Ready", content: json(stateSchema) },
    ...unavailable,
  },
});

const metricsRoute = createRoute({
  method: "get",
  path: "/metrics",
  operationId: "getMetrics",
  tags: ["service"],
  summary: "Prometheus metrics",
  responses: {
    200: {
      description: "Prometheus text format",
      content: { "text/plain": { schema: z.string() } },
    },
  },
});

export function healthRoutes(deps: Pick<ApiDeps, "db" | "isReady" | "registry">) {
  return createRoutes()
    .openapi(aliveRoute, (c) => c.json({ status: "alive" }, 200, noStore))
    .openapi(readyRoute, async (c) => {
      if (!deps.isReady()) throw new Problem(unavailableProblem("not_ready", "not ready yet"));
      await deps.db.execute(sql`select 1`);
      return c.json({ status: "ready" }, 200, noStore);
    })
    .openapi(metricsRoute, async (c) => {
      const text = await deps.registry.metrics();
      return c.text(text, 200, { ...noStore, "Content-Type": deps.registry.contentType });
    });
}
