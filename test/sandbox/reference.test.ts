import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { operations } from "../../src/sandbox/operations/all-operations.ts";
import { assumptions } from "../../src/sandbox/assumptions.ts";
import { send, tokensOf } from "./owner.ts";
import { anyItem, call, start } from "./start.ts";

const parameter = z.object({ name: z.string(), "x-status": z.enum(["specified", "assumed"]) });
const pathItem = z.object({
  parameters: z.array(parameter),
  requestBody: z
    .object({
      content: z.object({ "application/x-www-form-urlencoded": z.object({ schema: z.unknown() }) }),
    })
    .optional(),
});
const openApi = z.object({
  openapi: z.literal("3.1.0"),
  paths: z.record(z.string(), z.record(z.string(), pathItem)),
});

const answered = z.object({
  content: z.object({
    "application/json": z.object({ schema: z.record(z.string(), z.unknown()) }),
  }),
});
const described = z.object({
  paths: z.record(
    z.string(),
    z.record(z.string(), z.looseObject({ responses: z.object({ "200": answered }) })).catch({}),
  ),
});

describe("the reference page", () => {
  it("has a row for each operation and marks every parameter", async () => {
    const sandbox = await start({ products: 20 });
    const response = await fetch(`${sandbox.url}/docs`);
    const html = await response.text();
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
    for (const { id, path, parameters } of operations) {
      const row = html.slice(html.indexOf(`<tr id="${id}">`)).split("</tr>")[0] ?? "";
      expect(row).toContain(path);
      for (const [name, { status }] of Object.entries(parameters)) {
        expect(row).toMatch(new RegExp(`<code>${name}(\\[0\\])?</code>.*?class="${status}"`));
      }
    }
    for (const { section } of assumptions) expect(html).toContain(`<td>${section}</td>`);
  });

  it("describes the same as OpenAPI 3.1", async () => {
    const sandbox = await start({ products: 20 });
    const answer = await fetch(`${sandbox.url}/openapi.json`);
    const { paths } = openApi.parse(await answer.json());
    for (const { method, path, parameters } of operations) {
      const described = paths[path.replaceAll(/:(\w+)/g, "{$1}")]?.[method.toLowerCase()];
      const text = JSON.stringify(described);
      for (const [name, { status }] of Object.entries(parameters)) {
        expect(text).toContain(`"${name}`);
        expect(text).toContain(`"x-status":"${status}"`);
      }
      expect(described?.requestBody === undefined).toBe(method === "GET");
    }
  });

  it("describes products with all their fields", async () => {
    const sandbox = await start({ products: 20 });
    const answer = await fetch(`${sandbox.url}/openapi.json`);
    const { paths } = described.parse(await answer.json());
    const { item_id, shop_id, title } = anyItem(sandbox);
    const refreshed = { item_id: String(item_id), shop_id };
    const { access_token: token } = await tokensOf(sandbox, shop_id);
    const bodies = {
      "/1/search": (await call(sandbox, "/1/search", { q: title })).body,
      "/1/search/refresh": (await call(sandbox, "/1/search/refresh", refreshed)).body,
      "/1/items": (await send(sandbox, { method: "GET", path: "/1/items", token })).body,
    };
    for (const [path, body] of Object.entries(bodies)) {
      const schema = paths[path]?.["get"]?.responses["200"].content["application/json"].schema;
      const ajv = new Ajv2020({ strict: false });
      expect(ajv.validate(schema ?? false, body), `${path}: ${ajv.errorsText()}`).toBe(true);
    }
  });
});
