import type { OpenAPIHono } from "@hono/zod-openapi";
import { etagOf, sendText, type TextPayload } from "../answer.ts";
import type { ApiKeyMode, ApiEnv } from "../deps.ts";
import { completeDocument } from "./openapi-complete.ts";

export const opsSecurityScheme = "opsToken";

/** Serves the description of every route at `/openapi.json`. */
export function serveOpenapi(app: OpenAPIHono<ApiEnv>, apiKeys: ApiKeyMode): void {
  app.openAPIRegistry.registerComponent("securitySchemes", opsSecurityScheme, {
    type: "http",
    scheme: "bearer",
    description: "OPS_TOKEN, or the token created at the first start and stored in DATA_DIR",
  });
  app.openAPIRegistry.registerComponent("securitySchemes", "apiKey", {
    type: "apiKey",
    in: "header",
    name: "X-Api-Key",
    description: "A key that ops created; a wrong one is answered 401 also where none is needed",
  });
  app.openAPIRegistry.registerComponent("securitySchemes", "apiKeyAsBearer", {
    type: "http",
    scheme: "bearer",
    description: "The same key as a Bearer token",
  });
  app.openAPIRegistry.registerPath({
    method: "get",
    path: "/openapi.json",
    operationId: "getOpenapi",
    tags: ["service"],
    summary: "This description",
    responses: {
      200: {
        description: "OpenAPI 3.1",
        content: {
          "application/json": { schema: { type: "object", example: { openapi: "3.1.0" } } },
        },
        headers: { ETag: { $ref: "#/components/headers/ETag" } },
      },
      304: {
        description: "Unchanged since `If-None-Match`",
      },
    },
  });
  // Written when somebody first asks for it: that takes as long as the rest of the app.
  let payload: TextPayload | null = null;
  app.get("/openapi.json", (c) => sendText(c, (payload ??= describe(app, apiKeys))));
}

function describe(app: OpenAPIHono<ApiEnv>, apiKeys: ApiKeyMode): TextPayload {
  const document = app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "Kurabe",
      version: "1",
      license: { name: "MIT", url: "https://opensource.org/license/mit" },
      description:
        "Cross-shop product search. Every answer says how fresh it is; prices and stock are read from the catalogue at answer time.",
    },
    servers: [{ url: "/", description: "The server that serves this description" }],
    security: [...(apiKeys === "required" ? [] : [{}]), { apiKey: [] }, { apiKeyAsBearer: [] }],
    tags: [
      { name: "products", description: "Search and look up products" },
      { name: "offers", description: "The same product across shops" },
      { name: "shops", description: "The shops that sell them" },
      { name: "categories", description: "The categories of products" },
      { name: "alerts", description: "Saved searches, and being told of changes; with an API key" },
      { name: "instantsearch", description: "Meilisearch's read protocol, for InstantSearch" },
      { name: "service", description: "State of the service itself" },
      { name: "ops", description: "For operators, with the ops token" },
    ],
  });
  completeDocument(document);
  const text = JSON.stringify(document);
  return { text, contentType: "application/json; charset=utf-8", etag: etagOf(text) };
}
