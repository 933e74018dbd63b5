import { sql } from "drizzle-orm";
import { afterEach, describe, expect, it } from "vitest";
import { readBudget } from "../../src/crawl/budget/budget-today.ts";
import { calendarDay } from "../../src/lib/calendar.ts";
import { createTestApi } from "../support/api.ts";
import { createSimulatedCrawl, type SimulatedCrawl } from "../support/simulated-crawl.ts";
import { itLong } from "../support/it-long.ts";

const LIMIT = 24;
let crawl: SimulatedCrawl;
afterEach(() => crawl.close());

/** An upstream that allows `allowed` calls a day, whatever its specification says. */
function createUpstream(allowed: number) {
  const calls = new Map<string, number>();
  const upstream = {
    allowed,
    /** The calls that it has answered on this day. */
    answered: (day: string) => calls.get(day) ?? 0,
    fetch: (async (input, init) => {
      const day = calendarDay(crawl.clock.now(), "Asia/Tokyo");
      if (upstream.answered(day) >= upstream.allowed) {
        const body = { error: "day_api_limit", error_description: "too many calls today" };
        return Response.json(body, { status: 400 });
      }
      calls.set(day, upstream.answered(day) + 1);
      return fetch(input, init);
    }) satisfies typeof fetch,
  };
  return upstream;
}

async function open(allowed: number, pacing: "smooth" | "burst" = "smooth") {
  const upstream = createUpstream(allowed);
  crawl = await createSimulatedCrawl({
    keywords: ["財布", "陶器"],
    sandbox: { products: 60 },
    rules: { dailyLimit: LIMIT },
    idleMinutes: 30,
    pacing,
    fetch: upstream.fetch,
    startIso: "2026-03-01T15:00:00Z",
  });
  return upstream;
}

const budget = () => readBudget(crawl.db, crawl.clock.now(), crawl.rules);
const day = () => calendarDay(crawl.clock.now(), "Asia/Tokyo");

/** Hours after midnight at which the upstream ended the day. */
async function hourOfRefusal(): Promise<number | null> {
  const { refusedAt } = await budget();
  return refusedAt && ((refusedAt.getTime() - Date.UTC(2026, 2, 1, 15)) / 3_600_000) % 24;
}

describe("a day that the upstream ends early", () => {
  itLong("is over for everyone, and paces the days that follow until one allows more", async () => {
    const upstream = await open(14);
    await crawl.pass(23.5);
    const first = day();
    expect(upstream.answered(first)).toBe(14);
    expect(await budget()).toMatchObject({ used: 15, remaining: 0, expected: 16 });
    expect(await hourOfRefusal()).toBeLessThan(19);

    await crawl.pass(24);
    expect(upstream.answered(day())).toBe(14);
    expect(await hourOfRefusal()).toBeGreaterThan(19);

    upstream.allowed = LIMIT;
    await crawl.pass(24);
    expect(await hourOfRefusal()).toBeNull();
    expect(upstream.answered(day())).toBeGreaterThan(14);
    expect(await budget()).toMatchObject({ expected: LIMIT, observedLimit: null });

    await crawl.pass(1);
    upstream.allowed = 19;
    await crawl.pass(22.5);
    expect(await budget()).toMatchObject({
      observedLimit: { day: day(), allowed: 19 },
      expected: 21,
    });
  });

  itLong(
    "paces first scans on the days that follow: half of the calls to expect may be made in a hurry",
    async () => {
      crawl = await createSimulatedCrawl({
        keywords: [],
        sandbox: { products: 1000 },
        rules: { dailyLimit: 1000 },
      });
      for (const q of crawl.sandbox.keywords) await crawl.addKeyword(q);
      await crawl.db.execute(sql`
      insert into budget_day (day, limit_calls, used, refused_at)
      values ('2026-03-01', 1000, 14, '2026-03-01T06:00:00Z')`);
      await crawl.pass(1);
      // Eight of 16, and an hour's share of the others.
      expect(crawl.calls()).toBeGreaterThanOrEqual(8);
      expect(crawl.calls()).toBeLessThanOrEqual(10);
    },
  );

  it("tells of no limit if its first call was refused already: the upstream's date had not changed yet", async () => {
    await open(0);
    await crawl.pass(1);
    expect(await budget()).toMatchObject({ remaining: 0, expected: LIMIT, observedLimit: null });
    const tomorrow = new Date(crawl.clock.now().getTime() + 86_400_000);
    expect(await readBudget(crawl.db, tomorrow, crawl.rules)).toMatchObject({ expected: LIMIT });
  });

  it("is expected in the plan, which says so", async () => {
    await open(14, "burst");
    await crawl.pass(2);
    const api = createTestApi(crawl.db, {
      clock: crawl.clock,
      budget: { dailyLimit: LIMIT, timezone: "Asia/Tokyo" },
    });
    const plan = await (await api.ops("GET", "/ops/v1/plan?calls=1")).json();
    expect(plan).toMatchObject({
      plan_report: {
        calls_per_day: 16,
        warnings: [expect.stringContaining("the upstream ended 2026-03-02 after 14 calls")],
      },
    });
    expect(await (await api.ops("GET", "/ops/v1/budget")).json()).toMatchObject({
      limit: LIMIT,
      expected: 16,
    });
  });
});
