import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import { createTestClock } from "../support/clock.ts";
import { enterConsole } from "../support/console-sign-in.ts";
import { storeOpsPast } from "../support/console.ts";
import { readForms, readLinks, type Form } from "../support/forms.ts";
import { nasty } from "../support/generated-requests.ts";
import { apiForAll } from "../support/opened-api.ts";

const seed = 20_261_128;
const ofEach = 8;

const clock = createTestClock("2026-01-15T06:20:00Z");
const { test, api } = apiForAll({ clock, sendsMails: true });
beforeAll(async () => {
  await storeOpsPast(test.db, clock.now());
});

type Browser = (
  method: Form["method"],
  path: string,
  fields?: URLSearchParams,
) => Promise<Response>;

/** Signed in to the console, with a saved search, so that every form is shown. */
async function openBrowser(): Promise<Browser> {
  const { cookie, formToken } = await enterConsole(api);
  const common = { "Sec-Fetch-Site": "same-origin", "Accept-Language": "en" };
  const saved = await api.request("/alerts", {
    method: "POST",
    headers: common,
    body: new URLSearchParams({ name: "mine", "query.item_id": "1000", rule: "gone" }),
  });
  const own = (saved.headers.get("Set-Cookie") ?? "").split(";")[0] ?? "";
  const headers = { ...common, Cookie: `${cookie}; ${own}` };
  return (method, path, fields) => {
    if (method === "GET") return api.request(`${path}?${fields?.toString() ?? ""}`, { headers });
    const body = new URLSearchParams(fields);
    if (body.has("form_token")) body.set("form_token", formToken);
    return api.request(path, { method, headers, body });
  };
}

/** Every kind of page that links lead to, one where only numbers and values differ, and every kind of form on them. */
async function walk(browse: Browser): Promise<{ pages: string[]; forms: Form[] }> {
  const kindOf = (address: string) => address.replaceAll(/\d+|=[^&]*/g, "");
  const pages = new Map<string, string>();
  const forms = new Map<string, Form>();
  const waiting = ["/", "/?q=a", "/alerts", "/compare?id=1000&id=1001", "/ops"];
  for (let page = waiting.shift(); page !== undefined; page = waiting.shift()) {
    if (pages.has(kindOf(page))) continue;
    pages.set(kindOf(page), page);
    const [path = "", query] = page.split("?");
    const answer = await browse("GET", path, new URLSearchParams(query));
    const html = await answer.text();
    waiting.push(...readLinks(html, page));
    for (const form of readForms(html, page)) {
      forms.set(kindOf([form.method, form.action, ...form.fields.keys()].join(" ")), form);
    }
  }
  return { pages: [...pages.values()], forms: [...forms.values()] };
}

it(`no page and no form fails, whatever one of its fields has (seed ${seed})`, async () => {
  const { pages, forms } = await walk(await openBrowser());
  // A page is a form without fields but those of its address.
  const pageForms = pages.flatMap((page): Form[] => {
    const [action = "", query] = page.split("?");
    return [{ method: "GET", action, fields: new Map(new URLSearchParams(query)) }];
  });
  const values = fc.sample(nasty, { seed, numRuns: 5000 }).values();
  const statuses = new Map<number, number>();
  const failed: string[] = [];
  for (const { method, action, fields } of [...forms, ...pageForms]) {
    // The form before may have signed out, or used up what a visitor may send.
    const browse = await openBrowser();
    for (const name of fields.keys()) {
      for (let n = 0; n < ofEach; n += 1) {
        const sent = new URLSearchParams([...fields]);
        if (n === 0) sent.delete(name);
        else if (n === 1) sent.append(name, "x");
        else sent.set(name, values.next().value ?? "");
        const { status } = await browse(method, action, sent);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (status >= 500) failed.push(`${status}: ${method} ${action} ${sent.toString()}`);
      }
    }
  }
  expect(failed).toEqual([]);
  expect([pages.length, forms.length]).toEqual([
    expect.toSatisfy((n: number) => n > 50),
    expect.toSatisfy((n: number) => n > 40),
  ]);
  // Both kinds are among them in numbers.
  expect(statuses.get(303) ?? 0).toBeGreaterThan(100);
  expect(statuses.get(400) ?? 0).toBeGreaterThan(100);
});
