import { describe, expect, it } from "vitest";
import { must } from "../../src/lib/must.ts";
import { anyItem, clientOf, start } from "./start.ts";

describe("the sandbox's control", () => {
  it.each([
    ["html", "BadReply", "bad_reply"],
    ["empty", "BadReply", "bad_reply"],
    ["invalid_json", "BadReply", "bad_reply"],
    ["html_400", "BadReply", "bad_reply"],
    ["redirect", "BadReply", "redirected"],
    ["oversized", "BadReply", "too_large"],
    ["huge", "BadReply", "too_large"],
    ["gzip_bomb", "BadReply", "too_large"],
    ["truncated", "RetryLater", "truncated"],
    ["reset", "RetryLater", "disconnected"],
    ["slow", "RetryLater", "timeout"],
    ["hang", "RetryLater", "timeout"],
    ["http_500", "RetryLater", "http_500"],
    ["http_502", "RetryLater", "http_502"],
    ["http_503", "RetryLater", "http_503"],
    ["day_api_limit", "StopForToday", "day_api_limit"],
    ["hour_api_limit", "StopForHour", "hour_api_limit"],
    ["auth_error", "FixCredentials", "auth_error"],
    ["invalid_request", "FixCredentials", "invalid_request"],
    ["search_error", "FixRequest", "search_error"],
    ["bad_params", "FixRequest", "bad_params"],
  ])("lets the next call fail as %s, then goes on", async (fault, name, code) => {
    const sandbox = await start({ products: 20 });
    sandbox.control.faults.fail(fault);
    const isEndless = fault === "slow" || fault === "hang";
    const client = clientOf(sandbox, isEndless ? 1500 : 20_000);
    await expect(client.search({ q: "財布" })).rejects.toMatchObject({ name, code });
    expect((await client.search({ q: "財布" })).items.length).toBeGreaterThan(0);
  });

  it.each([
    ["wrong_types", 0, 10],
    ["missing_fields", 0, 10],
    ["unreadable_items", 0, 10],
    ["one_broken_item", 9, 1],
    ["unknown_fields", 10, 0],
    ["half_of_the_items", 5, 0],
    ["empty_refresh", 0, 0],
  ])("spoils items as %s: %i readable, %i broken", async (fault, readable, broken) => {
    const sandbox = await start();
    sandbox.control.faults.fail(fault, 1, "search");
    const page = await clientOf(sandbox).search({ q: "財布" });
    expect([page.items.length, page.broken.length]).toEqual([readable, broken]);
  });

  it("lets every call about one subject fail, and no other, until it is called off", async () => {
    const sandbox = await start();
    const client = clientOf(sandbox);
    const { faults } = sandbox.control;
    const { item_id, shop_id } = anyItem(sandbox);
    const refresh = (itemIds: number[]) => client.refresh({ shopId: shop_id, itemIds });
    faults.stay("http_500", { operation: "search", q: "財布", startFrom: 10, startTo: 19 });
    faults.stay("http_503", { q: "バッグ", sort: "modified" });
    faults.stay("bad_params", { itemIds: [item_id] });
    for (let i = 0; i < 3; i += 1) {
      await expect(client.search({ q: "財布", start: 19 })).rejects.toThrow("500");
      await expect(refresh([item_id, item_id + 1])).rejects.toThrow();
      await expect(
        client.search({ q: "バッグ", sort: [{ column: "modified", direction: "desc" }] }),
      ).rejects.toThrow("503");
    }
    await client.search({ q: "財布", start: 9 });
    await client.search({ q: "財布", start: 20 });
    await client.search({ q: "バッグ" });
    await refresh([item_id + 1]);
    await client.search({ q: "陶器" });
    faults.clear();
    await client.search({ q: "財布", start: 19 });
    await refresh([item_id]);
  });

  it("spoils the items of a subject wherever they are shown, and no others", async () => {
    const sandbox = await start();
    const client = clientOf(sandbox);
    const { item_id, shop_id } = anyItem(sandbox);
    const subject = { itemIds: [item_id] };
    await fetch(`${sandbox.url}/_control/faults/lasting`, {
      method: "POST",
      body: JSON.stringify({ name: "unreadable_items", subject }),
    });
    const others = [...sandbox.catalog.ofShop(shop_id)].map((item) => item.item_id);
    const page = await client.refresh({ shopId: shop_id, itemIds: others.slice(0, 50) });
    expect(page.broken.map((item) => item.itemId)).toEqual([item_id]);
    expect(page.items).toHaveLength(Math.min(50, others.length) - 1);
  });

  it("does over HTTP what the object does", async () => {
    const sandbox = await start({ dailyLimit: 5 });
    const { item_id, shop_id, modified } = anyItem(sandbox);
    const send = async (method: string, path: string, body?: unknown) => {
      const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
      return fetch(`${sandbox.url}/_control${path}`, init);
    };
    await send("PATCH", `/items/${item_id}`, { set: { price: 77 }, silent: true });
    expect(sandbox.catalog.get(item_id)).toMatchObject({ price: 77, modified });
    await send("PATCH", `/items/${item_id}`, { set: { stock: 0 } });
    expect(sandbox.catalog.get(item_id)?.modified).toBeGreaterThan(modified);
    const bad = await send("PATCH", `/items/${item_id}`, { set: { price: "cheap" } });
    expect(bad.status).toBe(400);

    const lines = (await (await send("GET", "/items")).text()).trim().split("\n");
    expect(lines).toHaveLength(300);
    const copy: unknown = JSON.parse(must(lines[0], "a line"));
    await send("POST", "/items", { ...Object(copy), item_id: 999_999 });
    expect(sandbox.catalog.size).toBe(301);

    await send("POST", "/faults", { name: "http_503", calls: 2 });
    await expect(clientOf(sandbox).search({ q: "a" })).rejects.toMatchObject({ code: "http_503" });
    await send("DELETE", "/faults");
    await clientOf(sandbox).refresh({ shopId: shop_id, itemIds: [item_id] });
    expect(await (await send("GET", "/calls")).json()).toMatchObject({
      daily_limit: 5,
      calls: [
        { operation: "search", outcome: "fault:http_503", params: { q: "a" } },
        { operation: "refresh", outcome: "ok", asked: [item_id], returned: [item_id] },
      ],
    });
    await send("PUT", "/daily-limit", { limit: 2 });
    await expect(clientOf(sandbox).search({ q: "a" })).rejects.toMatchObject({
      code: "day_api_limit",
    });

    expect((await send("DELETE", `/items/${item_id}`)).status).toBe(200);
    expect((await send("DELETE", `/items/${item_id}`)).status).toBe(404);
    expect((await send("POST", "/faults", { name: "nonsense" })).status).toBe(400);
    expect((await send("GET", "/replay")).status).toBe(404);
  });

  it("is not offered on other than loopback hosts", async () => {
    const sandbox = await start({ products: 20, host: "0.0.0.0" });
    const response = await fetch(`${sandbox.url.replace("0.0.0.0", "127.0.0.1")}/_control/items`);
    expect(response.status).toBe(404);
  });
});
