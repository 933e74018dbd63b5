import { sql } from "drizzle-orm";
import { beforeAll, expect, it } from "vitest";
import { createLink, type LinkPurpose } from "../../src/alerts/owners.ts";
import { queueDigests } from "../../src/alerts/mail/address.ts";
import { createMailing } from "../../src/alerts/mail/mailing.ts";
import { createSmtp } from "../../src/alerts/mail/smtp.ts";
import { systemClock, type Clock } from "../../src/lib/clock.ts";
import { createLogger } from "../../src/lib/logger.ts";
import { must } from "../../src/lib/must.ts";
import { createTestApi } from "../support/api.ts";
import { storeItems } from "../support/catalog.ts";
import { openedForAll } from "../support/opened.ts";
import { createTestDb } from "../support/postgres.ts";
import { searchItem } from "../support/products.ts";
import { startSmtpReceiver } from "../support/smtp-receiver.ts";

const dayMs = 86_400_000;
const test = openedForAll(createTestDb);
beforeAll(async () => {
  await storeItems(test.db, "2026-11-01T00:00:00Z", [searchItem(1)]);
});

/** A visitor's browser, the site, and the workers that send mails, at a time that moves when told. */
async function openWorld() {
  let nowMs = Date.parse("2026-11-23T00:00:00Z");
  const clock: Clock = { ...systemClock, now: () => new Date(nowMs) };
  const receiver = await startSmtpReceiver();
  const lines: string[] = [];
  const send = createMailing({
    db: test.db,
    clock,
    logger: createLogger(
      { level: "debug", format: "json" },
      { write: (line: string) => void lines.push(line) },
    ),
    send: createSmtp({ url: receiver.url, from: "Kurabe <alerts@kurabe.example>" }),
    site: { publicUrl: "https://kurabe.example", currency: "JPY" },
  });
  const site = createTestApi(test.db, { clock, sendsMails: true });
  let cookie = "";
  const request = async (path: string, form?: Record<string, string>) => {
    const answer = await site.request(path, {
      method: form ? "POST" : "GET",
      headers: { "Sec-Fetch-Site": "same-origin", Cookie: cookie, "Accept-Language": "en" },
      ...(form ? { body: new URLSearchParams(form) } : {}),
    });
    const set = /alerts=[\w-]{32}/.exec(answer.headers.get("Set-Cookie") ?? "")?.[0];
    if (set !== undefined) cookie = set;
    return answer;
  };
  return {
    lines,
    request,
    /** Until nothing waits; returns what came. */
    async mails() {
      await test.db.transaction((tx) => queueDigests(tx, clock.now(), "Asia/Tokyo"));
      await send(new AbortController().signal);
      return receiver.received.splice(0);
    },
    pass: (ms: number) => {
      nowMs += ms;
    },
    site,
  };
}

const pathIn = (text: string, kind: RegExp) => must(kind.exec(text)?.[0], `${kind} in the mail`);
const cookieOf = ({ headers }: Response) =>
  /alerts=[\w-]{32}/.exec(headers.get("Set-Cookie") ?? "")?.[0] ?? "";
/** The secret of a link in a mail to the visitor who came last. */
const linkOfNewest = (purpose: LinkPurpose) =>
  test.db.transaction(async (tx) => {
    const [owner] = await tx.execute<{ owner_id: number }>(sql`
      select owner_id from alert_owner order by owner_id desc limit 1`);
    return createLink(tx, owner?.owner_id ?? 0, purpose, new Date("2026-11-23T00:00:00Z"));
  });
const countMails = async () =>
  (await test.db.execute(sql`select from alert_owner where email is not null`)).length;

