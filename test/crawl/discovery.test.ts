import { sql } from "drizzle-orm";
import { afterEach, describe, expect, inject, it } from "vitest";
import { z } from "zod";
import { createDemandBuffer } from "../../src/catalog/visitors/demand.ts";
import { zeroResultVisitors } from "../../src/catalog/visitors/zero-results.ts";
import { readProduct } from "../../src/catalog/products.ts";
import { readCoverage } from "../../src/crawl/keywords/proposals.ts";
import { updateJob } from "../../src/crawl/budget/jobs.ts";
import { addKeyword, isProposed, listKeywords } from "../../src/crawl/learning/keywords.ts";
import { countEach } from "../../src/lib/collect.ts";
import { must } from "../../src/lib/must.ts";
import { createTestApi } from "../support/api.ts";
import {
  createSimulatedCrawl,
  type SimulatedCrawl,
  type SimulationOptions,
} from "../support/simulated-crawl.ts";
import { itLong } from "../support/it-long.ts";

const isLong = inject("long");
let crawl: SimulatedCrawl;
const open = async (options: Partial<SimulationOptions> = {}) =>
  (crawl = await createSimulatedCrawl({ keywords: ["財布"], pacing: "burst", ...options }));
afterEach(() => crawl.close());

const visible = () => crawl.sandbox.control.items().filter((item) => item.visible === 1);

async function held(): Promise<number> {
  const [row] = await crawl.db.execute<{ n: number }>(
    sql`select count(*) as n from product where state = 'live'`,
  );
  return row?.n ?? 0;
}

interface ShownQuery {
  id: number;
  q: string;
  shop_id: string | null;
  origin: string;
  source: string;
  reason: string | null;
  state: string;
  next_check_at: string | null;
  failed_trials: number;
  found: number | null;
  held: number | null;
  calls: number;
  ends_at: number | null;
}

async function shownQueries(): Promise<ShownQuery[]> {
  const api = createTestApi(crawl.db, { clock: crawl.clock });
  const answer = (await (await api.ops("GET", "/ops/v1/queries")).json()) as {
    items: ShownQuery[];
  };
  return answer.items;
}

const shownQuery = async (q: string) =>
  must(
    (await shownQueries()).find((query) => query.q === q && query.shop_id === null),
    q,
  );

/** Steps until so many calls were made in all, or until the condition holds. */
const spend = (calls: number, isDone: () => Promise<boolean> = async () => false) =>
  crawl.pass(72, async () => crawl.calls() < calls && !(await isDone()));

async function searchWithoutResult(q: string): Promise<void> {
  const demand = createDemandBuffer(crawl.db, crawl.clock);
  for (let i = 0; i < zeroResultVisitors; i += 1) demand.foundNothing(q, `192.0.2.${i}`);
  await demand.flush();
}

