import type { ApiDeps } from "../http/deps.ts";
import { createRoutes } from "../http/route.ts";
import { boundedBody } from "../http/middleware/request-guards.ts";
import { createOpsActions } from "./actions/actions.ts";
import { auditRoutes } from "./audit.ts";
import { backoffRoutes } from "./crawl/backoffs.ts";
import { budgetRoutes } from "./crawl/budget.ts";
import { callRoutes } from "./crawl/calls.ts";
import { deletionRoutes } from "./deletions.ts";
import { exportRoutes } from "./exports.ts";
import { jobRoutes } from "./crawl/jobs.ts";
import { keyRoutes } from "./keys.ts";
import { matchRoutes } from "./matches.ts";
import { mirrorRoutes } from "./mirror.ts";
import { pauseRoutes } from "./crawl/pause.ts";
import { planRoutes } from "./crawl/plan.ts";
import { quarantineRoutes } from "./quarantine.ts";
import { queryRoutes } from "./crawl/queries.ts";
import { authorise, type TokenGate } from "./token-gate.ts";
import { alertOpsRoutes } from "./alerts.ts";

const maxBodyBytes = 65_536;

/** Everything under /ops/v1: needs the token, is never cached, allows no other sites. */
export function opsRoutes(deps: ApiDeps, gate: TokenGate) {
  const context = { ...deps, actions: createOpsActions(deps) };
  const app = createRoutes();
  app.use("*", authorise(gate), boundedBody(maxBodyBytes));
  app.route("/", budgetRoutes(deps));
  app.route("/", callRoutes(deps));
  app.route("/", jobRoutes(context));
  app.route("/", queryRoutes(context));
  app.route("/", planRoutes(deps));
  app.route("/", pauseRoutes(context));
  app.route("/", backoffRoutes(context));
  app.route("/", mirrorRoutes(context));
  app.route("/", quarantineRoutes(context));
  app.route("/", deletionRoutes(context));
  app.route("/", exportRoutes(deps));
  app.route("/", keyRoutes(context));
  app.route("/", matchRoutes(context));
  app.route("/", alertOpsRoutes(context));
  app.route("/", auditRoutes(deps));
  return app;
}
