import { Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import pino from "pino";
import { readAudit } from "../../src/api/ops/actions/audit-log.ts";
import { readCrawlState } from "../../src/crawl/safety/pause.ts";
import { revokedSession } from "../../src/db/schema.ts";
import { messages } from "../../src/web/ops/messages/messages.ts";
import { sessionSeconds } from "../../src/web/ops/shared/session.ts";
import { absentDb, createTestApi, opsToken } from "../support/api.ts";
import { createTestClock } from "../support/clock.ts";
import { enterConsole, postForm } from "../support/console-sign-in.ts";
import { runMaintenance } from "../support/maintenance.ts";
import { apiForAll } from "../support/opened-api.ts";

const clock = createTestClock("2026-01-15T06:20:00Z");
const logged: string[] = [];
const logger = pino(
  { level: "trace" },
  new Writable({
    write(chunk, _encoding, done) {
      logged.push(String(chunk));
      done();
    },
  }),
);
const { test, api: site } = apiForAll({ clock, logger });

const pages = [
  "/ops",
  "/ops/schedule",
  "/ops/keywords",
  "/ops/plan",
  "/ops/clicks",
  "/ops/mirror",
  "/ops/webhooks",
  "/ops/keys",
  "/ops/audit",
];

describe("the console's door", () => {
  it("shows nothing but the sign-in to who is not signed in", async () => {
    for (const path of pages) {
      const answer = await site.get(path);
      expect([path, answer.status]).toEqual([path, 401]);
      const html = await answer.text();
      expect(html).toContain('action="/ops/sign-in"');
      expect(html).not.toContain("form_token");
    }
  });

  it("keeps a cookie that only this host gets, only over https, and no script reads", async () => {
    const answer = await postForm(site, "/ops/sign-in", { token: opsToken, next: "/ops/plan" });
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/ops/plan?signed_in"]);
    const cookie = answer.headers.get("Set-Cookie") ?? "";
    for (const part of ["__Host-kurabe-ops=", "Path=/", "HttpOnly", "Secure", "SameSite=Strict"]) {
      expect(cookie).toContain(part);
    }
    expect(cookie).not.toContain("Domain");
  });

  it("sends nobody to another site", async () => {
    for (const next of ["https://evil.example/", "//evil.example", "/docs", ""]) {
      const answer = await postForm(site, "/ops/sign-in", { token: opsToken, next });
      expect(answer.headers.get("Location")).toBe("/ops?signed_in");
    }
  });

  it("says so when the browser kept no cookie", async () => {
    const answer = await site.get("/ops?signed_in", { "Accept-Language": "en" });
    expect(await answer.text()).toContain("did not keep the sign-in");
  });

  it("B23: a session that was signed out is dead at once, in every process, and no other is", async () => {
    const visit = await enterConsole(site);
    const bystander = await enterConsole(site);
    const running = createTestApi(test.db, { clock });
    const started = createTestApi(test.db, { clock });
    expect((await running.get("/ops", { Cookie: visit.cookie })).status).toBe(200);
    const out = await visit.post("/ops/sign-out");
    expect(out.status).toBe(303);
    expect(out.headers.get("Set-Cookie")).toMatch(/^__Host-kurabe-ops=;.*Max-Age=0/);
    for (const api of [site, running, started]) {
      expect((await api.get("/ops", { Cookie: visit.cookie })).status).toBe(401);
      expect((await api.get("/ops", { Cookie: bystander.cookie })).status).toBe(200);
    }
    const late = await visit.post("/ops/pause");
    expect(late.status).toBe(401);
    expect(await late.text()).toContain(messages.en.signIn.ended);
    expect((await readCrawlState(test.db)).paused).toBe(false);
  });

  it("B23: signing out without a session writes nothing, to the audit log or elsewhere", async () => {
    const visit = await enterConsole(site);
    await visit.post("/ops/sign-out");
    const audited = async () => (await readAudit(test.db, { limit: 1000 })).items.length;
    const before = await audited();
    const cookies = ["", "__Host-kurabe-ops=forged", visit.cookie];
    for (let i = 0; i < 60; i += 1) {
      const headers = { "Sec-Fetch-Site": "same-origin", Cookie: cookies[i % 3] ?? "" };
      expect((await postForm(site, "/ops/sign-out", {}, headers)).status).toBe(303);
      await postForm(site, "/ops/pause", {});
    }
    expect(await audited()).toBe(before);
    // And costs nothing: not one statement is sent.
    const closed = createTestApi(absentDb(), { clock });
    expect((await postForm(closed, "/ops/sign-out", {})).status).toBe(303);
  });

  it("B23: what is kept of signed-out sessions ends with them", async () => {
    const kept = () => test.db.select().from(revokedSession);
    const before = await kept();
    await (await enterConsole(site)).post("/ops/sign-out");
    expect(await kept()).toHaveLength(before.length + 1);
    await runMaintenance(test.db, clock.now());
    expect(await kept()).toHaveLength(before.length + 1);
    await clock.advance((sessionSeconds + 1) * 1000);
    await runMaintenance(test.db, clock.now());
    expect(await kept()).toEqual([]);
  });

  it("says in its own frame what keeps a page from an operator, and leads to the tab again", async () => {
    const away = createTestApi(absentDb(), { clock });
    const { cookie: Cookie } = await enterConsole(site);
    const headers = { Cookie, Accept: "text/html", "Accept-Language": "ja" };
    const answer = await away.get("/ops/keywords", headers);
    expect([answer.status, answer.headers.get("Retry-After")]).toEqual([503, "5"]);
    const html = await answer.text();
    expect(html).toContain("データベースが応答しません");
    expect(html).toContain('<a href="/ops/keywords" aria-current="page">');
    expect(html).toContain('class="button" href="/ops/keywords"');
    expect(html).not.toContain('role="search"');
  });

  it("ends a session by time, and by another token", async () => {
    const visit = await enterConsole(site);
    const other = createTestApi(test.db, { clock, opsToken: `${opsToken}-of-tomorrow` });
    expect((await other.get("/ops", { Cookie: visit.cookie })).status).toBe(401);
    expect((await visit.get("/ops")).status).toBe(200);
    await clock.advance(12 * 3_600_000);
    expect((await visit.get("/ops")).status).toBe(401);
    expect((await visit.post("/ops/pause")).status).toBe(401);
  });

  it("B24, O1: listens to no more guesses after ten wrong tokens, and to the right one always", async () => {
    const fresh = createTestApi(test.db, { clock });
    const guess = async () => (await postForm(fresh, "/ops/sign-in", { token: "wrong" })).status;
    for (let i = 0; i < 10; i += 1) expect(await guess()).toBe(401);
    expect(await guess()).toBe(429);
    const wrong = { Authorization: "Bearer wrong" };
    expect((await fresh.get("/ops/v1/budget", wrong)).status).toBe(429);
    expect((await postForm(fresh, "/ops/sign-in", { token: opsToken })).status).toBe(303);
    expect((await fresh.ops("GET", "/ops/v1/budget")).status).toBe(200);
    expect(await guess()).toBe(429);
    await clock.advance(60_000);
    expect(await guess()).toBe(401);
  });
});

describe("O3: forms", () => {
  it("count only when they come from the console's own pages", async () => {
    const visit = await enterConsole(site);
    const refused = async (fields: Record<string, string>, headers: Record<string, string>) => {
      const { status } = await visit.post("/ops/pause", fields, headers);
      expect([fields, headers, status]).toEqual([fields, headers, 403]);
    };
    await refused({}, { Origin: "https://evil.example" });
    await refused({}, { Origin: "null" });
    await refused({}, { "Sec-Fetch-Site": "cross-site" });
    await refused({}, { "Sec-Fetch-Site": "same-site" });
    await refused({}, { "Content-Type": "text/plain" });
    await refused({}, { "Content-Type": "multipart/form-data; boundary=x" });
    await refused({ form_token: "" }, {});
    await refused({ form_token: (await enterConsole(site)).formToken }, {});
    const { cookie: Cookie, formToken } = visit;
    const bare = await postForm(site, "/ops/pause", { form_token: formToken }, { Cookie });
    expect(bare.status).toBe(403);
    expect((await readCrawlState(test.db)).paused).toBe(false);
    const withOrigin = await visit.post("/ops/pause", {}, { Origin: "http://localhost" });
    expect(withOrigin.status).toBe(303);
    expect((await readCrawlState(test.db)).paused).toBe(true);
    expect((await visit.post("/ops/resume")).status).toBe(303);
  });

  it("keep what was typed into a form of an earlier session, which does nothing before it is sent again", async () => {
    const [earlier, visit] = [await enterConsole(site), await enterConsole(site)];
    const typed = { q: "typed before", form_token: earlier.formToken };
    const refused = await visit.post("/ops/keywords", typed);
    const html = await refused.text();
    expect([refused.status, html]).toEqual([403, expect.stringContaining("send it again")]);
    expect(html).toContain('value="typed before"');
    expect(html).toContain(`name="form_token" value="${visit.formToken}"`);
    expect(await (await visit.get("/ops/keywords")).text()).not.toContain("typed before");
    expect((await visit.post("/ops/keywords", { q: typed.q })).status).toBe(303);
  });

  it("keep what was typed when the session had ended, through a wrong token and the sign-in", async () => {
    const visit = await enterConsole(site);
    await visit.post("/ops/sign-out");
    const typedIn = (html: string) =>
      /name="typed" value="([^"]+)"/.exec(html)?.[1]?.replaceAll("&quot;", '"') ?? "";
    const ended = await visit.post("/ops/keywords/add", { texts: '革\n"財布"' });
    const typed = typedIn(await ended.text());
    const signIn = (token: string) =>
      postForm(site, "/ops/sign-in", { token, next: "/ops/keywords", typed });
    expect(typedIn(await (await signIn("wrong")).text())).toBe(typed);
    const answer = await signIn(opsToken);
    const html = await answer.text();
    expect([answer.status, html]).toEqual([200, expect.stringContaining("もう一度送ってください")]);
    expect(html).toMatch(/<textarea name="texts"[^>]*>革\n&quot;財布&quot;<\/textarea>/);
    expect(answer.headers.get("Set-Cookie")).toContain("__Host-kurabe-ops=");
    // A button alone has nothing to keep.
    expect(typedIn(await (await visit.post("/ops/pause")).text())).toBe("");
  });

  it("lead back to the place in the list where the form was", async () => {
    const visit = await enterConsole(site);
    const led = async (path: string, from: string) => {
      const Referer = `http://localhost${from}`;
      return (await visit.post(path, { q: `led from ${from}` }, { Referer })).headers.get(
        "Location",
      );
    };
    const list = "/ops/keywords?filter=led&page=2&done=keyword_removed&at=keywords";
    const back = "/ops/keywords?filter=led&page=2&done=keyword_added&at=keywords";
    expect(await led("/ops/keywords", list)).toBe(back);
    expect(await led("/ops/keywords", "/ops/calls?page=2")).toBe(
      "/ops/keywords?done=keyword_added&at=keywords",
    );
    expect(await led("/ops/resume", "/ops/calls?day=2026-01-15")).toBe(
      "/ops/calls?day=2026-01-15&done=resumed&at=",
    );
    expect(await led("/ops/resume", "/products/1?page=2")).toBe("/ops?done=resumed&at=");
  });

  it("do nothing when their address is opened, which leads to their page, or when they are too large", async () => {
    const visit = await enterConsole(site);
    for (const [path, page] of [
      ["/ops/pause", "/ops"],
      ["/ops/sign-in", "/ops"],
      ["/ops/sign-out", "/ops"],
      ["/ops/jobs/feed", "/ops/schedule"],
      ["/ops/keywords/add", "/ops/keywords"],
      ["/ops/mirror/rebuild", "/ops/mirror"],
    ]) {
      const { status, headers } = await visit.get(path ?? "");
      expect([path, status, headers.get("Location")]).toEqual([path, 303, page]);
    }
    expect((await visit.get("/ops")).status).toBe(200);
    expect((await readCrawlState(test.db)).paused).toBe(false);
    expect((await visit.post("/ops/keywords", { q: "a".repeat(1_400_000) })).status).toBe(413);
  });

  it("take as many long keywords as their page says", async () => {
    const visit = await enterConsole(site);
    const texts = Array.from({ length: 500 }, (_, i) => "革".repeat(60) + i).join("\n");
    expect((await visit.post("/ops/keywords/add", { texts })).status).toBe(303);
  });

  it("are refused by name of the field if they have what no database stores", async () => {
    const visit = await enterConsole(site);
    for (const [path, field] of [
      ["/ops/deletions/release", "shop_id"],
      ["/ops/deletions/discard", "shop_id"],
      ["/ops/jobs/feed", "cron"],
      ["/ops/keywords", "q"],
    ] as const) {
      const answer = await visit.post(path, { [field]: "a\0b" });
      expect([path, answer.status]).toEqual([path, 400]);
    }
  });
});

