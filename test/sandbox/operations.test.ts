import { describe, expect, it } from "vitest";
import { must } from "../../src/lib/must.ts";
import type { Operation } from "../../src/sandbox/operations/operation.ts";
import { isNeeded } from "../../src/sandbox/pages/openapi.ts";
import { operations } from "../../src/sandbox/operations/all-operations.ts";
import { scopes } from "../../src/sandbox/scopes.ts";
import type { RunningSandbox } from "../../src/sandbox/server.ts";
import { itemWithVariations, send, tokensOf } from "./owner.ts";
import { start } from "./start.ts";

interface Situation {
  sandbox: RunningSandbox;
  token: string;
  params(id: string): Record<string, string>;
}

/** A shop with something of everything, and good parameters for each operation on it. */
async function situation(): Promise<Situation> {
  const sandbox = await start({ products: 120 });
  const item = itemWithVariations(sandbox);
  const variation = must(
    item.variations.find((v) => v.variation_stock > 0),
    "a variation in stock",
  );
  const order = must(
    sandbox.control.order({
      itemId: item.item_id,
      variationId: variation.variation_id,
      quantity: 1,
    }),
    "an order",
  );
  const { access_token: token } = await tokensOf(sandbox, item.shop_id);
  const { body } = await send(sandbox, { method: "GET", path: "/1/categories", token });
  const [category] = body["categories"] as { category_id: number }[];
  const category_id = String(must(category, "a category").category_id);
  const { clientId: client_id, clientSecret: client_secret } = sandbox.credentials;
  const search = { client_id, client_secret };
  const app = {
    client_id: sandbox.application.clientId,
    client_secret: sandbox.application.clientSecret,
  };
  const item_id = String(item.item_id);
  const variation_id = String(variation.variation_id);
  const unique_key = order.unique_key;
  const redirect_uri = "http://127.0.0.1/callback";
  const refresh_token = (await tokensOf(sandbox, item.shop_id)).refresh_token;
  const good: Record<string, Record<string, string>> = {
    "oauth-authorize": { response_type: "code", client_id: app.client_id, redirect_uri },
    // A good exchange of a code is what an OAuth library does, in oauth.test.ts.
    "oauth-token-code": { ...app, grant_type: "authorization_code", code: "none", redirect_uri },
    "oauth-token-refresh": { ...app, grant_type: "refresh_token", refresh_token },
    "users-me": {},
    items: { limit: "5", order: "price", sort: "desc" },
    "items-search": { q: item.title },
    "items-detail": { item_id },
    "items-add": {
      title: "新商品",
      price: "1200",
      "variation[0]": "赤",
      "variation_stock[0]": "2",
    },
    "items-edit": { item_id, price: "999", proper_price: "", "variation[9]": "緑" },
    "items-delete": { item_id },
    "items-add-image": { item_id, image_no: "2", image_url: "https://img.example.com/a.jpg" },
    "items-delete-image": { item_id, image_no: "1" },
    "items-edit-stock": { item_id, variation_id, variation_stock: "7" },
    "items-delete-variation": { item_id, variation_id },
    categories: {},
    "categories-add": { name: "新カテゴリ" },
    "categories-edit": { category_id, name: "改名" },
    "categories-delete": { category_id },
    "item-categories": { item_id },
    "item-categories-add": { item_id, category_id },
    "item-categories-delete": { item_id, category_id },
    orders: { limit: "10" },
    "orders-detail": { unique_key },
    "orders-edit-status": { unique_key, status: "dispatched", delivery_company_id: "1" },
    savings: {},
    "delivery-companies": {},
    search: { ...search, q: item.title },
    "search-refresh": { ...search, item_id, shop_id: item.shop_id },
  };
  return { sandbox, token, params: (id) => must(good[id], `parameters for ${id}`) };
}

/** What was not numbered is sent as is; a path takes its segments from the parameters. */
function callOf({ method, path }: Operation, params: Record<string, string>) {
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => params[name] ?? "");
  const rest = Object.entries(params).filter(([name]) => !path.includes(`:${name}`));
  return { method, path: filled, params: Object.fromEntries(rest) };
}

const belonging = ["item_id", "category_id", "unique_key"];
const isBearer = (operation: Operation) => operation.access === "bearer";
const named = (some: readonly Operation[]) => some.map((one) => [one.id, one] as const);

