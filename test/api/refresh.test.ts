import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { createClientAddress } from "../../src/api/http/middleware/client-address.ts";
import { ensureJobs, updateJob } from "../../src/crawl/budget/jobs.ts";
import { forAll, pause, resume, setBlock } from "../../src/crawl/safety/pause.ts";
import { must } from "../../src/lib/must.ts";
import { clockAt, createTestApi, type TestApi } from "../support/api.ts";
import { removeItem, storeItems } from "../support/catalog.ts";
import { openedForEach } from "../support/opened.ts";
import { createTestDb } from "../support/postgres.ts";
import { searchItem } from "../support/products.ts";
import { itLong } from "../support/it-long.ts";

/** A request waits for nobody: every look at the clock finds that ten seconds have passed. */
const clock = { ...clockAt("2026-01-01T03:00:00.000Z"), monotonicMs: leaping() };
const budget = { dailyLimit: 100, timezone: "Asia/Tokyo" };
const test = openedForEach(createTestDb);
let api: TestApi;

/** No crawler runs here: what is asked for stays queued. */
beforeEach(async () => {
  api = createTestApi(test.db, { clock, budget });
  await ensureJobs(test.db, clock.now());
  await storeItems(test.db, "2026-01-01T02:00:00.000Z", [
    searchItem(1),
    searchItem(2),
    searchItem(3, { shopId: "shop-2" }),
    searchItem(4, { shopId: "shop-3" }),
    searchItem(5, { shopId: "shop-4" }),
    searchItem(6, { shopId: "shop-5" }),
  ]);
});

const refresh = (itemId: number | string, query = "") =>
  api.request(`/v1/products/${itemId}/refresh${query}`, { method: "POST" });

async function open(): Promise<number[]> {
  const rows = await test.db.execute<{ item_id: number }>(sql`
    select item_id from refresh_request where done_at is null order by item_id`);
  return rows.map((row) => row.item_id);
}

/** Half of the day has passed: that many calls were made, of them some on demand. */
async function spend(used: number, onDemand: number): Promise<void> {
  await test.db.execute(sql`
    insert into budget_day (day, limit_calls, used, on_demand)
    values ('2026-01-01', 100, ${used}, ${onDemand})
    on conflict (account, day) do update set used = excluded.used, on_demand = excluded.on_demand`);
}

