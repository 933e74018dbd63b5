import { createRoute, type RouteConfig } from "@hono/zod-openapi";
import { badRequest, unavailable } from "./problem.ts";

export type RouteAt<Path extends string> = Omit<RouteConfig, "path"> & { path: Path };

/** A route of the public API, with the failures that every one of them may answer. */
export function publicRoute<Path extends string, Route extends RouteAt<Path>>(route: Route) {
  return createRoute({
    ...route,
    responses: { ...badRequest, ...unavailable, ...route.responses },
  });
}
