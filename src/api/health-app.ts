import type { OpenAPIHono } from "@hono/zod-openapi";
import type { ApiDeps } from "./http/deps.ts";
import type { ApiEnv } from "./http/env.ts";
import { createFailureHandler, createNotFoundHandler } from "./http/problems/failures.ts";
import { onlyWhenReady, requestId } from "./http/middleware/request-guards.ts";
import { createRoutes } from "./http/validation.ts";
import { healthRoutes, type HealthDeps } from "./status/health.ts";

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
