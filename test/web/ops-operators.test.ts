import { sql } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readAudit } from "../../src/api/ops/actions/audit-log.ts";
import { readCrawlState } from "../../src/crawl/safety/pause.ts";
import { ensureJobs, listJobs, lockJob } from "../../src/crawl/budget/jobs.ts";
import { messages } from "../../src/web/ops/messages/messages.ts";
import { must } from "../../src/lib/must.ts";
import { createTestApi, type TestApi } from "../support/api.ts";
import { createTestClock } from "../support/clock.ts";
import { enterConsole, postForm } from "../support/console-sign-in.ts";
import { withJson } from "../support/json-request.ts";
import { openedForAll } from "../support/opened.ts";
import { openTransaction } from "../support/open-transaction.ts";
import { createTestDb } from "../support/postgres.ts";
import { until } from "../support/until.ts";

const clock = createTestClock("2026-01-15T06:20:00Z");
const tokenOf = (name: string) => `the-token-of-${name}-in-the-tests-0123456789`;
const aya = { name: "aya", role: "read", token: tokenOf("aya") } as const;
const ken = { name: "ken", role: "operate", token: tokenOf("ken") } as const;
const test = openedForAll(createTestDb);
let site: TestApi;

beforeAll(async () => {
  await ensureJobs(test.db, clock.now());
});
beforeEach(() => {
  site = createTestApi(test.db, {
    clock,
    operators: [aya, ken],
    clientAddress: () => "198.51.100.9",
  });
});

const as = (token: string, method: string, path: string, body?: unknown) =>
  site.request(`/ops/v1${path}`, {
    method,
    ...withJson(body, { Authorization: `Bearer ${token}` }),
  });
const newest = async () => (await readAudit(test.db, { limit: 1 })).items[0];

describe("a reader", () => {
  it("sees everything through the API and changes nothing", async () => {
    for (const path of ["/budget", "/calls", "/jobs", "/queries", "/backoffs", "/audit", "/keys"]) {
      expect([path, (await as(aya.token, "GET", path)).status]).toEqual([path, 200]);
    }
    const whatIf = await as(aya.token, "POST", "/plan/what-if", { calls_per_day: 500 });
    expect(whatIf.status).toBe(200);
    for (const [method, path] of [
      ["POST", "/pause"],
      ["DELETE", "/queries/1"],
      ["PATCH", "/jobs/feed"],
    ] as const) {
      const refused = await as(aya.token, method, path);
      expect([path, refused.status]).toEqual([path, 403]);
      const { code, detail } = (await refused.json()) as { code: string; detail: string };
      expect(code).toBe("role_required");
      expect(detail).toContain("operate");
    }
    expect((await readCrawlState(test.db)).paused).toBe(false);
  });

  it("finds no button in the console, and a forged form does nothing", async () => {
    const visit = await enterConsole(site, aya.token);
    for (const path of ["/ops", "/ops/schedule", "/ops/keywords", "/ops/mirror", "/ops/keys"]) {
      const html = await (await visit.get(path)).text();
      const forms = [...html.matchAll(/<form method="post" action="([^"]+)"/g)].map(([, to]) => to);
      expect(forms.filter((to) => !to?.startsWith("/ops/jobs/"))).toEqual(["/ops/sign-out"]);
      expect(html).toContain("read only");
    }
    const schedule = await (await visit.get("/ops/schedule")).text();
    const fields = schedule.match(/class="job-form"/g)?.length ?? 0;
    expect(fields).toBeGreaterThan(3);
    expect(schedule.match(/<fieldset class="bare" disabled=""/g)).toHaveLength(fields);
    const refused = await visit.post("/ops/pause");
    expect(refused.status).toBe(403);
    expect(await refused.text()).toContain("may only read");
    expect((await readCrawlState(test.db)).paused).toBe(false);
    expect((await visit.post("/ops/sign-out")).status).toBe(303);
    expect(await newest()).toMatchObject({ action: "sign_out", operator: "aya" });
  });
});

