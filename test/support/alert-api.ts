import { beforeAll, expect } from "vitest";
import { judgeAll, toJudgingDeps } from "./alerts.ts";
import { storeItems } from "./catalog.ts";
import { withJson } from "./json-request.ts";
import { createKey } from "./keys.ts";
import { apiForAll } from "./opened-api.ts";
import { searchItem } from "./products.ts";

interface Told {
  kind: string;
  saved_search_id: number;
  cursor: string;
  data: { price: number };
}

/** What the answers of these routes may have. */
interface AlertBody {
  saved_search_id: number;
  name: string;
  code: string;
  events: number;
  items: Told[];
  next: string;
  errors: { parameter: string; message: string }[];
  feeds: { atom: string; json: string };
}

export const path = "/v1/saved-searches";
export const minimal = { name: "財布", query: { q: "革財布" }, rules: [{ kind: "new_match" }] };

/** The API, and a key that owns saved searches, for all tests of the file. */
export function alertApiForAll() {
  const { test, api } = apiForAll();
  let key: string;
  beforeAll(async () => {
    ({ key } = await createKey(api, {}));
  });

  /** Sends a request with the key, or with another one; null: without one. */
  async function send(method: string, to: string, body?: unknown, withKey: string | null = key) {
    const own = withKey === null ? {} : { "X-Api-Key": withKey };
    const response = await api.request(to, { method, ...withJson(body, own) });
    const { status, headers } = response;
    const text = await response.text();
    const isJson = (headers.get("Content-Type") ?? "").includes("json");
    return { status, headers, text, body: (isJson ? JSON.parse(text) : {}) as AlertBody };
  }

  async function create(body: object): Promise<AlertBody> {
    const created = await send("POST", path, { ...minimal, ...body });
    expect([created.status, created.body]).toMatchObject([201, {}]);
    const { saved_search_id: id } = created.body;
    expect(created.headers.get("Location")).toBe(`${path}/${id}`);
    return created.body;
  }

  let hour = 0;
  /** Stores a product an hour after the one before, and judges what changed. */
  async function store(id: number, over: Parameters<typeof searchItem>[1]): Promise<void> {
    const at = new Date(Date.UTC(2026, 0, 1, (hour += 1))).toISOString();
    await storeItems(test.db, at, [searchItem(id, { properPrice: null, ...over })]);
    await judgeAll(toJudgingDeps(test.db));
  }

  const events = async (after = "0") => (await send("GET", `/v1/events?after=${after}`)).body;

  return { test, api, key: () => key, send, create, store, events };
}
