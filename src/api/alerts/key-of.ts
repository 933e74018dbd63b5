import { refuseMissingKey } from "../http/middleware/api-keys.ts";
import type { ApiContext } from "../http/deps.ts";
import { refuse } from "../http/problems/problem.ts";
import { failure, publicRoute, type RouteAt } from "../http/route.ts";

/** A route that needs an API key. */
export function alertRoute<Path extends string, Route extends RouteAt<Path>>(route: Route) {
  return publicRoute({
    tags: ["alerts"],
    security: [{ apiKey: [] }, { apiKeyAsBearer: [] }],
    ...route,
    responses: {
      401: failure("No live API key"),
      403: failure("The API key is for pages"),
      ...route.responses,
    },
  });
}

/**
 * The key that owns what a request is about; throws 401 if it has none. A key that pages show to every
 * visitor is nobody's own: 403.
 */
export function requireOwnerKey(c: ApiContext): number {
  const keyId = c.get("keyId");
  if (keyId === null) refuseMissingKey();
  if (c.get("isKeyOfPages")) {
    const detail = "this API key is for pages, which show it to everybody; use one without origins";
    refuse(403, "key_for_pages", detail);
  }
  return keyId;
}