describe("discovery that grows", () => {
  it("raises the coverage from one keyword's part to nearly everything, and estimates it", async () => {
    await open({ sandbox: { products: isLong ? 600 : 120 } });
    const total = visible().length;
    await spend(60, async () => (await held()) > 0.5 * total);
    const early = must((await readCoverage(crawl.db)).share, "an estimate");
    await spend(60, async () => (await held()) > 0.95 * total);
    expect((await held()) / total).toBeGreaterThan(0.95);
    const readShare = async () => must((await readCoverage(crawl.db)).share, "an estimate");
    await spend(isLong ? 120 : 75, async () => (await readShare()) > 0.95);
    const late = await readShare();
    expect(early).toBeLessThan(0.9);
    expect(late).toBeGreaterThan(0.95);
    const api = createTestApi(crawl.db, { clock: crawl.clock });
    expect(await (await api.get("/v1/status")).json()).toMatchObject({ coverage: { share: late } });
  });

  itLong("with proposals switched off, only the seeds are searched", async () => {
    await open({ sandbox: { products: isLong ? 300 : 150 } });
    await updateJob(crawl.db, "discover", { settings: { trials: 0 } }, crawl.clock.now());
    await spend(30);
    expect((await listKeywords(crawl.db)).map((query) => query.q)).toEqual(["財布"]);
    expect(await held()).toBe(
      visible().filter((item) => JSON.stringify(item).includes("財布")).length,
    );
  });

  itLong("a keyword that brings nothing rests, twice as long each time, and says so", async () => {
    await open({ pacing: "smooth", rules: { dailyLimit: 24 }, idleMinutes: 120 });
    await searchWithoutResult("どこにもない言葉");
    const tried = (times: number) => async () =>
      (await listKeywords(crawl.db)).some(
        (query) => query.source === "zero_results" && query.calls === times,
      );
    await crawl.pass(24, async () => !(await tried(1)()));
    const first = await shownQuery("どこにもない言葉");
    expect(first).toMatchObject({
      origin: "proposed",
      reason: `searched by ${zeroResultVisitors} visitors without results`,
      state: "backing_off",
      failed_trials: 1,
      found: 0,
      held: 0,
    });
    const restDays = (query: ShownQuery) =>
      (new Date(must(query.next_check_at, "a next check")).getTime() -
        crawl.clock.now().getTime()) /
      86_400_000;
    expect(restDays(first)).toBeCloseTo(1, 2);
    await crawl.pass(24 * 14, async () => !(await tried(2)()));
    expect(restDays(await shownQuery(first.q))).toBeCloseTo(2, 2);
  });

  it("what users searched for without results becomes a keyword that finds it", async () => {
    await open(isLong ? {} : { sandbox: { products: 60 } });
    const item = must(visible()[0], "a product");
    const odd = { title: "銅の燭台", detail: "灯り", categories: [], shop_name: "灯り屋" };
    crawl.sandbox.control.add({ ...item, ...odd, item_id: 900_000_001, shop_id: "shop-lone" });
    await spend(isLong ? 40 : 15);
    expect(await readProduct(crawl.db, 900_000_001)).toBeNull();
    await searchWithoutResult("燭台");
    await crawl.pass(1, async () => (await readProduct(crawl.db, 900_000_001)) === null);
    expect(await readProduct(crawl.db, 900_000_001)).toMatchObject({ title: "銅の燭台" });
    expect(await shownQuery("燭台")).toMatchObject({ source: "zero_results", found: 1, held: 1 });
  });

  itLong(
    "what ops remove or pause is not proposed again; ops themselves can bring it back",
    async () => {
      await open({ sandbox: { products: isLong ? 300 : 150 } });
      await spend(10);
      const proposals = (await shownQueries()).filter((query) => query.origin === "proposed");
      const [removed, paused] = [must(proposals[0], "a proposal"), must(proposals[1], "another")];
      const api = createTestApi(crawl.db, { clock: crawl.clock });
      expect((await api.ops("DELETE", `/ops/v1/queries/${removed.id}`)).status).toBe(204);
      await api.ops("PATCH", `/ops/v1/queries/${paused.id}`, { enabled: false });
      const before = await shownQueries();
      await spend(isLong ? 60 : 35);
      const after = await shownQueries();
      expect(after.length).toBeGreaterThan(before.length);
      expect(after.some((query) => query.id === removed.id)).toBe(false);
      expect(
        after.filter((query) => query.q === removed.q && query.shop_id === removed.shop_id),
      ).toEqual([]);
      expect(after.find((query) => query.id === paused.id)).toMatchObject({
        state: "paused",
        calls: paused.calls,
      });
      const back = await addKeyword(
        crawl.db,
        { q: removed.q, shopId: removed.shop_id, source: "ops" },
        crawl.clock.now(),
      );
      expect(back).toMatchObject({ id: removed.id, enabled: true, source: "ops" });
    },
  );

  itLong("tries a bounded number of proposals at a time", async () => {
    await open({ sandbox: { products: isLong ? 300 : 100 } });
    await updateJob(crawl.db, "discover", { settings: { trials: 2 } }, crawl.clock.now());
    let most = 0;
    await spend(isLong ? 60 : 15, async () => {
      const waiting = (await listKeywords(crawl.db))
        .filter((query) => isProposed(query) && query.trial === null)
        .map(({ source }) => source);
      most = Math.max(most, ...countEach(waiting).values());
      return false;
    });
    expect(most).toBe(2);
  });

  it.each(isLong ? ["ends early", "is refused"] : [])(
    "a list that %s is searched in parts, by shop and by a second word",
    async (how) => {
      const cut = cuttingFetch(100, how === "is refused");
      await open({ keywords: ["商品"], sandbox: { products: 400 }, fetch: cut });
      for (const item of visible()) {
        crawl.sandbox.control.edit(Number(item.item_id), { detail: "商品", categories: [] });
      }
      const total = visible().length;
      await spend(400, async () => (await held()) > 0.95 * total);
      expect(await held()).toBeGreaterThan(0.95 * total);
      const queries = await shownQueries();
      expect(queries.find((query) => query.q === "商品" && query.shop_id === null)).toMatchObject({
        ends_at: expect.toSatisfy((at: number) => at >= 100 && at < 150),
        found: total,
      });
      const splits = queries.filter((query) => query.source === "split");
      expect(splits.every((query) => query.q.startsWith("商品"))).toBe(true);
      expect(splits.some((query) => query.shop_id !== null)).toBe(true);
      expect(splits[0]?.reason).toMatch(/^"商品" is cut off at 1\d\d of \d+$/);
    },
  );
});

/** An upstream that shows only the beginning of a list, but counts all of it. */
function cuttingFetch(end: number, refuses: boolean): typeof fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const start = Number(url.searchParams.get("start") ?? 0);
    if (start >= end && refuses) {
      const body = { error: "search_error", error_description: "start is too large" };
      return Response.json(body, { status: 400 });
    }
    const answer = await fetch(input, init);
    if (!answer.ok) return answer;
    const page = z.looseObject({ items: z.array(z.unknown()) }).parse(await answer.json());
    return Response.json({ ...page, items: page.items.slice(0, Math.max(0, end - start)) });
  };
}
