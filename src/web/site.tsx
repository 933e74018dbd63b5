import type { Hono } from "hono";
import { createApp } from "../api/app.ts";
import type { ApiDeps, ApiEnv, ApiContext } from "../api/http/deps.ts";
import {
  createFailureHandler,
  type ProblemAnswer,
  allowedMethods,
  createNotFoundHandler,
} from "../api/http/problems/failures.ts";
import { isOps } from "../api/http/middleware/headers.ts";
import { answerProblem } from "../api/http/problems/instantsearch-problem.ts";
import { createLanes } from "../api/http/lanes.ts";
import { createTokenGate } from "../api/ops/token-gate.ts";
import { assetRoutes, loadAssets, type Assets } from "./shared/page/assets.ts";
import { openPage, sendPage } from "./shared/page/page.ts";
import { alertRoutes } from "./alerts/routes.tsx";
import { browseRoutes } from "./browse/routes.tsx";
import { compareRoutes } from "./compare/compare-page.tsx";
import { consoleRoutes } from "./ops/routes.tsx";
import { homeRoutes } from "./home/home-page.tsx";
import { productRoutes } from "./product/routes.tsx";
import { searchRoutes } from "./search/routes.tsx";
import { ConsoleProblem } from "./ops/shared/console-problem.tsx";
import { ProblemPage } from "./shared/page/problem-page.tsx";

const pages = [
  homeRoutes,
  searchRoutes,
  productRoutes,
  browseRoutes,
  compareRoutes,
  alertRoutes,
  consoleRoutes,
];

/** The API and the pages in one app, with the same guards. */
export function createSite(deps: ApiDeps): Hono<ApiEnv> {
  const gate = createTokenGate(deps);
  const lanes = createLanes(deps.clock);
  const app = createApp(deps, gate, lanes);
  const assets = loadAssets();
  app.route("/", assetRoutes(assets));
  const pageDeps = { ...deps, assets, gate, lanes };
  for (const routes of pages) app.route("/", routes(pageDeps));
  const answer = createProblemAnswer(assets, deps);
  app.onError(createFailureHandler(deps.logger, answer));
  const notFound = createNotFoundHandler(app, answer);
  app.notFound((c) => {
    // People add a slash to the address of a page.
    const path = c.req.path.replace(/\/+$/, "");
    const isPage = wantsPage(c) && path !== c.req.path && allowedMethods(app, path).includes("GET");
    return isPage ? c.redirect(`${path}${new URL(c.req.url).search}`, 301) : notFound(c);
  });
  return app;
}

/** Browsers get an error page; all other clients a problem document. */
function createProblemAnswer(
  assets: Assets,
  runtime: Pick<ApiDeps, "clock" | "market">,
): ProblemAnswer {
  return (c, details) => {
    if (!wantsPage(c)) return answerProblem(c, details);
    const page = openPage(c, { assets, ...runtime });
    const show = isOps(c.req.path) ? ConsoleProblem : ProblemPage;
    return sendPage(c, page, show({ page, details, requestId: c.get("requestId") }), {
      status: details.status,
      headers: { ...details.headers, "Cache-Control": "no-store" },
    });
  };
}

const forPrograms =
  /^\/(v1|ops\/v1|meili|assets|suggest|openapi\.json|healthz|readyz|metrics)(\/|$)/;

function wantsPage(c: ApiContext): boolean {
  if (forPrograms.test(c.req.path)) return false;
  return /\btext\/html\b/.test(c.req.header("Accept") ?? "");
}
