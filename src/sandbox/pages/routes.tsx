import { Hono } from "hono";
import { page, styles, stylesPath } from "./layout.tsx";
import { toOpenApi } from "./openapi.ts";
import { ReferencePage } from "./reference.tsx";

/** The sandbox's description of itself; no part of the Storefront API. */
export function createReferenceRoutes(): Hono {
  return new Hono()
    .get("/", (c) => c.redirect("/docs"))
    .get("/docs", () => page(<ReferencePage />))
    .get("/openapi.json", (c) => c.json(toOpenApi(new URL(c.req.url).origin)))
    .get(stylesPath, (c) => c.body(styles, 200, { "content-type": "text/css; charset=utf-8" }));
}
