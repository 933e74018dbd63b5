import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { createMarket, defaultMarket } from "../../src/catalog/market.ts";
import { alertApiForAll, minimal, path } from "../support/alert-api.ts";
import { createTestApi } from "../support/api.ts";
import { createKey } from "../support/keys.ts";

const { test, api, key, send, create, store, events } = alertApiForAll();

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
    expect(asked.events).toBe(1);
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

  it("of present products are told of a group that went into another since", async () => {
    await store(14, { price: 500 });
    const groups = await test.db.execute<{ group_id: number }>(sql`
      insert into product_group (members, created_at) select 1, now() from generate_series(1, 2)
      returning group_id`);
    const [old, heir] = groups.map(({ group_id: id }) => id);
    await test.db.execute(
      sql`update product_group set merged_into = ${heir}, members = 0 where group_id = ${old}`,
    );
    await test.db.execute(sql`
      insert into group_member (item_id, group_id, kind, score) values (14, ${heir}, 'manual', 1)`);
    const asked = await create({ query: { group_id: old }, tell_present: true });
    const { items } = await events();
    const told = items.filter(({ saved_search_id: id }) => id === asked.saved_search_id);
    expect(told.map(({ kind, data }) => [kind, data.price])).toEqual([["new_match", 500]]);
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
      api.get("/v1/events/stream", { "X-Api-Key": key(), ...headers });
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
    await test.db.execute(sql`update shop set shop_url = 'https://shop-1.example.com/'`);
    await test.db.execute(sql`
      update alert_event set kind = 'gone' where saved_search_id = ${made.saved_search_id}`);
    expect((await send("GET", made.feeds.json, undefined, null)).body.items).toEqual([
      expect.objectContaining({
        tags: ["gone"],
        url: expect.stringMatching(/^http.*\/products\/13$/),
      }),
    ]);
    const renewed = await send("POST", `${path}/${made.saved_search_id}/feeds`);
    expect((await send("GET", made.feeds.atom, undefined, null)).status).toBe(404);
    expect((await send("GET", renewed.body.feeds.atom, undefined, null)).status).toBe(200);
    expect((await send("GET", "/feeds/x.atom", undefined, null)).status).toBe(404);
    const [row] = await test.db.execute<{ all: string }>(sql`
      select string_agg(s::text, ' ') as all from saved_search s`);
    expect(row?.all).not.toContain(made.feeds.atom.slice(7, 39));
  });
});
