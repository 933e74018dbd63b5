import { expect, it } from "vitest";
import { z } from "zod";
import { apiWithoutDb } from "../../test/support/api.ts";

it("describes every route as OpenAPI 3.1, with stable schema names", async () => {
  const response = await apiWithoutDb().get("/openapi.json");
  const document = (await response.json()) as {
    openapi: string;
    paths: Record<
      string,
      Record<string, { responses: object; security: object[]; tags: string[] }>
    >;
    components: { schemas: Record<string, object> };
    tags: { name: string }[];
  };
  expect(document.openapi).toBe("3.1.0");
  expect(
    Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method} ${path}`),
    ),
  ).toMatchSnapshot();
  expect(Object.keys(document.components.schemas).toSorted()).toMatchSnapshot();
  const tags = document.tags.map(({ name }) => name);
  expect(tags).toEqual([...new Set(tags)]);
  for (const [path, operations] of Object.entries(document.paths)) {
    const isPublic = /^\/(v1|meili)\//.test(path);
    for (const operation of Object.values(operations)) {
      // Public routes take the keys that the whole document names; alerts and others say what they need.
      const needsKey = operation.tags.includes("alerts");
      expect(operation.security === undefined).toBe(isPublic && !needsKey);
      if (!isPublic) expect(operation.security.length > 0).toBe(path.startsWith("/ops/"));
    }
  }
});

it("A11: answers 304 to whoever has the same already", async () => {
  const { get } = apiWithoutDb();
  const first = await get("/openapi.json");
  const etag = first.headers.get("ETag") ?? "";
  const second = await get("/openapi.json", { "If-None-Match": `"other", ${etag}` });
  expect(second.status).toBe(304);
  expect(await second.text()).toBe("");
  expect(second.headers.get("Vary")).toBe("Accept-Encoding");
});

it("serves the pages that browse it from this process alone", async () => {
  const page = await apiWithoutDb().get("/docs");
  const html = await page.text();
  expect(html).not.toMatch(/https?:/);
  for (const [, path = ""] of html.matchAll(/(?:src|href)="(\/[^"]+)"/g)) {
    const asset = await apiWithoutDb().get(path, { "Accept-Encoding": "gzip" });
    expect([path, asset.status]).toEqual([path, 200]);
    expect(asset.headers.get("Content-Security-Policy")).toContain("script-src 'self'");
  }
});

it("shows a product that agrees with itself", async () => {
  const document = (await (await apiWithoutDb().get("/openapi.json")).json()) as {
    paths: Record<string, { get: { responses: Record<string, OpenApiAnswer> } }>;
  };
  const answer = document.paths["/v1/products/{item_id}"]?.get.responses["200"];
  const { price, proper_price, discount_percent, reduction, ...product } = z
    .object({
      price: z.number(),
      proper_price: z.number(),
      discount_percent: z.number(),
      reduction: z.object({ percent: z.number(), low_30d: z.number(), holds: z.boolean() }),
      unit_price: z.null(),
      attributes: z.object({ quantity: z.null(), pack: z.null(), models: z.array(z.never()) }),
      url: z.string(),
      shop: z.object({ shop_url: z.string() }),
    })
    .parse(answer?.content["application/json"].example);
  expect(discount_percent).toBe(Math.floor((100 * (proper_price - price)) / proper_price));
  expect(reduction).toMatchObject({ percent: discount_percent, holds: price < reduction.low_30d });
  expect(product.url).toContain(product.shop.shop_url);
});

interface OpenApiAnswer {
  content: { "application/json": { example: unknown } };
}
