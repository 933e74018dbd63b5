import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { createDemandBuffer } from "../../../src/catalog/visitors/demand.ts";
import {
  forgetZeroResultQueries,
  readZeroResultQueries,
  zeroResultVisitors,
} from "../../../src/catalog/visitors/zero-results.ts";
import { addKeyword, removeKeyword } from "../../../src/crawl/learning/keywords.ts";
import { createTestClock } from "../../support/clock.ts";
import { openedForAll } from "../../support/opened.ts";
import { createTestDb } from "../../support/postgres.ts";

const dayMs = 86_400_000;
const test = openedForAll(createTestDb);
beforeEach(() => test.db.execute(sql`truncate zero_result_query, crawl_query cascade`));

const clock = createTestClock();
const shown = () => readZeroResultQueries(test.db, { limit: 10 });
const visitor = (n: number) => `192.0.2.${n}`;
const visitors = Array.from({ length: zeroResultVisitors }, (_, n) => visitor(n));

describe("searches without results", () => {
  it("are shown only once several visitors missed the same words, however often one typed them", async () => {
    const demand = createDemandBuffer(test.db, clock);
    for (let i = 0; i < 20; i += 1) {
      demand.foundNothing(i % 2 ? "革 財布" : "  革　財布 ", visitor(i % (zeroResultVisitors - 1)));
    }
    demand.foundNothing("ｉＰｈｏｎｅ", visitor(0));
    await demand.flush();
    expect(await shown()).toEqual([]);
    demand.foundNothing("革 財布", visitor(zeroResultVisitors - 1));
    await demand.flush();
    expect(await shown()).toEqual([
      { q: "革 財布", times: 21, visitors: 3, lastAt: clock.now(), keywordId: null },
    ]);
  });

  it("keep of a visitor neither the address nor a hash", async () => {
    const demand = createDemandBuffer(test.db, clock);
    for (const one of visitors) demand.foundNothing("燭台", one);
    await demand.flush();
    const rows = await test.db.execute(sql`select * from zero_result_query`);
    expect([...rows].map((row) => ({ ...row, last_at: null }))).toEqual([
      { q: "燭台", times: 3, visitors: 3, last_at: null },
    ]);
  });

  it("count a visitor of the next day again, and one of the same day after a flush not", async () => {
    const demand = createDemandBuffer(test.db, clock);
    for (let day = 0; day < 3; day += 1) {
      for (let i = 0; i < 2; i += 1) {
        demand.foundNothing("燭台", visitor(1));
        await demand.flush();
      }
      await clock.advance(dayMs);
    }
    expect(await shown()).toMatchObject([{ q: "燭台", times: 6, visitors: 3 }]);
  });

  it("name the keyword they have become, in whatever width ops wrote it and also a removed one", async () => {
    const demand = createDemandBuffer(test.db, clock);
    for (const q of ["iphone", "燭台", "行灯"]) {
      for (const one of visitors) demand.foundNothing(q, one);
    }
    await demand.flush();
    const add = (q: string, shopId: string | null = null) =>
      addKeyword(test.db, { q, shopId, source: "ops" }, clock.now());
    const phone = await add("ｉＰｈｏｎｅ");
    const stand = await add("燭台");
    await add("行灯", "shop-1");
    await removeKeyword(test.db, stand?.id ?? 0, clock.now());
    const ids = new Map((await shown()).map(({ q, keywordId }) => [q, keywordId]));
    expect(Object.fromEntries(ids)).toEqual({ iphone: phone?.id, 燭台: stand?.id, 行灯: null });
    const unknown = await readZeroResultQueries(test.db, { limit: 10, without: "keyword" });
    expect(unknown.map(({ q }) => q)).toEqual(["行灯"]);
  });

  it("are forgotten when nobody has typed them for three months", async () => {
    const demand = createDemandBuffer(test.db, clock);
    demand.foundNothing("探しもの", visitor(1));
    await demand.flush();
    const count = async () => {
      await forgetZeroResultQueries(test.db, clock.now());
      const [row] = await test.db.execute(sql`select count(*) as n from zero_result_query`);
      return row;
    };
    await clock.advance(89 * dayMs);
    expect(await count()).toEqual({ n: 1 });
    await clock.advance(2 * dayMs);
    expect(await count()).toEqual({ n: 0 });
  });

  it("A5: take nothing that could not be stored or is no search", async () => {
    const demand = createDemandBuffer(test.db, clock);
    for (const q of ["", "   ", "a\0b", "\ud800", "あ".repeat(61)]) {
      demand.foundNothing(q, visitor(1));
    }
    await demand.flush();
    const [row] = await test.db.execute(sql`select count(*) as n from zero_result_query`);
    expect(row).toEqual({ n: 0 });
  });

  it("stay bounded under a flood, and keep what most visitors missed", async () => {
    const store = (words: string, counted: number, n: number) =>
      test.db.execute(sql`
        insert into zero_result_query (q, times, visitors, last_at)
        select ${words} || ' ' || i, ${counted}, ${counted}, ${clock.now().toISOString()}
        from generate_series(1, ${n}::int) i`);
    await store("often", 3, 100);
    await store("once", 1, 19_900);
    const demand = createDemandBuffer(test.db, clock);
    for (let i = 0; i < 5000; i += 1) demand.foundNothing(`flood ${i}`, visitor(1));
    await demand.flush();
    const [row] = await test.db.execute(sql`
      select count(*) as n, count(*) filter (where q like 'often%') as kept from zero_result_query`);
    expect(row).toEqual({ n: 20_000, kept: 100 });
  });
});