it("a visitor confirms an address, gets a digest, and ends it in one click", async () => {
  const { request, mails, pass, site, lines } = await openWorld();
  await request("/alerts", { name: "財布", "query.item_id": "1", rule: "gone" });
  expect(await (await request("/alerts")).text()).toContain("Digests by mail");
  const faults: [Record<string, string>, string][] = [
    [{ email: "nobody", choice: "daily" }, "E-mail address: must be an e-mail address"],
    [
      { email: "reader@mail.example", choice: "hourly" },
      "How often: must be one of: daily, weekly, none",
    ],
  ];
  for (const [fields, fault] of faults) {
    const bad = await request("/alerts/mail", fields);
    const html = await bad.text();
    expect([bad.status, html]).toEqual([400, expect.stringContaining(fault)]);
    // What was typed is still there.
    expect(html).toContain(`value="${fields["email"]}"`);
  }
  const led = await request("/alerts/mail");
  expect([led.status, led.headers.get("Location")]).toEqual([303, "/alerts"]);
  await request("/alerts/mail", { email: "reader@mail.example", choice: "daily" });
  expect(await (await request("/alerts")).text()).toContain("open the link in it");
  const [asked] = await mails();
  expect(asked?.to).toBe("reader@mail.example");
  const confirm = pathIn(asked?.text ?? "", /\/alerts\/confirm\/[\w-]{32}/);
  // Whoever only opens the link has not confirmed.
  expect((await site.get(confirm, { Accept: "text/html" })).status).toBe(200);
  await test.db.execute(sql`
    insert into alert_event (owner_id, saved_search_id, item_id, kind, ver, data, is_quiet, changed_at)
    select owner_id, saved_search_id, 1, 'gone', 1, '{"title":"前の出来事"}', false, now() from saved_search`);
  pass(dayMs);
  expect(await mails()).toEqual([]);
  expect(await (await request(confirm, {})).text()).toContain("The next digest comes to you");
  await test.db.execute(sql`
    insert into alert_event (owner_id, saved_search_id, item_id, kind, ver, data, is_quiet, changed_at)
    select owner_id, saved_search_id, 1, 'new_match', 2, '{"title":"<b>革財布</b>"}', false, now() from saved_search`);
  pass(dayMs);
  const [digest] = await mails();
  expect(digest?.text).toContain("<b>革財布</b>");
  expect(digest?.text).not.toContain("前の出来事");
  expect(digest?.html).not.toContain("<b>");
  expect(digest?.headers["list-unsubscribe-post"]).toBe("List-Unsubscribe=One-Click");

  const manage = pathIn(digest?.text ?? "", /\/alerts\/[\w-]{32}/);
  const other = await site.get(manage);
  const cookie = cookieOf(other);
  const page = await site.get("/alerts", { Cookie: cookie });
  expect(await page.text()).toContain("reader@mail.example");

  const end = new URL(pathIn(digest?.headers["list-unsubscribe"] ?? "", /https:[^>]+/)).pathname;
  expect((await site.get(end, { Accept: "text/html" })).status).toBe(200);
  expect(await countMails()).toBe(1);
  // As mail programs send it, twice.
  for (let times = 0; times < 2; times += 1) {
    const ended = await site.request(end, {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: "List-Unsubscribe=One-Click",
    });
    expect(ended.status).toBe(200);
    expect(await countMails()).toBe(0);
  }
  pass(dayMs);
  expect(await mails()).toEqual([]);
  expect(lines.join("\n")).not.toMatch(/reader@|alerts\/[\w-]{32}/);
});

it("links end, and lead to nothing but what they are for", async () => {
  const { request, mails, pass, site } = await openWorld();
  await request("/alerts", { name: "財布", "query.item_id": "1", rule: "gone" });
  await request("/alerts/mail", { email: "other@mail.example", choice: "weekly" });
  const [asked] = await mails();
  const secret = pathIn(asked?.text ?? "", /[\w-]{32}$/m);
  expect((await site.get(`/alerts/${secret}`)).status).toBe(404);
  await site.request(`/alerts/unsubscribe/${secret}`, { method: "POST" });
  expect(await countMails()).toBe(1);
  const stored = await test.db.execute<{ text: string }>(sql`
    select row_to_json(l)::text as text from alert_link l`);
  expect(stored.length).toBeGreaterThan(0);
  expect(JSON.stringify([...stored])).not.toContain(secret);
  pass(4 * dayMs);
  const late = await request(`/alerts/confirm/${secret}`, {});
  expect(late.status).toBe(404);
  const told = async (link: string) =>
    (await site.get(link, { Accept: "text/html", "Accept-Language": "en" })).text();
  expect(await told(`/alerts/confirm/${secret}`)).toContain("This link does not work any more");
  for (const way of ["confirm/", "unsubscribe/", ""]) {
    expect(await told(`/alerts/${way}${secret.slice(1)}`)).toContain("The address is incomplete");
  }
  await request("/alerts/mail", { choice: "none" });
  expect(await countMails()).toBe(0);
});

it("a link to the alerts lasts as long as it is used, and ends no browser's own way to them", async () => {
  const { request, pass, site } = await openWorld();
  const saved = await request("/alerts", { name: "財布", "query.item_id": "1", rule: "gone" });
  const own = cookieOf(saved);
  const secret = await linkOfNewest("manage");
  expect(cookieOf(await request(`/alerts/${secret}`))).toBe(own);
  const opened = await request("/alerts");
  expect([cookieOf(opened), opened.headers.get("Set-Cookie")]).toEqual([
    own,
    expect.stringContaining("Max-Age=31536000"),
  ]);

  const other = cookieOf(await site.get(`/alerts/${secret}`));
  expect(other).toBe(`alerts=${secret}`);
  const seen = async () =>
    (await (await site.get("/alerts", { Cookie: other })).text()).includes("財布");
  expect(await seen()).toBe(true);
  pass(300 * dayMs);
  expect(await seen()).toBe(true);
  pass(366 * dayMs);
  expect(await seen()).toBe(false);
});

