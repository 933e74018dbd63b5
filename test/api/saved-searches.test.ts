import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { createJudging, type JudgingDeps } from "../../src/alerts/judging.ts";
import { createSavedSearches } from "../../src/alerts/searches-in-memory.ts";
import { orderChanges } from "../../src/catalog/change-order.ts";
import { createMarket, defaultMarket } from "../../src/catalog/market.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { silentLogger } from "../../src/lib/logger.ts";
import { sendAlerts, type AlertBody } from "../support/alert-api.ts";
import { createTestApi } from "../support/api.ts";
import { storeItems } from "../support/catalog.ts";
import { createKey } from "../support/keys.ts";
import { apiForAll } from "../support/opened-api.ts";
import { searchItem } from "../support/products.ts";

const logger = silentLogger;
const { test, api } = apiForAll();
let key: string;
let deps: JudgingDeps;

beforeAll(async () => {
  ({ key } = await createKey(api, {}));
  deps = {
    db: test.db,
    clock: systemClock,
    logger,
    timezone: "Asia/Tokyo",
    searches: createSavedSearches(logger),
  };
});

const send = (method: string, path: string, body?: unknown, withKey: string | null = key) =>
  sendAlerts(api, { method, path, body, key: withKey });

const path = "/v1/saved-searches";
const minimal = { name: "財布", query: { q: "革財布" }, rules: [{ kind: "new_match" }] };

async function create(body: object): Promise<AlertBody> {
  const created = await send("POST", path, { ...minimal, ...body });
  expect([created.status, created.body]).toMatchObject([201, {}]);
  return created.body;
}

let hour = 0;
const later = () => new Date(Date.UTC(2026, 0, 1, (hour += 1))).toISOString();

/** Stores a product and judges what changed. */
async function store(id: number, over: Parameters<typeof searchItem>[1]): Promise<void> {
  await storeItems(test.db, later(), [searchItem(id, { properPrice: null, ...over })]);
  while ((await orderChanges(test.db, systemClock)) === 0);
  const step = createJudging(deps);
  while ((await step()) === 0);
}

async function events(after = "0"): Promise<AlertBody> {
  return (await send("GET", `/v1/events?after=${after}`)).body;
}

