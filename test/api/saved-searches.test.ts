import { describe, expect, it } from "vitest";
import { alertApiForAll, minimal, path } from "../support/alert-api.ts";
import { createKey } from "../support/keys.ts";

const { api, send, create } = alertApiForAll();

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
    expect(Object.keys(faults)).toEqual(expect.arrayContaining(["name", "other", "rules.3.price"]));
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
