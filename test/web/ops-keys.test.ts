import { beforeAll, expect, it } from "vitest";
import { must } from "../../src/lib/must.ts";
import { listKeys } from "../../src/keys/stored-keys.ts";
import { storeOpsPast } from "../support/console.ts";
import { enterConsole } from "../support/console-sign-in.ts";
import { createTestClock } from "../support/clock.ts";
import { apiForAll } from "../support/opened-api.ts";

const clock = createTestClock("2026-01-15T06:20:00Z");
const { test, api: site } = apiForAll({ clock, apiKeys: "required" });
beforeAll(async () => {
  await storeOpsPast(test.db, clock.now());
});

const keyIn = (html: string) => /kurabe_[0-9a-f]{48}/.exec(html)?.[0];
const newest = async () => must((await listKeys(test.db))[0], "a key");

it("shows a new key on the answer to its form and never again", async () => {
  const visit = await enterConsole(site);
  const answer = await visit.post("/ops/keys", {
    name: "<b>compare</b>",
    per_minute: " ６０ ",
    per_day: "10,000",
    origins: "https://shop.example, http://localhost:5173",
  });
  expect(answer.status).toBe(201);
  expect(answer.headers.get("Cache-Control")).toBe("no-store");
  const html = await answer.text();
  const key = must(keyIn(html), "the key");
  expect(html).toContain("The key “&lt;b&gt;compare&lt;/b&gt;” has been created.");
  expect(html).toContain("API_KEYS is required");
  expect(await newest()).toMatchObject({
    name: "<b>compare</b>",
    perMinute: 60,
    perDay: 10_000,
    origins: ["https://shop.example", "http://localhost:5173"],
  });
  const ask = () => site.get("/v1/shops", { "X-Api-Key": key, Origin: "https://shop.example" });
  expect((await ask()).status).toBe(200);
  for (const path of ["/ops/keys", "/ops/audit", "/ops"]) {
    expect(await (await visit.get(path)).text()).not.toContain(key.slice(-48));
  }
});

it("makes one key of a form that is sent twice, and shows it again as long as it is live", async () => {
  const visit = await enterConsole(site);
  const formId = async () =>
    /name="form_id" value="([^"]+)"/.exec(await (await visit.get("/ops/keys")).text())?.[1] ?? "";
  const before = (await listKeys(test.db)).length;
  const form = { name: "twice", form_id: await formId() };
  const send = async (fields: Record<string, string>) =>
    keyIn(await (await visit.post("/ops/keys", fields)).text());
  const [key, same] = await Promise.all([send(form), send(form)]);
  expect(key).toMatch(/^kurabe_/);
  expect([same, await send(form)]).toEqual([key, key]);
  expect(await listKeys(test.db)).toHaveLength(before + 1);
  const { keyId } = await newest();
  await visit.post(`/ops/keys/${keyId}/revoke`);
  const late = await visit.post("/ops/keys", form);
  expect([late.status, await late.text()]).toEqual([404, expect.stringContaining("revoked")]);
  // Another name, or the form anew, asks for another key.
  expect(await send({ ...form, name: "another" })).not.toBe(key);
  expect(await send({ ...form, form_id: await formId() })).not.toBe(key);
});

it("revokes a key once, after a confirmation that needs no script", async () => {
  const visit = await enterConsole(site);
  const { keyId } = await newest();
  const page = await (await visit.get("/ops/keys")).text();
  expect(page).toMatch(new RegExp(`<details class="confirm">.*/ops/keys/${keyId}/revoke`, "s"));
  const done = await visit.post(`/ops/keys/${keyId}/revoke`);
  expect([done.status, done.headers.get("Location")]).toEqual([
    303,
    "/ops/keys?done=key_revoked&at=keys",
  ]);
  expect((await listKeys(test.db)).find((key) => key.keyId === keyId)?.revokedAt).not.toBeNull();
  const again = await visit.post(`/ops/keys/${keyId}/revoke`);
  expect(again.status).toBe(404);
  expect(await again.text()).toContain("this key is revoked already.");
});

it("keeps what was typed when it is refused, and says why in the page's language", async () => {
  const visit = await enterConsole(site);
  const before = (await listKeys(test.db)).length;
  const fields = { name: "a", per_minute: "0", per_day: "many", origins: "https://a.example/x" };
  const headers = { "Accept-Language": "ja" };
  const answer = await visit.post("/ops/keys", fields, headers);
  expect(answer.status).toBe(400);
  const html = await answer.text();
  expect(html).toContain("1分の上限: 1 から 1,000,000,000 までの整数にするか、空にしてください。");
  expect(html).toContain("1日の上限: 1 から");
  expect(html).toContain("使えるオリジン: 「https://a.example/x」は使えません。");
  expect(html).toContain('value="https://a.example/x"');
  expect(await listKeys(test.db)).toHaveLength(before);
});

it("creates nothing for a form of another session or site", async () => {
  const visit = await enterConsole(site);
  const before = (await listKeys(test.db)).length;
  const forged = await visit.post("/ops/keys", { name: "a", form_token: "another" });
  expect(forged.status).toBe(403);
  const foreign = await visit.post("/ops/keys", { name: "a" }, { "Sec-Fetch-Site": "cross-site" });
  expect(foreign.status).toBe(403);
  expect(await listKeys(test.db)).toHaveLength(before);
});

it("shows the use of the last days, by key and without one", async () => {
  const html = await (await (await enterConsole(site)).get("/ops/keys")).text();
  const rows = html.match(/<div id="key-use".*<\/table>/s)?.[0] ?? "";
  expect(rows).toContain("shop.example #1");
  expect(rows).toContain("without a key");
  expect(rows).toContain("4,000");
});
