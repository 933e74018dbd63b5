import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { enterConsole } from "../support/console-sign-in.ts";
import { apiForAll } from "../support/opened-api.ts";

const { test, api } = apiForAll();

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