describe("POST /v1/products/{item_id}/refresh", () => {
  it("queues the product once, however many ask, and says when to look again", async () => {
    const responses = await Promise.all([1, 1, 1].map((id) => refresh(id)));
    for (const response of responses) {
      expect(response.status).toBe(202);
      expect(response.headers.get("Location")).toBe("/v1/products/1");
      expect(response.headers.get("Retry-After")).toMatch(/^[1-9]$/);
      expect(await response.json()).toEqual({
        item_id: 1,
        status: "queued",
        eta_s: expect.any(Number),
        checked_at: "2026-01-01T02:00:00Z",
      });
    }
    expect(await open()).toEqual([1]);
  });

  it("answers at once, without a call, what was checked seconds ago", async () => {
    await storeItems(test.db, "2026-01-01T02:59:55.000Z", [searchItem(1)]);
    const response = await refresh(1);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ item_id: 1, age_s: 5 });
    expect(await open()).toEqual([]);
    expect((await refresh(2, "?min_age_s=3601")).status).toBe(200);
    expect((await refresh(1, "?min_age_s=5")).status).toBe(202);
  });

  it("refuses what was never seen, what is gone, and what is no id", async () => {
    await removeItem(test.db, "2026-01-01T02:30:00.000Z", 2);
    expect((await refresh(999)).status).toBe(404);
    expect((await refresh(2)).status).toBe(410);
    const bad = await refresh("x", "?min_age_s=0");
    expect(bad.status).toBe(400);
    const { errors } = (await bad.json()) as { errors: { parameter: string }[] };
    expect(errors.map(({ parameter }) => parameter).toSorted()).toEqual(["item_id", "min_age_s"]);
    expect(await open()).toEqual([]);
  });

  it("answers 429 until the day's end once the slice is spent and nothing else is free", async () => {
    await spend(60, 5);
    const response = await refresh(1);
    expect(response.status).toBe(429);
    expect(response.headers.get("Retry-After")).toBe(String(12 * 3600));
    expect(await response.json()).toMatchObject({ code: "on_demand_quota_spent" });
    expect(await open()).toEqual([]);
    await spend(49, 5);
    expect((await refresh(1)).status).toBe(202);
  });

  it("accepts no more shops than calls are left, but any number of one shop's products", async () => {
    await updateJob(test.db, "revalidate", { settings: { on_demand_share: 0.04 } }, clock.now());
    await spend(60, 0);
    let visitors = 0;
    const clientAddress = () => `192.0.2.${(visitors += 1)}`;
    api = createTestApi(test.db, { clock, budget, clientAddress });
    const statuses = [];
    for (const id of [1, 3, 4, 2]) statuses.push((await refresh(id)).status);
    expect(statuses).toEqual([202, 202, 429, 202]);
    expect(await open()).toEqual([1, 2, 3]);
  });

  it("answers 503 while no calls are made at all", async () => {
    await pause(test.db, clock.now());
    const paused = await refresh(1);
    expect([paused.status, paused.headers.get("Retry-After")]).toEqual([503, "300"]);
    await resume(test.db, clock.now());
    const until = (hours: number) => new Date(clock.now().getTime() + hours * 3_600_000);
    await setBlock(
      test.db,
      { ...forAll(until(2)), code: "auth_error", failures: 9, reason: "" },
      clock.now(),
    );
    expect((await refresh(1)).headers.get("Retry-After")).toBe("7200");
    await setBlock(
      test.db,
      { ...forAll(until(0.01)), code: "bad_reply", failures: 1, reason: "" },
      clock.now(),
    );
    const soon = await refresh(1);
    expect(soon.status).toBe(202);
    expect(await soon.json()).toMatchObject({ eta_s: 38 });
  });
});