describe("every answer of the console", () => {
  it("is never stored, framed, shared with other sites, or indexed", async () => {
    const visit = await enterConsole(site);
    for (const path of pages) {
      const { status, headers } = await visit.get(path);
      expect([path, status]).toEqual([path, 200]);
      expect(headers.get("Cache-Control")).toBe("no-store");
      expect(headers.get("Access-Control-Allow-Origin")).toBeNull();
      expect(headers.get("Cross-Origin-Resource-Policy")).toBe("same-origin");
      expect(headers.get("Content-Security-Policy")).toContain("frame-ancestors 'none'");
      expect(headers.get("Referrer-Policy")).toBe("same-origin");
    }
    expect(await (await visit.get("/ops")).text()).toContain('name="robots" content="noindex"');
  });

  it("S1: tells the token nowhere, nor does the log", async () => {
    const visit = await enterConsole(site);
    for (const path of pages) {
      expect(await (await visit.get(path)).text()).not.toContain(opsToken);
    }
    await postForm(site, "/ops/sign-in", { token: `${opsToken}-nearly` });
    expect(logged.join("")).toContain("a wrong ops token was shown");
    expect(logged.join("")).not.toContain(opsToken);
    expect(logged.join("")).not.toContain(visit.cookie.split("=")[1]);
  });
});