describe("saved searches", () => {
  it("are made, listed, read, changed and deleted by their key alone", async () => {
    const query = { q: "革財布", price_max: 8000, in_stock: "true", sort: "price:asc" };
    const made = await create({ query });
    expect(made).toMatchObject({
      query: { q: "革財布", price_max: 8000, in_stock: true },
      min_change_percent: 1,
      webhook_id: null,
      paused: false,
      events: 0,
    });
    const own = `${path}/${made.saved_search_id}`;
    expect((await send("GET", own)).body.name).toBe("財布");
    const { key: other } = await createKey(api, {});
    for (const [method, body] of [["GET"], ["PATCH", { paused: true }], ["DELETE"]] as const) {
      expect((await send(method, own, body, other)).status).toBe(404);
    }
    expect((await send("GET", path, undefined, other)).body.items).toEqual([]);
    const changed = await send("PATCH", own, { paused: true, rules: [{ kind: "gone" }] });
    expect(changed.body).toMatchObject({ paused: true, rules: [{ kind: "gone" }], name: "財布" });
    expect((await send("GET", `${path}?limit=1`)).body.items).toHaveLength(1);
    expect((await send("DELETE", own)).status).toBe(204);
    expect((await send("GET", own)).status).toBe(404);
  });

  it("need a key in every mode", async () => {
    for (const [method, at] of [
      ["GET", path],
      ["GET", "/v1/events"],
      ["GET", "/v1/events/stream"],
    ] as const) {
      const refused = await send(method, at, undefined, null);
      expect([refused.status, refused.body.code]).toEqual([401, "missing_key"]);
    }
    expect((await send("POST", path, minimal, null)).status).toBe(401);
  });

  it("name every fault with what is allowed", async () => {
    const refused = await send("POST", path, {
      name: "",
      query: { q: "革", price_max: "cheap", gtin: ["123"], tint: "red", colour: "red", item_id: 0 },
      rules: [
        { kind: "price_below" },
        { kind: "cheaper" },
        { kind: "new_low", window: "7d" },
        { kind: "gone", price: 3 },
      ],
      cooldown_s: -1,
      other: 1,
    });
    expect(refused.status).toBe(400);
    const faults = Object.fromEntries(
      refused.body.errors.map(({ parameter, message }) => [parameter, message]),
    );
    expect(faults).toMatchObject({
      "query.price_max": expect.stringContaining("must be a whole number from 0"),
      "query.gtin": expect.stringContaining("is not a GTIN"),
      "query.tint": expect.stringContaining("known are: q, match"),
      "query.colour": expect.stringContaining("a saved search cannot have it"),
      "query.item_id": expect.stringContaining("from 1"),
      "rules.0.price": expect.stringContaining("must be a whole number from 1"),
      "rules.1.kind":
        "must be one of: new_match, price_below, price_drop, new_low, back_in_stock, price_rise, gone",
      "rules.2.window": "must be one of: 30d, 90d, 1y, all",
      cooldown_s: "must be a whole number from 0 to 2592000",
    });
    expect(Object.keys(faults)).toEqual(expect.arrayContaining(["name", "other", "price"]));
  });

  it("are refused with texts that cannot be stored, and with years that are not, as are webhooks", async () => {
    const refused = async (to: string, body: object) => {
      const { status, body: problem } = await send("POST", to, body);
      return [status, ...(problem.errors ?? []).map(({ parameter }) => parameter)];
    };
    for (const text of ["a\0b", "\uD800"]) {
      expect(await refused(path, { ...minimal, query: { q: text } })).toEqual([400, "query.q"]);
      const query = { shop_id: ["shop-1", text] };
      expect(await refused(path, { ...minimal, query })).toEqual([400, "query.shop_id.1"]);
      expect(await refused("/v1/webhooks", { url: `https://example.com/${text}` })).toEqual([
        400,
        "url",
      ]);
    }
    const late = { ...minimal, expires_at: "9999-12-31T23:59:59-14:00" };
    expect(await refused(path, late)).toEqual([400, "expires_at"]);
  });

  it("must be about some products that can be found, and products must be known", async () => {
    const faultOf = async (body: object) => {
      const refused = await send("POST", path, { ...minimal, ...body });
      expect(refused.status).toBe(400);
      return refused.body.errors[0];
    };
    expect(await faultOf({ query: { in_stock: true } })).toMatchObject({ parameter: "query" });
    expect(await faultOf({ query: { q: "-革" } })).toMatchObject({ parameter: "query" });
    expect(await faultOf({ query: { item_id: 999 } })).toMatchObject({
      parameter: "query.item_id",
    });
    expect(await faultOf({ query: { group_id: 999 } })).toMatchObject({
      parameter: "query.group_id",
    });
    expect(await faultOf({ webhook_id: 999 })).toMatchObject({ parameter: "webhook_id" });
    expect(await faultOf({ tell_present: true })).toMatchObject({ parameter: "tell_present" });
    expect(await faultOf({ expires_at: "2020-01-01T00:00:00Z" })).toMatchObject({
      parameter: "expires_at",
    });
    const rules = [{ kind: "gone" }, { kind: "gone" }];
    expect(await faultOf({ rules })).toMatchObject({ parameter: "rules.1.kind" });
  });
});

