import { sql } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  clickDays,
  readClickReport,
  createClickBuffer,
  maxSources,
  type Click,
} from "../../../src/catalog/visitors/clicks.ts";
import { clickLimits } from "../../../src/catalog/visitors/daily-visitors.ts";
import { createDemandBuffer, readDemand } from "../../../src/catalog/visitors/demand.ts";
import { createTestClock } from "../../support/clock.ts";
import { storeItems } from "../../support/catalog.ts";
import { runMaintenanceTask } from "../../support/maintenance.ts";
import { openedForAll } from "../../support/opened.ts";
import { createTestDb, openPool } from "../../support/postgres.ts";
import { searchItem } from "../../support/products.ts";

const timezone = "Asia/Tokyo";
/** Already the second in Tokyo. */
const start = "2026-03-01T16:00:00Z";
const test = openedForAll(createTestDb);
beforeAll(async () => {
  await storeItems(test.db, "2026-01-01T00:00:00Z", [searchItem(1), searchItem(2)]);
});
beforeEach(() => test.db.execute(sql`truncate click, demand`));

function createBuffer(clock = createTestClock(start), db = test.db) {
  const demand = createDemandBuffer(db, clock);
  const clicks = createClickBuffer(db, clock, { timezone, demand });
  const clicked = (itemId: number, visitor = "192.0.2.1", rest: Partial<Click> = {}) =>
    clicks.clicked({ itemId, keyId: null, src: null, ...rest }, visitor);
  return { clock, demand, clicks, clicked };
}

const stored = async () => [
  ...(await test.db.execute(
    sql`select day::text, item_id, key_id, src, clicks from analytics.clicks order by 1, 2, 3, 4`,
  )),
];

