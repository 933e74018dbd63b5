import { sql } from "drizzle-orm";
import { beforeAll, expect, it } from "vitest";
import { createTestApi } from "../support/api.ts";
import { storeItems } from "../support/catalog.ts";
import { openedForAll } from "../support/opened.ts";
import { createTestDb } from "../support/postgres.ts";
import { searchItem } from "../support/products.ts";

const test = openedForAll(createTestDb);
beforeAll(() => storeItems(test.db, new Date().toISOString(), [searchItem(1)]));

it("a form says in Japanese too what is wrong with it, and takes a price with 円 behind it", async () => {
  const site = createTestApi(test.db, { clientAddress: () => "192.0.2.77" });
  const send = (price: string) =>
    site.request("/alerts", {
      method: "POST",
      headers: { "Sec-Fetch-Site": "same-origin", "Accept-Language": "ja" },
      body: new URLSearchParams({ name: "x", "query.item_id": "1", rule: "price_below", price }),
    });
  const refused = await send("安い");
  const html = await refused.text();
  expect([refused.status, html]).toEqual([
    400,
    expect.stringMatching(/<li>希望価格: [^<]*までの整数にしてください/),
  ]);
  // The form is there again as it was typed.
  expect(html).toMatch(/<details class="card part tell-me" id="tell-me" open/);
  expect(html).toContain('name="query.item_id" value="1"');
  expect(html).toMatch(/value="price_below" id="rule-price_below" checked/);
  expect(html).toMatch(/id="rule-price"[^>]* value="安い"/);
  for (const price of ["1,000円", "１０００ 円", "￥1,000"]) {
    expect([price, (await send(price)).status]).toEqual([price, 303]);
  }
});

it("the page has the news of each saved search, however much another one has", async () => {
  const site = createTestApi(test.db);
  let cookie = "";
  const send = async (path: string, fields: Record<string, string>) => {
    const answer = await site.request(path, {
      method: "POST",
      headers: { "Sec-Fetch-Site": "same-origin", Cookie: cookie, "Accept-Language": "en" },
      body: new URLSearchParams(fields),
    });
    cookie ||= /alerts=[\w-]{32}/.exec(answer.headers.get("Set-Cookie") ?? "")?.[0] ?? "";
    return answer;
  };
  const save = async (name: string) => {
    const answer = await send("/alerts", { name, "query.item_id": "1", rule: "gone" });
    return Number(/\d+$/.exec(answer.headers.get("Location") ?? "")?.[0]);
  };
  const [quiet, loud] = [await save("quiet"), await save("loud")];
  await send("/alerts", { name: "drop", "query.item_id": "1", rule: "price_drop" });
  await test.db.execute(sql`
    insert into alert_event (owner_id, saved_search_id, item_id, kind, ver, data, is_quiet, changed_at)
    select owner_id, saved_search_id, 1, 'gone', n, '{"title":"news"}', false, now()
    from generate_series(1, 300) n, saved_search
    where saved_search_id = ${loud} or (saved_search_id = ${quiet} and n = 1) order by n`);
  const page = await (
    await site.get("/alerts", { Cookie: cookie, "Accept-Language": "en" })
  ).text();
  expect(page.match(/: news/g)).toHaveLength(11);
  expect(page.match(/Nothing has happened yet/g)).toHaveLength(1);
  expect(page.match(/10%/g)).toHaveLength(1);

  const feeds = await (await send(`/alerts/${quiet}`, { action: "feeds" })).text();
  expect(feeds).toContain("shown only now");
  expect(feeds).toContain('href="/alerts?lang=ja"');
  expect(feeds).toMatch(/\.atom\?lang=en">.*\.json\?lang=en">/s);
});

it("an alert is made of a product with lines, or nothing visible, in its title", async () => {
  const site = createTestApi(test.db, { clientAddress: () => "192.0.2.78" });
  const titles = ["革\t財布\n二つ折り", "\u0001\u007F"];
  await storeItems(
    test.db,
    new Date().toISOString(),
    titles.map((title, i) => searchItem(20 + i, { title })),
  );
  for (const [i, name] of ["革 財布 二つ折り", "(product without a name)"].entries()) {
    const html = await (await site.get(`/products/${20 + i}`, { "Accept-Language": "en" })).text();
    const filled = /name="name" value="([^"]*)"/.exec(html)?.[1] ?? "";
    expect(filled).toBe(name);
    const saved = await site.request("/alerts", {
      method: "POST",
      headers: { "Sec-Fetch-Site": "same-origin" },
      body: new URLSearchParams({ name: filled, "query.item_id": `${20 + i}`, rule: "gone" }),
    });
    expect(saved.status).toBe(303);
  }
});

