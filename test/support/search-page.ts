import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { inject } from "vitest";
import type { ApiDeps } from "../../src/api/http/deps.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { createSearch } from "../../src/search/search.ts";
import { createTestApi } from "./api.ts";
import { closeContexts, openChromium } from "./chromium.ts";
import { storeGenerated } from "./generated.ts";
import { listenOnLoopback } from "./loopback.ts";
import { createTestMirror, drain } from "./mirror.ts";
import { openedForAll } from "./opened.ts";

/** The scripts of pages, and the containers of their widgets. */
const pages = {
  "instantsearch-page.js": ["box", "stats", "hits", "categories", "price", "sort", "pages"],
  "instantsearch-widgets-page.js":
    "box stats hits menu stock steps reduction chosen clear size second near fault".split(" "),
};

/** A search page over so many generated products, in the index and in a browser, for all tests of the file. */
export function searchPageForAll(
  name: keyof typeof pages,
  products: number,
  over: Partial<ApiDeps> = {},
) {
  const test = openedForAll(createTestMirror);
  const opened = openedForAll(async () => {
    await storeGenerated(test.db, "2026-01-01T00:00:00Z", products);
    await drain(test.db, test.start(), test.indexPrefix);
    const search = createSearch({ ...test, searchDb: test.db, clock: systemClock });
    const api = await createTestApi(test.db, { ...search, ...over }).listen();
    const site = await serveSearchPage(api.url, name);
    const browser = await openChromium(inject("runDir"));
    return {
      page: await browser.newPage(),
      load: () => opened.page.goto(site.url),
      async close() {
        await closeContexts(browser);
        await site.close();
        await api.close();
      },
    };
  });
  return { test, opened };
}

/** A page with InstantSearch on it, on an origin of its own, that searches at `api`. */
async function serveSearchPage(
  api: string,
  name: keyof typeof pages,
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
