import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import type { Logger } from "../lib/logger.ts";
import { ApiError, toErrorBody } from "./api-errors.ts";
import { createGeneralApi, type GeneralApiOptions } from "./general-api.ts";
import { requireHttps } from "./https-only.ts";
import { createOauthRoutes, type OauthOptions } from "./oauth/routes.tsx";
import { createPictureRoutes } from "./pictures.ts";
import { createReferenceRoutes } from "./pages/routes.tsx";
import { errorReply, jsonReply, refusalReply } from "./replies.ts";
import { createSearchRoutes, type SearchRoutesOptions } from "./search-routes.ts";

export type SandboxAppOptions = SearchRoutesOptions &
  GeneralApiOptions &
  OauthOptions & { logger: Logger };

type Env = { Bindings: HttpBindings };

/** The whole Storefront Commerce API, and its reference pages. */
export function createSandboxApp(options: SandboxAppOptions): Hono<Env> {
  const app = new Hono<Env>();
  app.use(requireHttps);
  app.route("/", createSearchRoutes(options));
  app.route("/", createOauthRoutes(options));
  app.route("/", createGeneralApi(options));
  app.route("/", createPictureRoutes(options.catalog));
  app.route("/", createReferenceRoutes());
  app.all("/1/*", () => refusalReply("not_found"));
  app.onError((error) => {
    if (error instanceof ApiError) return errorReply(error);
    options.logger.error({ err: error }, "the sandbox failed to answer");
    return jsonReply(500, toErrorBody("server_error"));
  });
  return app;
}