describe("one visitor's share of the refreshes", () => {
  /** A fifth of 200 calls for one client: 40 of the 1,000 of the day. */
  const rules = { dailyLimit: 1000, timezone: "Asia/Tokyo" };
  const share = 40;

  beforeEach(async () => {
    await updateJob(test.db, "revalidate", { settings: { on_demand_share: 0.2 } }, clock.now());
    const items = Array.from({ length: 300 }, (_, i) =>
      searchItem(1000 + i, { shopId: `small-${i}` }),
    );
    await storeItems(test.db, "2026-01-01T02:00:00.000Z", items);
  });

  /** A process of its own. */
  function from(address: string): (itemId: number) => Promise<Response> {
    const clientAddress = createClientAddress([]);
    const site = createTestApi(test.db, { clock, budget: rules, clientAddress });
    return (itemId) => site.from(address, `/v1/products/${itemId}/refresh`, {}, "POST");
  }

  /** Answers every open request with calls of `size` products each. */
  async function answerAll(size: number): Promise<void> {
    await test.db.execute(sql`
      update refresh_request r set done_at = ${clock.now().toISOString()}, outcome = 'answered',
        call_id = 1 + (n - 1) / ${size}
      from (select id, row_number() over (order by id) as n from refresh_request where done_at is null) x
      where x.id = r.id`);
  }

  itLong("B27: ends, in all processes together, and leaves the rest to the others", async () => {
    const asks = ["2001:db8::1", "2001:db8:0:0:ffff::2"].map(from);
    const statuses: number[] = [];
    for (let i = 0; i < 100; i += 1) {
      const ask = asks[i % 2];
      if (ask) statuses.push((await ask(1000 + i)).status);
    }
    expect(statuses.filter((status) => status === 202)).toHaveLength(share);
    expect(statuses.slice(share)).toEqual(statuses.slice(share).map(() => 429));
    const refused = must(await asks[0]?.(1200), "an answer");
    expect(await refused.json()).toMatchObject({ code: "refresh_share_spent" });
    expect(refused.headers.get("Retry-After")).toBe(String(12 * 3600));
    // What somebody has asked for already costs no call more.
    expect((await asks[0]?.(1000))?.status).toBe(202);
    for (const address of ["198.51.100.7", "2001:db8:0:1::1"]) {
      expect((await from(address)(1200 + address.length)).status).toBe(202);
    }
  });

  itLong(
    "B27: counts calls, not products or what no call was made for, and is whole again the next day",
    async () => {
      const ask = from("198.51.100.7");
      for (let i = 0; i < share; i += 1) expect((await ask(1000 + i)).status).toBe(202);
      expect((await ask(1100)).status).toBe(429);
      await answerAll(10);
      expect((await ask(1100)).status).toBe(202);
      await test.db.execute(sql`
      update refresh_request set call_id = id, outcome = 'answered', done_at = requested_at`);
      expect((await ask(1101)).status).toBe(429);
      // As while the upstream fails.
      await test.db.execute(sql`
      update refresh_request set call_id = null, outcome = 'lapsed' where call_id < 3`);
      expect((await ask(1102)).status).toBe(202);
      await test.db.execute(
        sql`update refresh_request set requested_at = requested_at - interval '1 day'`,
      );
      expect((await ask(1101)).status).toBe(202);
    },
  );

  it("B27: is kept without the visitor's address", async () => {
    await from("198.51.100.7")(1000);
    const [row] = await test.db.execute<{ text: string }>(
      sql`select to_json(r)::text as text from refresh_request r`,
    );
    expect(row?.text).toContain('"client":"');
    expect(row?.text).not.toContain("198.51");
  });

  it("B27: pages of other sites use one share together, not those of their visitors", async () => {
    const elsewhere = [
      { "Sec-Fetch-Site": "cross-site", Origin: "https://evil.example" },
      { "Sec-Fetch-Site": "same-site" },
      { Origin: "https://other.example" },
      { Origin: "null" },
    ];
    const site = createTestApi(test.db, {
      clock,
      budget: rules,
      clientAddress: createClientAddress([]),
    });
    const statuses: number[] = [];
    for (let i = 0; i < 50; i += 1) {
      const path = `/v1/products/${1000 + i}/refresh`;
      const headers = must(elsewhere[i % elsewhere.length], "headers");
      statuses.push((await site.from(`198.51.100.${i}`, path, headers, "POST")).status);
    }
    expect(statuses.filter((status) => status === 202)).toHaveLength(share);
    expect(statuses.slice(share)).toEqual(statuses.slice(share).map(() => 429));
    expect((await from("198.51.100.1")(1100)).status).toBe(202);
  });

  it("B27: pages of other sites cannot send our pages' form", async () => {
    const post = async (path: string, headers: Record<string, string>) =>
      (await api.request(path, { method: "POST", headers })).status;
    for (const headers of [
      { "Sec-Fetch-Site": "cross-site", Origin: "https://evil.example" },
      { "Sec-Fetch-Site": "same-site" },
      { Origin: "https://evil.example" },
      { Origin: "null" },
    ]) {
      expect([headers, await post("/products/1/check", headers)]).toEqual([headers, 403]);
    }
    expect(await open()).toEqual([]);
    const ours = { "Sec-Fetch-Site": "same-origin", Origin: "http://localhost" };
    expect(await post("/products/1/check", ours)).toBe(303);
    expect(await post("/v1/products/3/refresh", { Origin: "http://localhost" })).toBe(202);
  });
});

function leaping(): () => number {
  let ms = 0;
  return () => (ms += 10_000);
}
