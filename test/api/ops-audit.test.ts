import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { opsApiForAll } from "../support/ops-api.ts";

const test = opsApiForAll();

it("audits every action, with what was asked for and whether it was done", async () => {
  const added = await test.api.ops("POST", "/ops/v1/queries", { q: "革" });
  const { id } = (await added.json()) as { id: number };
  await test.api.ops("POST", "/ops/v1/queries", { q: "革" });
  await test.api.ops("PATCH", `/ops/v1/queries/${id}`, { enabled: false });
  await test.api.ops("DELETE", `/ops/v1/queries/${id}`);
  await test.api.ops("PATCH", "/ops/v1/jobs/feed", { cron: "*/10 * * * *" });
  await test.api.ops("PATCH", "/ops/v1/jobs/feed", { cron: "61 * * * *" });
  await test.api.ops("POST", "/ops/v1/jobs/feed/run");
  await test.api.ops("POST", "/ops/v1/pause");
  await test.api.ops("POST", "/ops/v1/resume");
  await test.api.ops("POST", "/ops/v1/mirror/verify");
  await test.api.ops("POST", "/ops/v1/mirror/rebuild");
  await test.api.ops("POST", "/ops/v1/deletions/release");
  const last = await test.api.ops("POST", "/ops/v1/deletions/discard");

  const response = await test.api.ops("GET", "/ops/v1/audit");
  const { items } = (await response.json()) as { items: Record<string, unknown>[] };
  const told = items.map(({ action, subject, outcome, code }) => [action, subject, outcome, code]);
  expect(told.toReversed()).toEqual([
    ["add_query", "", "done", null],
    ["add_query", "", "refused", "query_exists"],
    ["change_query", String(id), "done", null],
    ["remove_query", String(id), "done", null],
    ["change_job", "feed", "done", null],
    ["change_job", "feed", "refused", "invalid_parameters"],
    ["run_job", "feed", "done", null],
    ["pause", "", "done", null],
    ["resume", "", "done", null],
    ["run_job", "verify-mirror", "done", null],
    ["rebuild_mirror", "", "done", null],
    ["release_deletions", "", "done", null],
    ["discard_deletions", "", "done", null],
  ]);
  expect(items[0]).toMatchObject({
    at: "2026-01-01T01:00:00Z",
    via: "api",
    request_id: last.headers.get("X-Request-Id"),
  });
  expect(items[7]).toMatchObject({ detail: { cron: "61 * * * *" } });
});

it("leaves no audit row of an action whose transaction failed", async () => {
  const count = async () => (await test.db.execute(sql`select from ops_audit`)).length;
  const before = await count();
  await test.db.execute(
    sql`alter table setting add constraint full_disk check (key <> 'crawl_paused') not valid`,
  );
  expect((await test.api.ops("POST", "/ops/v1/pause")).status).toBe(500);
  expect(await count()).toBe(before);
});

it("lets nobody rewrite what was audited", async () => {
  await expect(test.db.execute(sql`update ops_audit set action = 'nothing'`)).rejects.toThrow();
  await expect(test.db.execute(sql`delete from ops_audit`)).rejects.toThrow();
});