describe("events", () => {
  it("tell each change once, in order, to the key that asked", async () => {
    await store(10, { price: 1000 });
    const { saved_search_id: id } = await create({
      query: { item_id: 10 },
      rules: [
        { kind: "price_drop", percent: 10 },
        { kind: "price_below", price: 800 },
        { kind: "new_low", window: "90d" },
        { kind: "back_in_stock" },
        { kind: "gone" },
      ],
      cooldown_s: 0,
    });
    const { next: before } = await events();
    await store(10, { price: 950 });
    await store(10, { price: 780 });
    await store(10, { price: 780 });
    await store(10, { price: 780, stock: 0 });
    await store(10, { price: 790, stock: 2 });
    const told = await events(before);
    expect(
      told.items.map((event) => [event.kind, event.saved_search_id, event.data.price]),
    ).toEqual([
      ["new_low", id, 950],
      ["price_drop", id, 780],
      ["price_below", id, 780],
      ["new_low", id, 780],
      ["back_in_stock", id, 790],
    ]);
    expect(told.items[1]).toMatchObject({
      item_id: 10,
      saved_search_name: "財布",
      url: "https://shop-1.example.com/items/10",
      data: { prev_price: 950, percent: 17.9, title: "手作りの革財布 10" },
    });
    expect((await events(told.items[2]?.cursor)).items).toEqual(told.items.slice(3));
    expect((await events(told.next)).items).toEqual([]);
    expect((await send("GET", `${path}/${id}`)).body.events).toBe(5);
  });

  it("of present products are told once where they are asked for, and else not", async () => {
    await store(11, { price: 500 });
    const rules = [{ kind: "price_below", price: 600 }];
    const asked = await create({ query: { item_id: 11 }, rules, tell_present: true });
    const silent = await create({ query: { item_id: 11 }, rules });
    await store(11, { price: 490 });
    const { items } = await events();
    const ofBoth = items.filter(({ saved_search_id: id }) =>
      [asked.saved_search_id, silent.saved_search_id].includes(id),
    );
    expect(ofBoth.map(({ saved_search_id: id, kind, data }) => [id, kind, data.price])).toEqual([
      [asked.saved_search_id, "price_below", 500],
    ]);
  });

  it("stop with a revoked key, a pause, an expiry, and a saved search that was deleted", async () => {
    await store(12, { price: 1000 });
    const { key: revoked, key_id: revokedId } = await createKey(api, {});
    const body = {
      ...minimal,
      query: { item_id: 12 },
      rules: [{ kind: "price_rise" }],
      cooldown_s: 0,
    };
    const ofRevoked = (await send("POST", path, body, revoked)).body.saved_search_id;
    expect((await api.ops("DELETE", `/ops/v1/keys/${revokedId}`)).status).toBe(204);
    const paused = await create({ ...body, paused: true });
    const expired = await create(body);
    await test.db.execute(sql`
      update saved_search set expires_at = now() - interval '1 s' where saved_search_id = ${expired.saved_search_id}`);
    const deleted = await create(body);
    await send("DELETE", `${path}/${deleted.saved_search_id}`);
    const live = await create(body);
    await store(12, { price: 1100 });
    await send("PATCH", `${path}/${paused.saved_search_id}`, { paused: false });
    await store(12, { price: 1200 });
    const rows = await test.db.execute<{ saved_search_id: number; price: number }>(sql`
      select saved_search_id, (data->>'price')::int as price from alert_event where item_id = 12 order by event_id`);
    expect(rows.map((row) => [row.saved_search_id, row.price])).toEqual([
      [live.saved_search_id, 1100],
      [paused.saved_search_id, 1200],
      [live.saved_search_id, 1200],
    ]);
    expect(ofRevoked).toBeGreaterThan(0);
  });

  it("are read as a stream, which goes on behind the last event that the reader has", async () => {
    const { next: before } = await events();
    await store(13, { price: 1000 });
    await create({
      query: { item_id: 13 },
      rules: [{ kind: "price_drop", percent: 5 }],
      cooldown_s: 0,
    });
    await store(13, { price: 900 });
    const open = (headers: Record<string, string>) =>
      api.get("/v1/events/stream", { "X-Api-Key": key, ...headers });
    const stream = await open({ "Last-Event-ID": before });
    expect(stream.headers.get("Content-Type")).toContain("text/event-stream");
    const reader = stream.body?.getReader();
    let text = "";
    while (!/price_drop\n.*\n.*\n/.test(text)) {
      const { value, done } = (await reader?.read()) ?? { done: true };
      if (done) break;
      text += new TextDecoder().decode(value);
    }
    expect(text).toMatch(/event: price_drop\ndata: \{.*"price":900.*\}\nid: \d+\n/);
    const others = await Promise.all(Array.from({ length: 4 }, () => open({})));
    const refused = await open({});
    expect(refused.status).toBe(429);
    await Promise.all([reader?.cancel(), ...others.map(({ body }) => body?.cancel())]);
  });

  it("are feeds under secret addresses, which can be renewed", async () => {
    const made = await create({
      name: "<財布> & co",
      query: { item_id: 13 },
      rules: [{ kind: "price_drop", percent: 5 }],
    });
    await store(13, { price: 500 });
    const atom = await send("GET", made.feeds.atom, undefined, null);
    expect(atom.headers.get("Content-Type")).toContain("application/atom+xml");
    expect(atom.headers.get("Cache-Control")).toBe("private, no-cache");
    expect(atom.text).toContain("<title>&lt;財布&gt; &amp; co</title>");
    expect(atom.text).toContain("値下がり：手作りの革財布 13 ￥900 → ￥500");
    const feed = await send("GET", `${made.feeds.json}?lang=en`, undefined, null);
    expect(feed.body).toMatchObject({
      version: "https://jsonfeed.org/version/1.1",
      items: [
        {
          title: "Price drop: 手作りの革財布 13 ¥900 → ¥500",
          url: "https://shop-1.example.com/items/13",
        },
      ],
    });
    await test.db.execute(sql`update shop set shop_url = ''`);
    const market = createMarket({ ...defaultMarket, publicUrl: "https://kurabe.example" });
    const known = await createTestApi(test.db, { market }).get(made.feeds.atom);
    expect(await known.text()).toMatch(
      /<id>tag:kurabe\.example,2026:event.*href="https:\/\/kurabe\.example\/products\/13"/s,
    );
    const renewed = await send("POST", `${path}/${made.saved_search_id}/feeds`);
    expect((await send("GET", made.feeds.atom, undefined, null)).status).toBe(404);
    expect((await send("GET", renewed.body.feeds.atom, undefined, null)).status).toBe(200);
    expect((await send("GET", "/feeds/x.atom", undefined, null)).status).toBe(404);
    const [row] = await test.db.execute<{ all: string }>(sql`
      select string_agg(s::text, ' ') as all from saved_search s`);
    expect(row?.all).not.toContain(made.feeds.atom.slice(7, 39));
  });
});