describe("clicks", () => {
  it("are summed by day of the marketplace, product, key and label", async () => {
    const { clicks, clicked, clock } = createBuffer();
    clicked(1);
    clicked(1);
    clicked(1, "192.0.2.2", { keyId: 7 });
    await clicks.flush();
    clicked(1, "192.0.2.3");
    clicked(2, "192.0.2.3", { src: "top10" });
    await clock.advance(24 * 3_600_000);
    clicked(2, "192.0.2.3", { src: "top10" });
    await clicks.flush();
    await clicks.flush();
    expect(await stored()).toEqual([
      { day: "2026-03-02", item_id: 1, key_id: 7, src: null, clicks: 1 },
      { day: "2026-03-02", item_id: 1, key_id: null, src: null, clicks: 3 },
      { day: "2026-03-02", item_id: 2, key_id: null, src: "top10", clicks: 1 },
      { day: "2026-03-03", item_id: 2, key_id: null, src: "top10", clicks: 1 },
    ]);
  });

  it("of one visitor are counted up to a bound, and weigh as demand once for each product", async () => {
    const { clicks, clicked, demand, clock } = createBuffer();
    const outcomes = Array.from({ length: 50 }, () => clicked(1));
    clicked(2);
    clicked(2, "192.0.2.2");
    await Promise.all([clicks.flush(), demand.flush()]);
    expect(outcomes.filter((outcome) => outcome === "counted")).toHaveLength(clickLimits.ofProduct);
    expect(outcomes.at(-1)).toBe("repeated");
    expect(await stored()).toMatchObject([{ clicks: clickLimits.ofProduct }, { clicks: 2 }]);
    const weights = await readDemand(test.db, [1, 2], clock.now());
    expect([weights.get(1), weights.get(2)]).toEqual([5, 10]);
  });

  it("of invented labels make no more rows than the bound, over processes and restarts", async () => {
    for (let process = 0; process < 4; process += 1) {
      const { clicks, clicked } = createBuffer();
      for (let i = 0; i < 80; i += 1) clicked(1, `visitor ${i}`, { src: `x${process}-${i}` });
      clicked(1, "ours", { src: "page" });
      clicked(1, "unnamed");
      clicked(1, "keyed", { keyId: 7, src: "mine" });
      await clicks.flush();
    }
    const rows = await stored();
    const anonymous = rows.filter((row) => row.key_id === null);
    expect(rows.reduce((sum, row) => sum + Number(row.clicks), 0)).toBe(4 * 83);
    expect(anonymous.length).toBeLessThanOrEqual(maxSources + 3);
    expect(anonymous.length).toBeGreaterThanOrEqual(maxSources);
    for (const src of ["page", null]) {
      expect(anonymous).toContainEqual(expect.objectContaining({ src, clicks: 4 }));
    }
    expect(rows).toContainEqual(expect.objectContaining({ key_id: 7, src: "mine", clicks: 4 }));
  });

  it("of several processes add up without deadlock", async () => {
    const buffers = Array.from({ length: 8 }, () => createBuffer());
    for (let round = 0; round < 5; round += 1) {
      for (const [i, { clicked }] of buffers.entries()) {
        const ids = Array.from({ length: 100 }, (_, n) => n + 1);
        for (const id of i % 2 === 0 ? ids : ids.toReversed()) clicked(id);
      }
      await Promise.all(buffers.map(({ clicks }) => clicks.flush()));
    }
    const rows = await stored();
    expect(rows).toHaveLength(100);
    expect(new Set(rows.map((row) => row.clicks))).toEqual(new Set([40]));
  });

  it("wait in bounded memory while the database does not answer, and are written then", async () => {
    const slow = openPool(test.url, {
      applicationName: "slow",
      maxConnections: 1,
      lockTimeoutMs: 500, // the one who holds the lock must not be idle for too long
    });
    const { clicks, clicked } = createBuffer(createTestClock(start), slow.db);
    await test.db.transaction(async (tx) => {
      await tx.execute(sql`lock table click in access exclusive mode`);
      clicked(1);
      await expect(clicks.flush()).rejects.toThrow();
      clicked(1);
      await expect(clicks.flush()).rejects.toThrow();
      const flood = Array.from({ length: 20_100 }, (_, i) =>
        clicked(1, `visitor ${i}`, { src: `x${i}` }),
      );
      expect(flood.filter((outcome) => outcome === "dropped")).toHaveLength(101);
    });
    await clicks.flush();
    const [first] = await stored();
    expect(first).toMatchObject({ item_id: 1 });
    const [sum] = await test.db.execute(
      sql`select sum(clicks)::int as n from click where src = ''`,
    );
    expect(sum).toEqual({ n: 2 });
    await slow.close();
  });

  it("are reported by day, product and label, and forgotten after a long time", async () => {
    const { clicks, clicked, clock } = createBuffer();
    clicked(1);
    clicked(2, "192.0.2.1", { src: "top10", keyId: 7 });
    clicked(2, "192.0.2.2", { src: "top10", keyId: 7 });
    await clicks.flush();
    await test.db.execute(sql`
      insert into click (day, key_id, src, item_id, clicks)
      values ('2026-02-23', 0, 'old', 1, 90), ('2026-03-01', 0, '', 999, 5)`);
    const bounds = { timezone, now: clock.now(), days: 9, rows: 10 };
    const report = await readClickReport(test.db, bounds);
    expect(report.days.map(({ clicks: count }) => count)).toEqual([3, 5, 0, 0, 0, 0, 0, 90, 0]);
    expect(report.days[0]?.day).toBe("2026-03-02");
    expect(report.products).toEqual([
      { itemId: 2, title: "手作りの革財布 2", shopName: "革工房", clicks: 2 },
      { itemId: 1, title: "手作りの革財布 1", shopName: "革工房", clicks: 1 },
    ]);
    expect(report.sources).toEqual([
      { keyId: null, src: null, clicks: 6 },
      { keyId: 7, src: "top10", clicks: 2 },
    ]);
    await clock.advance((clickDays - 3) * 86_400_000);
    await runMaintenanceTask(test.db, clock.now(), "clicks");
    expect((await stored()).map(({ day }) => day)).not.toContain("2026-02-23");
    expect(await stored()).toHaveLength(3);
  });
});
