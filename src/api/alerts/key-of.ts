import { refuseMissingKey } from "../http/middleware/api-keys.ts";
import type { ApiContext } from "../http/deps.ts";
import { refuse } from "../http/problems/problem.ts";
import { failure, type Method, publicRoute, type RouteParts } from "../http/route.ts";

/** A route that needs an API key. */
export function alertRoute<M extends Method, Path extends string, Parts extends RouteParts>(
  at: `${M} ${Path}`,
  parts: Parts,
) {
  return publicRoute(at, {
    tags: ["alerts"],
    security: [{ apiKey: [] }, { apiKeyAsBearer: [] }],
    ...parts,
    responses: {
      401: failure("No live API key"),
      403: failure("The API key is for pages"),
      ...parts.responses,
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
