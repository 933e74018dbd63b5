import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toIso } from "../../src/api/http/to-members.ts";
import { finishRun, startRun } from "../../src/crawl/budget/jobs.ts";
import { clock, opsApiForAll } from "../support/ops-api.ts";

const test = opsApiForAll();
const { ops } = test;

interface Job {
  name: string;
  cron: string;
  enabled: boolean;
  settings: Record<string, number>;
  next_runs: string[];
  active_run: { id: number } | null;
  last_run: { outcome: string } | null;
}

async function jobNamed(name: string): Promise<Job | undefined> {
  const { items } = await ops<{ items: Job[] }>(200, "GET", "/jobs");
  return items.find((job) => job.name === name);
}

describe("jobs", () => {
  it("shows the schedule with the next three runs", async () => {
    const { items } = await ops<{ items: Job[] }>(200, "GET", "/jobs");
    expect(items.map((job) => job.name)).toEqual([
      "discover",
      "feed",
      "housekeeping",
      "public-exports",
      "revalidate",
      "verify-mirror",
    ]);
    for (const job of items) {
      expect(job.next_runs).toHaveLength(3);
      expect(job).toMatchObject({ active_run: null, last_run: null });
    }
  });

  it("changes what is asked for and nothing else", async () => {
    const before = await jobNamed("feed");
    const changed = await ops<Job>(200, "PATCH", "/jobs/feed", {
      cron: "*/10 3 * * 1-5",
      settings: { weight: 0.4 },
    });
    expect(changed).toMatchObject({
      cron: "*/10 3 * * 1-5",
      enabled: true,
      settings: { ...before?.settings, weight: 0.4 },
    });
    expect(await ops<Job>(200, "PATCH", "/jobs/feed", { enabled: false })).toMatchObject({
      enabled: false,
      cron: "*/10 3 * * 1-5",
      next_runs: [],
    });
  });

  it.each([
    ["* * * *", "fields"],
    ["0 * * * * *", "fields"],
    ["@daily", "fields"],
    ["61 * * * *", "minute"],
    ["0 0 1 * 1", "cannot both"],
    ["0 0 31 4 *", ""],
    ["*/0 * * * *", ""],
    ["a b c d e", ""],
    ["", "fields"],
    ["* ".repeat(150), "at most 200"],
  ])("O4: refuses the expression %j, in no time, changing nothing", async (cron, says) => {
    const before = await jobNamed("discover");
    const startedMs = performance.now();
    const problem = await ops<{ errors: { parameter: string; message: string }[] }>(
      400,
      "PATCH",
      "/jobs/discover",
      { cron, enabled: false, settings: { weight: 0.9 } },
    );
    expect(performance.now() - startedMs).toBeLessThan(10_000);
    expect(problem.errors).toHaveLength(1);
    expect(problem.errors[0]).toMatchObject({
      parameter: "cron",
      message: expect.stringContaining(says),
    });
    expect(await jobNamed("discover")).toEqual(before);
  });

  it("O6: keeps settings within their bounds, whatever is sent", async () => {
    const before = await jobNamed("discover");
    const bad = await ops<{ errors: { parameter: string }[] }>(400, "PATCH", "/jobs/discover", {
      cron: "nonsense",
      settings: { weight: 200, rewalk_hours: 0, batch: 50 },
    });
    expect(bad.errors.map(({ parameter }) => parameter)).toEqual([
      "cron",
      "settings.weight",
      "settings.rewalk_hours",
      "settings.batch",
    ]);
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 2 }), async (weight) => {
        const fits = typeof weight === "number" && weight >= 0 && weight <= 100;
        const { status } = await test.api.ops("PATCH", "/ops/v1/jobs/revalidate", {
          settings: { weight },
        });
        expect(status).toBe(fits ? 200 : 400);
      }),
    );
    for (const body of [{}, [], null, "x", { cron: 5 }, { name: "x" }]) {
      await ops(400, "PATCH", "/jobs/discover", body);
    }
    expect(await jobNamed("discover")).toEqual(before);
  });

  it("O5: gives one of fifty callers at once the run", async () => {
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => test.api.ops("POST", "/ops/v1/jobs/discover/run")),
    );
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 202)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(49);
    const run = (await jobNamed("discover"))?.active_run;
    expect(run).toMatchObject({ job: "discover", trigger: "manual", outcome: null });
    await finishRun(test.db, run?.id ?? 0, { outcome: "done" }, clock.now());
    expect(await jobNamed("discover")).toMatchObject({
      active_run: null,
      last_run: { outcome: "done" },
    });
  });

  it("B9: stops a run that was started by hand, and no other", async () => {
    const stop = (status: number, name: string) =>
      ops<Record<string, unknown>>(status, "POST", `/jobs/${name}/stop`);
    expect(await stop(409, "discover")).toMatchObject({ code: "no_manual_run" });
    await startRun(test.db, "discover", "cron", clock.now());
    expect(await stop(409, "discover")).toMatchObject({ code: "no_manual_run" });
    await ops(202, "POST", "/jobs/discover/run");
    expect(await stop(200, "discover")).toMatchObject({
      trigger: "manual",
      outcome: "stopped",
      finished_at: toIso(clock.now()),
    });
    expect(await jobNamed("discover")).toMatchObject({
      active_run: null,
      last_run: { outcome: "stopped" },
    });
    expect(await stop(409, "discover")).toMatchObject({ code: "no_manual_run" });
    await ops(202, "POST", "/jobs/verify-mirror/run");
    expect(await stop(409, "verify-mirror")).toMatchObject({ code: "run_not_stoppable" });
    expect(await jobNamed("verify-mirror")).toMatchObject({ active_run: { outcome: null } });
    await stop(404, "everything");
  });

  it("knows no other jobs", async () => {
    await ops(404, "POST", "/jobs/everything/run");
    await ops(404, "PATCH", "/jobs/__proto__", { enabled: true });
  });
});
