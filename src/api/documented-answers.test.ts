import { expect, it } from "vitest";
import { createAnswerCheck } from "../../test/support/documented-answers.ts";
import { readDocument } from "../../test/support/openapi.ts";

const request = { method: "GET", path: "/v1/categories?page=1" };
const headers = { "X-Request-Id": "a", "Cache-Control": "no-store" };

async function faultOf(body: unknown, init: ResponseInit = {}): Promise<string | null> {
  const check = createAnswerCheck(await readDocument());
  return check(request, Response.json(body, { headers, ...init }));
}

const category = { category: "バッグ", products: 3, in_stock: 2 };
const page = { found: 1, page: 1, per_page: 100, items: [category] };
const where = "GET /v1/categories answered";

it("an answer as described passes the check of every test's answers", async () => {
  expect(await faultOf(page)).toBeNull();
});

it("control: the check names the route, the status and the member that is wrong", async () => {
  const { found: _, ...without } = page;
  expect(await faultOf(without)).toContain(`${where} 200: the body must have required property`);
  const wrong = { ...page, items: [{ ...category, products: "3" }] };
  expect(await faultOf(wrong)).toContain(`${where} 200: /items/0/products must be integer`);
  const secret = { ...page, items: [{ ...category, secret: 1 }] };
  expect(await faultOf(secret)).toContain(`${where} 200: /items/0 must NOT have`);
  expect(await faultOf(page, { status: 418 })).toBe(`${where} 418: this status is not described`);
  expect(await faultOf(page, { headers: {} })).toBe(
    `${where} 200: the header X-Request-Id is missing`,
  );
  const html = { headers: { ...headers, "Content-Type": "text/html" } };
  expect(await faultOf(page, html)).toBe(`${where} 200: the type text/html is not described`);
});
