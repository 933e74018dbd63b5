import { Hono } from "hono";
import type { ApiEnv } from "../../api/http/deps.ts";
import { openPage, sendPage, type PageDeps } from "../shared/page/page.ts";
import { asksForSearch } from "../shared/search-address.ts";
import { createHomeBlocks } from "./blocks.ts";
import { HomePage } from "./home-page.tsx";

/** `/` without a search. With any parameter of one, also an empty `q`, the search page answers. */
export function homeRoutes(deps: PageDeps): Hono<ApiEnv> {
  const readBlocks = createHomeBlocks(deps);
  return new Hono<ApiEnv>().get("/", async (c, next) => {
    const page = openPage(c, deps);
    if (asksForSearch(page.url.searchParams)) return next();
    const blocks = await readBlocks();
    deps.demand.shown(
      [...blocks.drops.map(({ record }) => record), ...blocks.newest].map(({ itemId }) => itemId),
    );
    return sendPage(c, page, <HomePage page={page} blocks={blocks} />);
  });
}
