import { build } from "esbuild";
import { expect, it } from "vitest";
import { opsToken } from "../support/api.ts";
import { openConsumerProject } from "../support/consumer-project.ts";
import { storeGenerated } from "../support/generated.ts";
import { openedForAll } from "../support/opened.ts";
import { apiForAll } from "../support/opened-api.ts";

const { test, api } = apiForAll();
const served = openedForAll(async () => {
  await storeGenerated(test.db, "2026-01-01T00:00:00Z", 130);
  return api.listen();
});
const project = openedForAll(openConsumerProject);

const site = `
import { createClient, KurabeProblem, orThrow, type Product } from "kurabe/client";

declare const process: { argv: string[] };
declare const console: { log(text: string): void };

const [, , baseUrl = "", token = ""] = process.argv;
const kurabe = createClient({ baseUrl, retries: 1 });
const ops = createClient({ baseUrl, headers: { Authorization: \`Bearer \${token}\` } });

const seen: number[] = [];
for await (const page of kurabe.searchPages({ sort: "price:asc", per_page: 50 })) {
  for (const item of page.items) seen.push(item.item_id);
}
const id = seen[0] ?? 0;
const product: Product = await orThrow(
  kurabe.GET("/v1/products/{item_id}", { params: { path: { item_id: id } } }),
);
const { items } = await orThrow(
  kurabe.POST("/v1/products/lookup", { body: { item_ids: seen.slice(0, 3) } }),
);
// @ts-expect-error there is no such parameter
const refused = await orThrow(kurabe.GET("/v1/products", { params: { query: { tint: "red" } } }))
  .then(() => null)
  .catch((error: unknown) => (error instanceof KurabeProblem ? error : null));
const price: number = product.price;
const budget = await orThrow(ops.GET("/ops/v1/budget"));
// @ts-expect-error a budget has no such member
const nothing: unknown = budget.price;
console.log(
  JSON.stringify({
    seen: new Set(seen).size,
    same: product.item_id === id && price > 0 && nothing === undefined,
    items: items.length,
    code: refused?.code,
    parameter: refused?.errors[0]?.parameter,
    request: refused?.request_id?.length,
    limit: budget.limit,
  }),
);
`;

const expected = {
  seen: 130,
  same: true,
  items: 3,
  code: "invalid_parameters",
  parameter: "tint",
  request: 36,
  limit: 10_000,
};

it("a project compiles against the packed client, and runs on the API", async () => {
  const stdout = await project.run(site, [served.url, opsToken]);
  expect(JSON.parse(stdout)).toEqual(expected);
});

it("the packed client has nothing of Node: it bundles for browsers", async () => {
  const bundled = await build({
    stdin: { contents: 'export * from "kurabe/client"', resolveDir: project.folder },
    bundle: true,
    platform: "browser",
    format: "esm",
    write: false,
    minify: true,
    logLevel: "silent",
  });
  expect(bundled.warnings).toEqual([]);
  expect(bundled.outputFiles[0]?.contents.length).toBeLessThan(20_000);
});
