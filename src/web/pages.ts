import { Hono } from "hono";
import type { ApiDeps } from "../api/deps.ts";
import type { ApiEnv } from "../api/env.ts";
import type { Lanes } from "../api/lanes.ts";
import type { TokenGate } from "../api/ops/token-gate.ts";
import type { Assets } from "./assets.ts";
import { consoleRoutes } from "./ops/routes.tsx";
import { productRoutes } from "./product/routes.tsx";
import { searchRoutes } from "./search/routes.tsx";

/** What pages are made from: all the API has, and the files they load. */
export interface PageDeps extends ApiDeps {
  assets: Assets;
  /** The one that the ops API asks too, so that guesses at both doors count together. */
  gate: TokenGate;
  /** Where the API's expensive searches wait too. */
  lanes: Lanes;
}

export function pageRoutes(deps: PageDeps): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();
  app.route("/", searchRoutes(deps));
  app.route("/", productRoutes(deps));
  app.route("/", consoleRoutes(deps));
  return app;
}
