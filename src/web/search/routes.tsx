import { Hono } from "hono";
import { raw } from "hono/html";
import type { ApiContext, ApiEnv } from "../../api/http/deps.ts";
import { answer } from "../../api/http/answer.ts";
import { readOrRefuse } from "../../api/http/route.ts";
import { suggestQuery, toSuggestion } from "../../api/products/search/suggest.ts";
import { livingOf } from "../../catalog/products.ts";
import { openPage, sendPage, type PageDeps } from "../shared/page/page.ts";
import { sizeText } from "../shared/product/attribute-text.ts";
import { Layout } from "../shared/page/layout.tsx";
import { mostViewed } from "../shared/product/viewed.tsx";
import { readWanted } from "../shared/product/compare-tick.tsx";
import { chosenOf, createFindValues, OtherValues } from "./filters.tsx";
import { readParams, searchedFilters } from "./search-params.ts";
import { createSearchPage } from "./search-page.tsx";
import { drawCard } from "./product-card.tsx";

export function searchRoutes(deps: PageDeps): Hono<ApiEnv> {
  const findValues = createFindValues(deps);
  const app = new Hono<ApiEnv>();
  app.get("/", createSearchPage(deps));
  app.get("/viewed", createViewedPage(deps));
  // The values of a filter while somebody types into its search field; the parameters are the page's.
  app.get("/filter-values/:name", async (c) => {
    const name = searchedFilters.find((one) => one === c.req.param("name"));
    if (name === undefined) return c.notFound();
    const page = openPage(c, deps);
    const search = readParams(page.url.searchParams);
    const values = await deps.lanes.search(search.query, deps.clientAddress(c), () =>
      findValues(search, name),
    );
    const shops =
      name === "shop_id" ? await deps.shopNames(values.map(({ value }) => value)) : null;
    const nameOf = (value: string) =>
      name === "size" ? sizeText(value) : (shops?.get(value) ?? value);
    const chosen = chosenOf(search.query, name);
    const isFound = search.finds[name] !== undefined;
    return sendPage(c, page, <OtherValues {...{ page, name, values, chosen, nameOf, isFound }} />);
  });
  // The search box of our pages works without an API key, also where the public API needs one.
  app.get("/suggest", async (c) => {
    // Other sites have `/v1/suggest`.
    c.header("Access-Control-Allow-Origin", undefined);
    const { q, limit } = readOrRefuse(suggestQuery, c.req.query());
    const { items } = await deps.suggest(q, limit);
    return answer(c, { items: items.map(toSuggestion) });
  });
  return app;
}

/** `/viewed?items=1,2`: products that a browser remembers as viewed, as they are now. */
function createViewedPage(deps: PageDeps): (c: ApiContext) => Promise<Response> {
  return async (c) => {
    const page = openPage(c, deps);
    const { m } = page;
    const { itemIds } = readWanted(c.req.queries("items") ?? [], mostViewed);
    const { records } = await deps.readProducts(itemIds);
    const cards = livingOf(itemIds, records).map((record) =>
      drawCard({ record, missingWords: [] }, page),
    );
    return sendPage(
      c,
      page,
      <Layout page={page} title={`${m.viewed.title} – ${m.name}`} noindex>
        <h1>{m.viewed.title}</h1>
        {cards.length === 0 ? (
          <p>{m.viewed.none}</p>
        ) : (
          <ul class="results">{raw(cards.join(""))}</ul>
        )}
      </Layout>,
    );
  };
}
