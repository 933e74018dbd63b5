import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { Hono } from "hono";
import { acceptedCoding, etagOf, matchesEtag } from "../answer.ts";
import type { ApiEnv } from "../deps.ts";

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Kurabe API</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="icon" href="data:,">
</head>
<body>
<div id="docs"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

/** Its style sheet is dark by a class alone. */
const startScript = `const dark = matchMedia("(prefers-color-scheme: dark)");
const follow = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", follow);
follow();
SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#docs",
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
});
`;

/** Swagger UI sets styles in its script and has icons in data URLs. Nothing is loaded from other sites. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const script = "text/javascript; charset=utf-8";
const style = "text/css; charset=utf-8";
const assets = [
  { path: "/docs", type: "text/html; charset=utf-8", load: async () => page },
  { path: "/docs/start.js", type: script, load: async () => startScript },
  { path: "/docs/swagger-ui-bundle.js", type: script, load: ofSwagger("swagger-ui-bundle.js") },
  { path: "/docs/swagger-ui.css", type: style, load: ofSwagger("swagger-ui.css") },
];

/** Serves the API's description as pages to browse and try, without other servers. */
export function docsRoutes(): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();
  for (const { path, type, load } of assets) {
    let packed: ReturnType<typeof pack> | undefined;
    app.get(path, async (c) => {
      packed ??= pack(await load());
      const { plain, zipped, etag } = await packed;
      const headers = {
        ETag: etag,
        "Cache-Control": "public, max-age=3600",
        "Content-Security-Policy": policy,
      };
      if (matchesEtag(c.req.header("If-None-Match"), etag)) return c.body(null, 304, headers);
      const typed = { ...headers, "Content-Type": type };
      const coding = acceptedCoding(c.req.header("Accept-Encoding"), ["gzip"]);
      if (coding === null) return c.body(plain, 200, typed);
      return c.body(zipped, 200, { ...typed, "Content-Encoding": coding });
    });
  }
  return app;
}

/** Compressed once per process: the bundle is 1.5 MB, a third of that compressed. */
async function pack(plain: string) {
  return { plain, zipped: new Uint8Array(await promisify(gzip)(plain)), etag: etagOf(plain) };
}

function ofSwagger(file: string): () => Promise<string> {
  return () => {
    const folder = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
    return readFile(join(folder, file), "utf8");
  };
}