it("a link in a mail to one address confirms no other, which waits for no mail to the first", async () => {
  const { request, mails, pass } = await openWorld();
  const isConfirmed = async () =>
    (await test.db.execute(sql`select from alert_owner where email_confirmed_at is not null`))
      .length > 0;
  await request("/alerts", { name: "財布", "query.item_id": "1", rule: "gone" });
  await request("/alerts/mail", { email: "mine@mail.example", choice: "daily" });
  const [first] = await mails();
  const old = pathIn(first?.text ?? "", /\/alerts\/confirm\/[\w-]{32}/);
  await request("/alerts/mail", { email: "yours@mail.example", choice: "daily" });
  expect((await request(old, {})).status).toBe(404);
  expect(await isConfirmed()).toBe(false);
  const [second] = await mails();
  expect(second?.to).toBe("yours@mail.example");

  // The server does not take mails to a mistyped address, which is mended.
  await request("/alerts/mail", { email: "mistyped@mail.example", choice: "daily" });
  await test.db.execute(sql`update outgoing_mail set next_at = next_at + interval '6 hours'`);
  await request("/alerts/mail", { email: "mine@mail.example", choice: "daily" });
  const [third] = await mails();
  expect(third?.to).toBe("mine@mail.example");
  const confirm = pathIn(third?.text ?? "", /\/alerts\/confirm\/[\w-]{32}/);
  await request(confirm, {});
  expect(await isConfirmed()).toBe(true);
  await request("/alerts/mail", { choice: "none" });
  // Nothing is promised for an address that is forgotten.
  expect((await request(confirm, {})).status).toBe(404);
  pass(dayMs);
  expect(await mails()).toEqual([]);
});

it("links in mails to a former address lose their power, and no browser its own way", async () => {
  const { request, site } = await openWorld();
  await request("/alerts", { name: "財布", "query.item_id": "1", rule: "gone" });
  await request("/alerts/mail", { email: "former@mail.example", choice: "daily" });
  const [used, manage] = [await linkOfNewest("manage"), await linkOfNewest("manage")];
  const unsubscribe = await linkOfNewest("unsubscribe");
  const headers = { "Sec-Fetch-Site": "same-origin", Cookie: `alerts=${used}` };
  await site.request("/alerts/mail", {
    method: "POST",
    headers,
    body: new URLSearchParams({ email: "present@mail.example", choice: "daily" }),
  });
  expect((await site.get(`/alerts/${manage}`)).status).toBe(404);
  await site.request(`/alerts/unsubscribe/${unsubscribe}`, { method: "POST" });
  for (const page of [await request("/alerts"), await site.get("/alerts", headers)]) {
    expect(await page.text()).toContain("present@mail.example");
  }
  await request("/alerts/mail", { choice: "none" });
});

it("mails come in the language of the page on which they were last chosen", async () => {
  const { request, mails } = await openWorld();
  await request("/alerts?lang=ja");
  await request("/alerts?lang=ja", { name: "財布", "query.item_id": "1", rule: "gone" });
  const choose = async (lang: string, email: string) => {
    await request(`/alerts/mail?lang=${lang}`, { email, choice: "daily" });
    return (await mails())[0]?.text;
  };
  expect(await choose("ja", "a@mail.example")).toContain("次のリンクを開いてください");
  expect(await choose("en", "b@mail.example")).toContain("open this link");
  await request("/alerts/mail", { choice: "none" });
});

it("a site without a mail server asks for no address and takes none", async () => {
  const site = createTestApi(test.db);
  const headers = { "Sec-Fetch-Site": "same-origin" };
  const saved = await site.request("/alerts", {
    method: "POST",
    headers,
    body: new URLSearchParams({ name: "x", "query.item_id": "1", rule: "gone" }),
  });
  const cookie = cookieOf(saved);
  expect(await (await site.get("/alerts", { Cookie: cookie })).text()).not.toContain(
    'type="email"',
  );
  const sent = await site.request("/alerts/mail", {
    method: "POST",
    headers: { ...headers, Cookie: cookie },
    body: new URLSearchParams({ email: "a@mail.example", choice: "daily" }),
  });
  expect([sent.status, await sent.text()]).toEqual([
    400,
    expect.stringContaining("このサイトはメールを送っていません"),
  ]);
});

it("metrics tell how many mails wait, and for how long the oldest", async () => {
  await test.db.execute(sql`delete from outgoing_mail`);
  const { request, mails, pass, site } = await openWorld();
  await request("/alerts", { name: "財布", "query.item_id": "1", rule: "gone" });
  await request("/alerts/mail", { email: "waiting@mail.example", choice: "daily" });
  pass(7_200_000);
  const text = await (await site.get("/metrics")).text();
  expect(text).toContain("kurabe_alert_mails_waiting 1\n");
  expect(text).toContain("kurabe_alert_mails_oldest_seconds 7200\n");
  expect(text).not.toContain("mail.example");
  expect(await mails()).toHaveLength(1);
  const after = await (await createTestApi(test.db).get("/metrics")).text();
  expect(after).toContain("kurabe_alert_mails_waiting 0\n");
  expect(after).toContain("kurabe_alert_mails_oldest_seconds 0\n");
});
