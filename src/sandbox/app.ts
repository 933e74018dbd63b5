import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import type { Logger } from "../lib/logger.ts";
import { ApiError } from "./api-errors.ts";
import { createGeneralApi, type GeneralApiOptions } from "./operations/routes.ts";
import { createOauthRoutes, type OauthOptions } from "./oauth/routes.tsx";
import { createPictureRoutes } from "./catalogue/pictures.ts";
import { createReferenceRoutes } from "./pages/reference.tsx";
import { jsonReply, requireHttps } from "./http.ts";
import { createSearchRoutes, type SearchRoutesOptions } from "./search/routes.ts";

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
  app.all("/1/*", () => {
    throw new ApiError("not_found");
  });
  app.onError((error) => {
    const isRefusal = error instanceof ApiError;
    if (!isRefusal) options.logger.error({ err: error }, "the sandbox failed to answer");
    const { code, description, headers } = isRefusal ? error : new ApiError("server_error");
    const body = { error: code, error_description: description };
    return jsonReply(isRefusal ? 400 : 500, body, headers);
  });
  return app;
}