describe("the audit log", () => {
  it("names the operator and the address, of the API and of the console", async () => {
    expect((await as(ken.token, "POST", "/pause")).status).toBe(200);
    const paused = { operator: "ken", address: "198.51.100.9", via: "api", action: "pause" };
    expect(await newest()).toMatchObject(paused);
    const visit = await enterConsole(site, ken.token);
    expect((await visit.post("/ops/resume")).status).toBe(303);
    expect(await newest()).toMatchObject({ ...paused, via: "console", action: "resume" });
    await site.ops("POST", "/ops/v1/pause");
    expect(await newest()).toMatchObject({ operator: "ops", action: "pause" });
    await site.ops("POST", "/ops/v1/resume");
  });

  it("shows those of one operator, address, action or outcome, page by page", async () => {
    const find = async (query: string) => {
      const answer = await site.ops("GET", `/ops/v1/audit?${query}`);
      return (await answer.json()) as { items: Record<string, unknown>[]; next: number | null };
    };
    const kens = await find("operator=ken");
    expect(kens.items.map(({ action }) => action)).toEqual(["resume", "sign_in", "pause"]);
    expect(kens.next).toBeNull();
    const first = await find("operator=ken&limit=2");
    expect(first.items).toEqual(kens.items.slice(0, 2));
    expect((await find(`operator=ken&before=${first.next}`)).items).toEqual(kens.items.slice(2));
    expect((await find("operator=ken&action=pause&address=198.51.100.9")).items).toHaveLength(1);
    expect((await find("operator=ken&address=198.51.100.1")).items).toEqual([]);
    expect((await find("operator=ken&outcome=refused")).items).toEqual([]);
    const visit = await enterConsole(site);
    const rows = async (query: string) =>
      (await (await visit.get(`/ops/audit?${query}`)).text()).match(/<th scope="row"/g)?.length;
    expect(await rows("operator=ken")).toBe(3);
    expect(await rows("operator=ken&action=pause")).toBe(1);
  });

  it("keeps wrong tokens with their address, of API and console, but only some a minute", async () => {
    const refused = async () => {
      const { items } = await readAudit(test.db, { limit: 1000, outcome: "refused" });
      return items.filter(({ action }) => action === "sign_in");
    };
    const kept = (count: number) =>
      until(async () => (await refused()).length === count, { what: `${count} are kept` });
    expect(await refused()).toEqual([]);
    await as("wrong", "GET", "/budget");
    await kept(1);
    await postForm(site, "/ops/sign-in", { token: "wrong" });
    await kept(2);
    const failed = { operator: null, address: "198.51.100.9", code: "unauthorized" };
    expect(await refused()).toMatchObject([
      { ...failed, via: "console" },
      { ...failed, via: "api" },
    ]);
    for (let i = 0; i < 30; i += 1) await as("wrong", "GET", "/budget");
    await kept(5);
    await clock.advance(12_000);
    // No token at all is no attempt.
    await site.request("/ops/v1/budget");
    for (let i = 0; i < 3; i += 1) await as("wrong", "GET", "/budget");
    await kept(6);
    await site.ops("POST", "/ops/v1/pause");
    await site.ops("POST", "/ops/v1/resume");
    expect(await refused()).toHaveLength(6);
  });
});

it("ends the sessions of operators whose token was changed or removed, and no others", async () => {
  const visits = [await enterConsole(site, aya.token), await enterConsole(site, ken.token)];
  const statuses = async (operators: readonly (typeof aya | typeof ken)[]) => {
    const changed = createTestApi(test.db, { clock, operators });
    const answers = visits.map(({ cookie }) => changed.get("/ops", { Cookie: cookie }));
    return (await Promise.all(answers)).map(({ status }) => status);
  };
  expect(await statuses([aya, ken])).toEqual([200, 200]);
  expect(await statuses([aya])).toEqual([200, 401]);
  expect(await statuses([{ ...aya, token: `${aya.token}x` }, ken])).toEqual([401, 200]);
});