it("who keeps no cookies reaches the alerts, and changes them, by an address", async () => {
  const site = createTestApi(test.db, { clientAddress: () => "192.0.2.79" });
  const headers = { "Sec-Fetch-Site": "same-origin", "Accept-Language": "en" };
  const send = (path: string, fields: Record<string, string>) =>
    site.request(path, { method: "POST", headers, body: new URLSearchParams(fields) });
  const placeOf = (answer: Response) => answer.headers.get("Location") ?? "";
  const fields = { name: "mine", "query.item_id": "1", rule: "gone" };
  const saved = await send("/alerts", fields);
  const [address = ""] = placeOf(saved).split("#");
  const shown = async () => (await site.get(address, headers)).text();
  const page = await shown();
  expect(page).toContain(">mine</a>");
  expect(page).toContain("keeps no cookies");
  const actions = [...page.matchAll(/ action="(\/alerts[^"]*)"/g)].map(([, action = ""]) => action);
  const [change = ""] = actions;
  expect(placeOf(await send(change, { action: "pause" })).split("#")[0]).toBe(address);
  expect(await shown()).toContain("paused");
  const another = await send(address, { ...fields, name: "another" });
  expect(placeOf(another).split("#")[0]).toBe(address);
  expect(await shown()).toContain(">another</a>");
  const link = /href="(\/alerts\/[\w-]{32})"/.exec(page)?.[1] ?? "";
  expect(placeOf(await site.get(link))).toBe(address);
  // A browser that keeps it has the address without the secret.
  const [cookie = ""] = (saved.headers.get("Set-Cookie") ?? "").split(";");
  const kept = await site.get(address, { Cookie: cookie });
  expect([kept.status, placeOf(kept)]).toEqual([303, "/alerts"]);
  await send(actions.at(-1) ?? "", {});
  expect(await shown()).toContain("There are no alerts yet");
});

it("a form that is sent twice makes one alert, and one saved again after a pause goes on", async () => {
  const site = createTestApi(test.db, { clientAddress: () => "192.0.2.80" });
  let cookie = "";
  const post = async (path: string, fields: Record<string, string>) =>
    site.request(path, {
      method: "POST",
      headers: { "Sec-Fetch-Site": "same-origin", Cookie: cookie, "Accept-Language": "en" },
      body: new URLSearchParams(fields),
    });
  const send = async (path: string, fields: Record<string, string>) => {
    const answer = await post(path, fields);
    cookie ||= /alerts=[\w-]{32}/.exec(answer.headers.get("Set-Cookie") ?? "")?.[0] ?? "";
    return answer.headers.get("Location")?.split("#s")[1];
  };
  const fields = { name: "mine", "query.item_id": "1", rule: "gone" };
  const id = await send("/alerts", fields);
  expect(await Promise.all([fields, fields].map((one) => send("/alerts", one)))).toEqual([id, id]);
  for (const other of [{ rule: "price_drop" }, { "query.item_id": "2" }]) {
    expect(await send("/alerts", { ...fields, ...other })).not.toBe(id);
  }
  const paused = async () =>
    (await (await site.get("/alerts?lang=en", { Cookie: cookie })).text()).includes("paused");
  await send(`/alerts/${id}`, { action: "pause" });
  expect(await paused()).toBe(true);
  // Whatever else a form may send changes nothing.
  const others = [{ action: "stop" }, { action: "" }, {}];
  for (const [i, fields] of others.entries()) {
    const refused = await post(`/alerts/${id}`, fields);
    const expected = i < 2 ? "must be one of: pause, go_on, feeds, delete" : "must be given";
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining(`<code>action</code>: ${expected}`),
    ]);
  }
  expect(await paused()).toBe(true);
  expect(await send("/alerts", fields)).toBe(id);
  expect(await paused()).toBe(false);
  const another = await site.get(`/alerts/${id}`, { Cookie: cookie });
  expect([another.status, another.headers.get("Location")]).toEqual([303, "/alerts"]);
  // What another tab has deleted is deleted; anything else about it is told on the page.
  for (let times = 0; times < 2; times += 1) {
    expect((await post(`/alerts/${id}`, { action: "delete" })).status).toBe(303);
  }
  const late = await post(`/alerts/${id}`, { action: "pause" });
  expect([late.status, await late.text()]).toEqual([
    404,
    expect.stringContaining("Alerts: was deleted meanwhile"),
  ]);
});
