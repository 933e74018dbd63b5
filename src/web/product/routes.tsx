import { Hono } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { ApiEnv, ApiContext } from "../../api/http/deps.ts";
import { readProductOffers } from "../../api/products/offers/offers.ts";
import { refuseOtherSites } from "../../api/http/middleware/same-origin.ts";
import { Problem, refuse } from "../../api/http/problems/problem.ts";
import { requireProduct, productParams } from "../../api/products/product.ts";
import { createRefresh } from "../../api/products/refresh.ts";
import { readHistory } from "../../catalog/history/history.ts";
import { readProduct } from "../../catalog/products.ts";
import { newOffersOf } from "../../catalog/attributes.ts";
import { readGroupHistory } from "../../matching/groups/group-history.ts";
import { openPage, sendPage, type PageDeps } from "../shared/page/page.ts";
import { toCheckOutcome, type CheckOutcome } from "./visitor-actions.tsx";
import { toOfferOrder } from "./offers.tsx";
import { ProductPage } from "./product-page.tsx";

/** A product checked within this many seconds needs no call. */
const minAgeSeconds = 10;
/** More than the chart and the table show. */
const maxIntervals = 500;
/** Products whose prices make the lowest of all shops, the cheapest in stock. */
const maxCompared = 50;

export function productRoutes(deps: PageDeps): Hono<ApiEnv> {
  const { demand } = deps;
  const refresh = createRefresh(deps);
  return new Hono<ApiEnv>()
    .get("/products/:item_id", async (c) => {
      const itemId = toItemId(c);
      const outcome = toCheckOutcome(c.req.query("check"));
      const shown = await showProduct(c, deps, { itemId, outcome });
      // Only now we know that the product exists.
      demand.opened(itemId);
      return shown;
    })
    .get("/products/:item_id/check", (c) => c.redirect(`/products/${toItemId(c)}`, 303))
    .post("/products/:item_id/check", async (c) => {
      refuseOtherSites(c);
      const itemId = toItemId(c);
      try {
        const { state } = await refresh(c, itemId, minAgeSeconds);
        return c.redirect(`/products/${itemId}?check=${state}#check`, 303);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        const outcome = toCheckOutcome(error.details.code);
        const { status, headers } = error.details;
        if (outcome === null && status !== 410) throw error;
        return showProduct(c, { ...deps, db: deps.writeDb }, { itemId, outcome, status, headers });
      }
    });
}

const itemsOf = (offers: readonly { item_id: number }[]): number[] => [
  ...new Set(offers.map((offer) => offer.item_id)),
];

function toItemId(c: ApiContext): number {
  const parsed = productParams.safeParse({ item_id: c.req.param("item_id") });
  if (parsed.success) return parsed.data.item_id;
  refuse(404, "not_found", "there is no product with this id");
}

interface Shown {
  itemId: number;
  outcome: CheckOutcome | null;
  status?: ContentfulStatusCode;
  headers?: Record<string, string> | undefined;
}

async function showProduct(
  c: ApiContext,
  deps: PageDeps,
  { itemId, outcome, status, headers }: Shown,
): Promise<Response> {
  const { db } = deps;
  const opened = openPage(c, deps);
  // The page that answers the form is the product's page.
  const url = new URL(`/products/${itemId}${opened.url.search}`, opened.url);
  // It is told once.
  url.searchParams.delete("check");
  const page = { ...opened, url };
  const record = requireProduct(await readProduct(db, itemId));
  const [history, offers] = await Promise.all([
    readHistory(db, itemId, { limit: maxIntervals, now: page.now }),
    readProductOffers(deps, record, { now: page.now }),
  ]);
  const sold = itemsOf(offers.offers);
  const compared = itemsOf(newOffersOf(offers.offers));
  const market =
    sold.length < 2
      ? null
      : {
          ...(await readGroupHistory(db, compared.slice(0, maxCompared), page.now)),
          leavesOutUsed: compared.length < sold.length,
        };
  deps.demand.shown([...sold, ...offers.similar.map((offer) => offer.item_id)]);
  return sendPage(
    c,
    page,
    <ProductPage
      {...{ page, record, history, market, offers, outcome }}
      offerOrder={toOfferOrder(c.req.query("offers"))}
    />,
    {
      status: status ?? (record.deletedAt ? 410 : 200),
      // With the API's `no-referrer` older browsers would not send `Origin` with the form.
      headers: { "Referrer-Policy": "same-origin", ...headers },
    },
  );
}
