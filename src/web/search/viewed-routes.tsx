import { Hono } from "hono";
import { raw } from "hono/html";
import type { ApiEnv } from "../../api/http/deps.ts";
import { livingOf } from "../../catalog/products.ts";
import { drawCard } from "./product-card.tsx";
import { Layout } from "../shared/page/layout.tsx";
import { openPage, sendPage, type PageDeps } from "../shared/page/page.ts";
import { mostViewed } from "../shared/product/viewed.tsx";
import { readWanted } from "../shared/product/wanted-items.ts";

/** `/viewed?items=1,2`: products that a browser remembers as viewed, as they are now. */
export function viewedRoutes(deps: PageDeps): Hono<ApiEnv> {
  return new Hono<ApiEnv>().get("/viewed", async (c) => {
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
  });
}
