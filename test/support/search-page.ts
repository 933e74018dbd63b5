import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { listenOnLoopback } from "./loopback.ts";

/** The scripts of pages, and the containers of their widgets. */
const pages = {
  "instantsearch-page.js": ["box", "stats", "hits", "categories", "price", "sort", "pages"],
  "instantsearch-widgets-page.js":
    "box stats hits menu stock steps reduction chosen clear size second near fault".split(" "),
};

/** A page with InstantSearch on it, on an origin of its own, that searches at `api`. */
export async function serveSearchPage(
  api: string,
  name: keyof typeof pages = "instantsearch-page.js",
): Promise<{ url: string; close(): Promise<void> }> {
  const script = fileURLToPath(new URL(name, import.meta.url));
  const { outputFiles } = await build({
    entryPoints: [script],
    bundle: true,
    write: false,
    format: "iife",
    platform: "browser",
    define: { API: JSON.stringify(api), "process.env.NODE_ENV": '"production"' },
    logLevel: "silent",
  });
  const bundle = outputFiles[0]?.text ?? "";
  const page = `<!doctype html><meta charset="utf-8"><title>search</title>
    ${pages[name].map((id) => `<div id="${id}">${id}</div>`).join("\n")}<script src="/page.js"></script>`;
  const server = createServer((request, response) => {
    const isScript = request.url === "/page.js";
    response.setHeader("content-type", `text/${isScript ? "javascript" : "html"}; charset=utf-8`);
    response.end(isScript ? bundle : page);
  });
  const { url, close } = await listenOnLoopback(server);
  return { url: `${url}/`, close };
}
