import { z } from "@hono/zod-openapi";
import { Counter } from "prom-client";
import { readProduct } from "../../catalog/products.ts";
import type { ApiDeps, ApiContext } from "../http/deps.ts";
import { labelParam } from "../http/parameters.ts";
import { failureTexts } from "../http/openapi/openapi-complete.ts";
import { failure, gone, notFound, createRoutes, publicRoute } from "../http/route.ts";
import { refuse } from "../http/problems/problem.ts";
import { productParams, requireLiving } from "./product.ts";

/** Others are ignored, because what carries a link onwards often adds parameters of its own. */
const query = z.object({
  src: labelParam().optional().openapi({
    description: "the page's own label for its links; clicks are counted by it",
    example: "top10",
  }),
});

/** Browsers that ask for a page get a failure as one. */
function orAsPage<T extends { content: object }>(described: T) {
  return { ...described, content: { ...described.content, "text/html": { schema: z.string() } } };
}

const route = publicRoute("get /go/{item_id}", {
  operationId: "goToShop",
  tags: ["products"],
  summary: "To the product's page in its shop, and count the click",
  description:
    "For links that people follow. Clicks are counted per product, API key, `src` and day; those of programs are not. Nothing about the visitor is stored. Parameters other than `src` are ignored.",
  request: { params: productParams, query },
  responses: {
    302: {
      description: "The product's `url`",
      headers: z.object({
        Location: z.string().openapi({ example: "https://shop-1.example.com/items/100003" }),
      }),
    },
    400: orAsPage(failure(failureTexts[400])),
    401: orAsPage(failure(failureTexts[401])),
    403: orAsPage(failure(failureTexts[403])),
    404: { ...orAsPage(notFound[404]), description: "Never seen, or sold at no known web address" },
    410: orAsPage(gone[410]),
    429: orAsPage(failure(failureTexts[429])),
    503: orAsPage(failure(failureTexts[503])),
  },
});

export function goRoutes({ db, market, clicks, clientAddress, registry }: ApiDeps) {
  const outcomes = new Counter({
    name: "kurabe_clicks_total",
    help: "Links to shops followed; automated: by a program, repeated: too often by one visitor, dropped: the database did not answer for too long",
    labelNames: ["outcome"],
    registers: [registry],
  });
  // A counter that appears with its first click would hide it from increase().
  for (const outcome of ["counted", "automated", "repeated", "dropped"])
    outcomes.inc({ outcome }, 0);
  return createRoutes().openapi(route, async (c) => {
    const { item_id: itemId } = c.req.valid("param");
    const { src = null } = c.req.valid("query");
    const record = requireLiving(await readProduct(db, itemId));
    const url = market.urlOf(record);
    if (url === null) {
      const detail = "no http or https address is known where this product is sold";
      refuse(404, "product_without_url", detail);
    }
    const outcome = isAutomated(c)
      ? "automated"
      : clicks.clicked({ itemId, keyId: c.get("keyId") ?? null, src }, clientAddress(c));
    outcomes.inc({ outcome });
    c.header("Cache-Control", "no-store");
    // The shop may know which site sends it visitors, but not what they looked for there.
    c.header("Referrer-Policy", "strict-origin");
    c.header("X-Robots-Tag", "noindex, nofollow");
    return c.redirect(url, 302);
  });
}

/** Every browser that people use names itself so; programs and libraries mostly do not. */
const browser = /^(Mozilla|Opera)\//;
/**
 * Crawlers, link previews, monitors and remote-controlled browsers that also name themselves so. An
 * address in the name is that of a crawler's operator. CUBOT makes telephones.
 */
const robot =
  /(?<!cu)bot|crawl|spider|slurp|scan|preview|monitor|archive|headless|phantom|lighthouse|pagespeed|inspect|google-|googleother|mediapartners|y!j-|https?:/i;

/**
 * Whether a program and not a person follows a link: a robot, a look at the headers alone, a browser
 * that loads the page in advance, or one that loads it as a part of another page.
 */
export function isAutomated(c: ApiContext): boolean {
  const userAgent = c.req.header("User-Agent") ?? "";
  const purpose = ["Sec-Purpose", "Purpose", "X-Purpose", "X-Moz"].map((name) =>
    c.req.header(name),
  );
  const destination = c.req.header("Sec-Fetch-Dest") ?? "document";
  return (
    c.req.method === "HEAD" ||
    !browser.test(userAgent) ||
    robot.test(userAgent) ||
    /prefetch|prerender|preview/i.test(purpose.join()) ||
    destination !== "document"
  );
}
