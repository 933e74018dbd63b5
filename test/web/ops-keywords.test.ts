import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { ensureJobs, listJobs } from "../../src/crawl/budget/jobs.ts";
import { enterConsole } from "../support/console-sign-in.ts";
import { apiForAll } from "../support/opened-api.ts";

const { test, api } = apiForAll();

it("the line that cannot be a keyword is named, and what was typed stays", async () => {
  const visit = await enterConsole(api);
  const texts = `器\n\n${"長".repeat(201)}`;
  const refused = await visit.post("/ops/keywords/add", { texts });
  const html = await refused.text();
  expect([refused.status, html]).toEqual([
    400,
    expect.stringContaining("<li>Line 3: must be a text of 1 to 200 characters"),
  ]);
  expect(html).toContain(`>${texts}</textarea>`);
});

it("settings of a job are read as they are typed, and never as a program would write them", async () => {
  await ensureJobs(test.db, new Date());
  const visit = await enterConsole(api);
  const send = async (days: string) => {
    const fields = { cron: "43 3 * * *", enabled: "on", "settings.keep_runs_days": days };
    const { status } = await visit.post("/ops/jobs/housekeeping", fields);
    const jobs = await listJobs(test.db);
    return [status, jobs.find(({ name }) => name === "housekeeping")?.settings["keep_runs_days"]];
  };
  expect(await send("４５")).toEqual([303, 45]);
  for (const wrong of ["0x40", "6e1", "", "many"]) expect(await send(wrong)).toEqual([400, 45]);
});

it("a keyword is paused and resumed, and left as it is by any other value", async () => {
  const visit = await enterConsole(api);
  await visit.post("/ops/keywords", { q: "財布" });
  const read = async () => {
    const [row] = await test.db.execute<{ id: number; enabled: boolean }>(
      sql`select id, enabled from crawl_query`,
    );
    return row;
  };
  const path = `/ops/keywords/${(await read())?.id}`;
  const change = async (enabled: string) => {
    const answer = await visit.post(path, { enabled });
    const text = answer.status === 303 ? answer.headers.get("Location") : await answer.text();
    return [answer.status, text, (await read())?.enabled];
  };
  expect(await change("false")).toEqual([303, expect.stringContaining("keyword_paused"), false]);
  for (const wrong of ["", "yes", "0"]) {
    const fault = expect.stringMatching(/enabled.*must be true or false/s) as string;
    expect(await change(wrong)).toEqual([400, fault, false]);
  }
  expect(await change("true")).toEqual([303, expect.stringContaining("keyword_resumed"), true]);
  expect(await change("maybe")).toEqual([400, expect.any(String), true]);
});
