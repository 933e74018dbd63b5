import { createConfig, lintFromString } from "@redocly/openapi-core";
import { expect, it } from "vitest";
import { must } from "../../src/lib/must.ts";
import { readDocument } from "../support/openapi.ts";

const rules = {
  "no-invalid-media-type-examples": "error",
  "no-invalid-schema-examples": "error",
  "no-invalid-parameter-examples": "error",
  "no-unused-components": "error",
  "operation-operationId": "error",
  "operation-operationId-url-safe": "error",
  "operation-singular-tag": "error",
  "operation-tag-defined": "error",
  "tag-description": "error",
} as const;

async function lint(document: unknown): Promise<string[]> {
  const config = await createConfig({ extends: ["recommended-strict"], rules });
  const problems = await lintFromString({ source: JSON.stringify(document), config });
  // An address that only leads elsewhere has no 2XX.
  const redirect = "#/paths/~1go~1{item_id}/get/responses";
  const faults = problems.filter(
    ({ ruleId, location }) =>
      ruleId !== "operation-2xx-response" || location[0]?.pointer !== redirect,
  );
  return faults.map(({ ruleId, message, location }) =>
    [ruleId, location[0]?.pointer, message].join(" "),
  );
}

it("the description passes the linter, examples included", async () => {
  expect(await lint(await readDocument())).toEqual([]);
});

it("control: the linter sees an example that does not fit its schema", async () => {
  const whole = structuredClone(await readDocument());
  const document = { ...whole, paths: { "/v1/shops": must(whole.paths["/v1/shops"], "a path") } };
  const { content } = document.paths["/v1/shops"].get?.responses["200"] ?? {};
  expect(content?.["application/json"]?.example).toMatchObject({ found: 1 });
  if (content) content["application/json"] = { ...content["application/json"], example: {} };
  const faults = await lint(document);
  expect(faults).toContainEqual(
    expect.stringContaining("no-invalid-media-type-examples #/paths/~1v1~1shops"),
  );
});

it("a schema with a name is never null itself: that is said where it stands", async () => {
  const { components } = await readDocument();
  const nullable = Object.entries(components.schemas).filter(
    ([, { type }]) => Array.isArray(type) && type.includes("null"),
  );
  expect(nullable.map(([name]) => name)).toEqual([]);
  expect(JSON.stringify(components)).not.toMatch(/"allOf":[^\]]*\{"type":\["[a-z]+","null"\]\}/);
});

it("every request with a body and every JSON answer has an example", async () => {
  const { paths, components } = await readDocument();
  const without = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { requestBody, responses }]) =>
      Object.entries({ ...responses, body: requestBody ?? {} }).flatMap(([status, described]) => {
        const name = described.$ref?.split("/").at(-1) ?? "";
        const { content = {} } = described.$ref ? (components.responses[name] ?? {}) : described;
        const bare = Object.entries(content).filter(
          ([type, { example, examples }]) =>
            type.endsWith("json") && example === undefined && examples === undefined,
        );
        return bare.map(([type]) => `${method} ${path} ${status} ${type}`);
      }),
    ),
  );
  expect(without).toEqual([]);
});
