import type { OpenAPIHono } from "@hono/zod-openapi";
import { eventRoutes } from "./alerts/events.ts";
import { feedRoutes } from "./alerts/feeds.ts";
import { savedSearchRoutes } from "./alerts/saved-searches.ts";
import { categoryRoutes } from "./categories.ts";
import { holdLimits } from "./http/middleware/api-keys.ts";
import { changesRoutes } from "./products/changes.ts";
import { publicExportRoutes } from "./exports.ts";
import type { ApiDeps, ApiEnv } from "./http/deps.ts";
import { docsRoutes } from "./http/openapi/docs.ts";
import { facetRoutes } from "./products/search/facets.ts";
import { allowedMethods, postedAlone } from "./http/problems/failures.ts";
import { publicCors, securityHeaders } from "./http/middleware/headers.ts";
import { groupRoutes } from "./products/offers/groups.ts";
import { goRoutes } from "./products/go.ts";
import { healthRoutes } from "./status/health.ts";
import { historyRoutes } from "./products/history.ts";
import { observeRequests } from "./http/middleware/metrics.ts";
import type { Lanes } from "./http/lanes.ts";
import { lookupRoutes } from "./products/lookup.ts";
import { meiliRoutes } from "./instantsearch/instantsearch.ts";
import { offerRoutes } from "./products/offers/offers.ts";
import { offersLookupRoutes } from "./products/offers/offers-lookup.ts";
import { serveOpenapi } from "./http/openapi/openapi.ts";
import { opsRoutes } from "./ops/routes.ts";
import type { TokenGate } from "./ops/token-gate.ts";
import { priceDropRoutes } from "./products/price-drops.ts";
import { productRoutes } from "./products/product.ts";
import { productsRoutes } from "./products/search/products.ts";
import { refreshRoutes } from "./products/refresh.ts";
import {
  closeConnections,
  deadline,
  onlyWhenReady,
  readableBody,
  requestId,
  wellFormedUrl,
} from "./http/middleware/request-guards.ts";
import { shopRoutes } from "./shops.ts";
import { registerStateMetrics } from "./status/state-metrics.ts";
import { statusRoutes } from "./status/status.ts";
import { suggestRoutes } from "./products/search/suggest.ts";
import { createRoutes } from "./http/route.ts";
import { webhookRoutes } from "./alerts/webhooks.ts";

/** Statements for an answer must end sooner, or they would hold a connection for nobody. */
export const answerWithinMs = 10_000;

/** The whole HTTP API, but for what it answers to failures. It opens no port, so tests call `app.request()`. */
export function createApp(deps: ApiDeps, gate: TokenGate, lanes: Lanes): OpenAPIHono<ApiEnv> {
  const app = createRoutes();
  app.use(
    requestId(),
    observeRequests(deps),
    closeConnections(deps.stopping),
    securityHeaders(),
    publicCors((path) => allowedMethods(app, path)),
    onlyWhenReady(deps.isReady),
    holdLimits(deps),
    wellFormedUrl(),
    readableBody(),
    deadline(deps.clock, answerWithinMs),
  );
  for (const path of postedAlone) app.get(path, (c) => c.notFound());
  app.route("/", productsRoutes(deps, lanes));
  app.route("/", facetRoutes(deps, lanes));
  app.route("/", productRoutes(deps));
  app.route("/", lookupRoutes(deps, lanes));
  app.route("/", changesRoutes(deps, lanes));
  app.route("/", publicExportRoutes(deps));
  app.route("/", historyRoutes(deps));
  app.route("/", offersLookupRoutes(deps, lanes));
  app.route("/", offerRoutes(deps));
  app.route("/", groupRoutes(deps));
  app.route("/", refreshRoutes(deps));
  app.route("/", priceDropRoutes(deps));
  app.route("/", goRoutes(deps));
  app.route("/", shopRoutes(deps));
  app.route("/", categoryRoutes(deps));
  app.route("/", statusRoutes(deps));
  app.route("/", suggestRoutes(deps));
  app.route("/", webhookRoutes(deps));
  app.route("/", meiliRoutes(deps, lanes));
  app.route("/", savedSearchRoutes(deps));
  app.route("/", eventRoutes(deps));
  app.route("/", feedRoutes(deps));
  app.route("/", healthRoutes(deps));
  app.route("/ops/v1", opsRoutes(deps, gate));
  app.route("/", docsRoutes());
  registerStateMetrics(deps);
  serveOpenapi(app, deps.apiKeys);
  return app;
}
