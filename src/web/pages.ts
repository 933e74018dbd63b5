import { Hono } from "hono";
import type { ApiEnv } from "../api/http/env.ts";
import { alertRoutes } from "./alerts/routes.tsx";
import { browseRoutes } from "./browse/routes.tsx";
import { compareRoutes } from "./compare/routes.tsx";
import { consoleRoutes } from "./ops/routes.tsx";
import { homeRoutes } from "./home/routes.tsx";
import { productRoutes } from "./product/routes.tsx";
import { searchRoutes } from "./search/routes.tsx";
import { viewedRoutes } from "./viewed/routes.tsx";
import type { PageDeps } from "./shared/page-deps.ts";

export function pageRoutes(deps: PageDeps): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();
  app.route("/", homeRoutes(deps));
  app.route("/", searchRoutes(deps));
  app.route("/", productRoutes(deps));
  app.route("/", browseRoutes(deps));
  app.route("/", compareRoutes(deps));
  app.route("/", viewedRoutes(deps));
  app.route("/", alertRoutes(deps));
  app.route("/", consoleRoutes(deps));
  return app;
}