describe("the table of operations", () => {
  it("has the 28 rows of the specification's section 4", () => {
    expect(operations.map(({ method, path }) => `${method} ${path}`)).toMatchInlineSnapshot(`
      [
        "GET /1/oauth/authorize",
        "POST /1/oauth/token",
        "POST /1/oauth/token",
        "GET /1/users/me",
        "GET /1/items",
        "GET /1/items/search",
        "GET /1/items/detail/:item_id",
        "POST /1/items/add",
        "POST /1/items/edit",
        "POST /1/items/delete",
        "POST /1/items/add_image",
        "POST /1/items/delete_image",
        "POST /1/items/edit_stock",
        "POST /1/items/delete_variation",
        "GET /1/categories",
        "POST /1/categories/add",
        "POST /1/categories/edit",
        "POST /1/categories/delete",
        "GET /1/item_categories/detail/:item_id",
        "POST /1/item_categories/add",
        "POST /1/item_categories/delete",
        "GET /1/orders",
        "GET /1/orders/detail/:unique_key",
        "POST /1/orders/edit_status",
        "GET /1/savings",
        "GET /1/delivery_companies",
        "GET /1/search",
        "GET /1/search/refresh",
      ]
    `);
  });

  it("calls nothing specified that the specification does not show", () => {
    for (const { access, parameters } of operations) {
      for (const { status, place } of Object.values(parameters)) {
        expect(status).toBe(access === "search" || place === "path" ? "specified" : "assumed");
      }
    }
  });

  it.each(named(operations.filter((one) => one.id !== "oauth-token-code")))(
    "%s answers a good call with status 200 and the body that is described",
    async (id, operation) => {
      const { sandbox, token, params } = await situation();
      const call = callOf(operation, params(id));
      const reply = await send(sandbox, { ...call, ...(isBearer(operation) && { token }) });
      expect([reply.status, reply.body["error_description"]]).toEqual([200, undefined]);
      if (operation.answer) operation.answer.parse(reply.body);
      else expect(reply.headers.get("content-type")).toBe("text/html; charset=utf-8");
    },
  );

  it.each(named(operations))("%s refuses a call without what it needs", async (id, operation) => {
    const { sandbox, token, params } = await situation();
    const codes: Record<Operation["access"], string[]> = {
      bearer: ["bad_params", "not_found"],
      search: ["auth_error", "search_error", "bad_params"],
      oauth: ["invalid_client", "invalid_request", "invalid_grant", "bad_params"],
    };
    const needed = Object.entries(operation.parameters).filter(([, one]) => isNeeded(one));
    for (const [name, { place }] of needed) {
      const sent = { ...params(id) };
      if (place === "path") sent[name] = "0";
      else delete sent[name];
      const reply = await send(sandbox, {
        ...callOf(operation, sent),
        ...(isBearer(operation) && { token }),
      });
      if (reply.status === 303) continue; // told to the application, through the browser
      expect([name, reply.status]).toEqual([name, 400]);
      expect(codes[operation.access]).toContain(reply.body["error"]);
      expect(reply.body["error_description"]).toMatch(/。$/);
    }
  });

  it.each(named(operations.filter(isBearer)))(
    "%s refuses no token, a wrong one, and one of every other scope",
    async (id, operation) => {
      const { sandbox, params } = await situation();
      const call = callOf(operation, params(id));
      for (const token of [undefined, "nonsense"]) {
        const reply = await send(sandbox, { ...call, ...(token && { token }) });
        expect([reply.status, reply.body["error"]]).toEqual([400, "invalid_request"]);
        expect(reply.headers.get("www-authenticate")).toMatch(/^Bearer /);
      }
      const scope = "scope" in operation ? operation.scope : "read_users";
      if (scope === "read_users") return; // granted by default
      const { access_token: token } = await tokensOf(
        sandbox,
        "demo-1",
        scopes.filter((one) => one !== scope),
      );
      const reply = await send(sandbox, { ...call, token });
      expect([reply.status, reply.body["error"]]).toEqual([400, "insufficient_scope"]);
    },
  );

  it.each(named(operations.filter((one) => one.method === "POST")))(
    "%s refuses another content type",
    async (id, operation) => {
      const { sandbox, token, params } = await situation();
      const reply = await send(sandbox, {
        ...callOf(operation, params(id)),
        headers: { "content-type": "application/json" },
        ...(isBearer(operation) && { token }),
      });
      expect([reply.status, reply.body["error"]]).toEqual([400, "bad_params"]);
      expect(reply.body["error_description"]).toContain("application/x-www-form-urlencoded");
    },
  );

  it.each(
    named(
      operations.filter(
        (one) => isBearer(one) && belonging.some((name) => Object.hasOwn(one.parameters, name)),
      ),
    ),
  )("%s hides what belongs to another shop", async (id, operation) => {
    const { sandbox, params } = await situation();
    const { access_token: token } = await tokensOf(sandbox, "demo-1");
    const reply = await send(sandbox, { ...callOf(operation, params(id)), token });
    expect([reply.status, reply.body["error"]]).toEqual([400, "not_found"]);
  });
});

describe("a call that is no operation", () => {
  it.each([
    ["GET", "/1/items/edit"],
    ["POST", "/1/items"],
    ["GET", "/1/nothing"],
  ] as const)("%s %s is refused like any other", async (method, path) => {
    const { sandbox, token } = await situation();
    const reply = await send(sandbox, { method, path, token });
    expect([reply.status, reply.body["error"]]).toEqual([400, "not_found"]);
  });
});