const hasOneOfEach = (statuses: number[]) => statuses.includes(303) && statuses.includes(409);

describe("two operators who change the same job", () => {
  it("keep what the other one changed", async () => {
    const visit = await enterConsole(site, ken.token);
    const page = await (await visit.get("/ops/schedule")).text();
    const feed = must(/<form[^>]+data-cron="feed".*?<\/form>/s.exec(page)?.[0], "the form");
    const field = (name: string) =>
      must(new RegExp(`name="${name}" value="([^"]*)"`).exec(feed)?.[1], name).replaceAll(
        "&quot;",
        '"',
      );
    const changed = await as(ken.token, "PATCH", "/jobs/feed", { cron: "7 * * * *" });
    expect(changed.status).toBe(200);
    // The form has the old expression, and the box is not ticked any more.
    const fields = { seen: field("seen"), cron: field("cron") };
    expect(fields.cron).not.toBe("7 * * * *");
    expect((await visit.post("/ops/jobs/feed", fields)).status).toBe(303);
    const job = async () => {
      const { cron, enabled } = (await listJobs(test.db)).find(({ name }) => name === "feed") ?? {};
      return { cron, enabled };
    };
    expect(await job()).toEqual({ cron: "7 * * * *", enabled: false });
    expect((await newest())?.detail).toEqual({ enabled: false });
    // The same was changed by both: what stands is shown, and asked about again.
    const contested = await visit.post("/ops/jobs/feed", { ...fields, cron: "9 * * * *" });
    expect(contested.status).toBe(409);
    const shown = await contested.text();
    expect(shown).toContain(messages.en.refused.job_changed);
    expect(shown).toContain('value="7 * * * *"');
    expect(shown).not.toContain("9 * * * *");
    expect(await job()).toEqual({ cron: "7 * * * *", enabled: false });
    // A form that was refused still knows what was seen.
    const refused = await visit.post("/ops/jobs/feed", {
      ...fields,
      "settings.window_minutes": "x",
    });
    expect(await refused.text()).toContain(fields.seen.replaceAll('"', "&quot;"));
    await visit.post("/ops/jobs/feed", { seen: "{", cron: fields.cron, enabled: "on" });
    expect(await job()).toEqual({ cron: fields.cron, enabled: true });
  });

  it("in the same moment do not overwrite each other: the second is refused", async () => {
    const visit = await enterConsole(site, ken.token);
    const { cron, enabled, settings } = must((await listJobs(test.db))[0], "a job");
    const seen = JSON.stringify({ cron, enabled, settings });
    const commit = await openTransaction(test.db, (tx) => lockJob(tx, "discover"));
    const saved = ["2 * * * *", "3 * * * *"].map((mine) =>
      visit.post("/ops/jobs/discover", { seen, cron: mine, enabled: "on" }),
    );
    const waiting = () =>
      test.db.execute(sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
    await until(async () => (await waiting()).length === 2, { what: "both to wait for the job" });
    await commit();
    const answers = await Promise.all(saved);
    expect(answers.map(({ status }) => status)).toSatisfy(hasOneOfEach);
    expect(await newest()).toMatchObject({ outcome: "refused", code: "job_changed" });
  });
});

it("shows the calls of a first day in the chart of days, where a line needs two", async () => {
  await test.db.execute(sql`
    insert into budget_day (day, limit_calls, used, discovery) values ('2026-01-15', 100, 100, 100)`);
  const html = await (await (await enterConsole(site)).get("/ops")).text();
  const [chart = ""] = /<svg[^>]*aria-labelledby="calls-by-day.*?<\/svg>/s.exec(html) ?? [];
  expect(chart).toContain('class="dot"');
});
