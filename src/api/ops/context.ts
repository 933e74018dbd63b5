import { createRoute } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { ApiDeps } from "../http/deps.ts";
import type { ApiEnv } from "../http/env.ts";
import { opsSecurityScheme } from "../http/openapi.ts";
import { badRequest, overloaded, unauthorized } from "../http/problem.ts";
import type { RouteAt } from "../http/route.ts";
import type { OpsActions } from "./actions.ts";
import type { Actor } from "./audit-log.ts";

export interface OpsContext extends ApiDeps {
  actions: OpsActions;
}

export function byApi(c: Context<ApiEnv>): Actor {
  return { via: "api", requestId: c.get("requestId"), ...c.get("operator") };
}

/** A route for operators: it needs the token, and has the failures that every one of them may answer. */
export function opsRoute<Path extends string, Route extends RouteAt<Path>>(route: Route) {
  return createRoute({
    tags: ["ops"],
    security: [{ [opsSecurityScheme]: [] }],
    ...route,
    responses: { ...badRequest, ...unauthorized, ...overloaded, ...route.responses },
  });
}
