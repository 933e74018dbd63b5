import { sql } from "drizzle-orm";
import fc from "fast-check";
import { describe, expect, inject, it } from "vitest";
import { calendarDay } from "../../src/lib/calendar.ts";
import { clockAt } from "../support/api.ts";
import { seen } from "../support/catalog.ts";
import { apiForAll } from "../support/opened-api.ts";
import { itLong } from "../support/it-long.ts";

const now = "2026-03-01T00:00:00.000Z";
const { test, api } = apiForAll({ clock: clockAt(now) });

interface Interval {
  price: number;
  stock: number;
  first_seen: string;
  last_confirmed: string;
}
interface Day {
  day: string;
  confirmed: number;
}
interface Body {
  intervals: Interval[];
  days: Day[];
  next: string | null;
  lows: Record<"all" | "1y" | "90d" | "30d", { price: number; at: string } | null>;
}

async function read(itemId: number, parameters: Record<string, string> = {}): Promise<Body> {
  const query = new URLSearchParams(parameters).toString();
  return api.json(`/v1/products/${itemId}/history?${query}`);
}

/** All pages, from the newest to the oldest, put together in the order of time. */
async function readAll(itemId: number, parameters: Record<string, string>): Promise<Body> {
  let page = await read(itemId, parameters);
  const whole = { ...page };
  for (let pages = 0; page.next !== null; pages += 1) {
    expect(pages).toBeLessThan(400);
    page = await read(itemId, { ...parameters, until: page.next });
    whole.intervals = [...page.intervals, ...whole.intervals];
    whole.days = [...page.days, ...whole.days];
  }
  return whole;
}

interface Look {
  at: string;
  price: number;
  stock: number;
}

/** Looks at one product in the order of time, some minutes to some months apart. */
const anyLooks = fc
  .array(
    fc.record({
      gapMinutes: fc.oneof(
        fc.integer({ min: 1, max: 300 }),
        fc.integer({ min: 1, max: 4000 }),
        fc.constant(60_000),
      ),
      price: fc.constantFrom(0, 100, 90, 120),
      stock: fc.nat(2),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((list): Look[] => {
    let ms = Date.parse("2025-10-01T14:00:00.000Z");
    return list.map(({ gapMinutes, price, stock }) => {
      ms += gapMinutes * 60_000;
      return { at: new Date(ms).toISOString(), price, stock };
    });
  });

const dayOf = (at: string) => calendarDay(new Date(at), "Asia/Tokyo");
const plain = (at: string) => at.replace(".000Z", "Z");

const isSame = (a: Look | undefined, b: Look | undefined) =>
  a?.price === b?.price && a?.stock === b?.stock;

/** The looks that are known: the last one of each day, and both ends of every interval. */
function knownOf(looks: readonly Look[]): Look[] {
  return looks.filter((look, i) => {
    const [before, after] = [looks[i - 1], looks[i + 1]];
    const isLastOfDay = after === undefined || dayOf(after.at) !== dayOf(look.at);
    return isLastOfDay || !isSame(look, before) || !isSame(look, after);
  });
}

function expectedDays(looks: readonly Look[]) {
  const known = knownOf(looks);
  return [...new Set(known.map(({ at }) => dayOf(at)))].map((day) => {
    const checks = known.filter(({ at }) => dayOf(at) === day);
    const prices = checks.map(({ price }) => price).filter((price) => price > 0);
    const stocks = checks.map(({ stock }) => stock);
    const last = checks.at(-1);
    return {
      day,
      lowest_price: prices.length > 0 ? Math.min(...prices) : null,
      price: last?.price || null,
      proper_price: null,
      stock_min: Math.min(...stocks),
      stock_max: Math.max(...stocks),
      confirmed: checks.length,
      last_confirmed: plain(last?.at ?? ""),
    };
  });
}

/** A price that is seen before the last 30 days and in them. */
const heldFromBefore: readonly Look[] = [
  { at: "2026-01-10T00:00:00.000Z", price: 90, stock: 1 },
  { at: "2026-02-20T00:00:00.000Z", price: 90, stock: 1 },
];

/** The lowest price of an interval that reaches into the period, and since when it was shown. */
function expectedLow(looks: readonly Look[], days: number) {
  const since = new Date(Date.parse(now) - days * 86_400_000).toISOString();
  let low: { price: number; at: string } | null = null;
  let first = looks[0];
  for (const [i, look] of looks.entries()) {
    if (!isSame(look, first)) first = look;
    const isLast = !isSame(look, looks[i + 1]);
    if (!first || !isLast || look.at < since || look.price === 0) continue;
    if (!low || look.price < low.price) low = { price: look.price, at: plain(first.at) };
  }
  const observations = knownOf(looks).filter(({ at }) => at >= since).length;
  return low && { ...low, observations };
}

const store = (looks: readonly Look[]) =>
  seen(test.db, ...looks.map(({ at, ...over }): [string, object] => [at, over]));

describe("GET /v1/products/{item_id}/history", () => {
  it("tells the lowest price of each period, and on how many checks that is based", async () => {
    await fc.assert(
      fc.asyncProperty(anyLooks, async (looks) => {
        const { lows } = await read(await store(looks));
        expect(lows).toEqual({
          all: expectedLow(looks, 5000),
          "1y": expectedLow(looks, 365),
          "90d": expectedLow(looks, 90),
          "30d": expectedLow(looks, 30),
        });
      }),
      { numRuns: inject("long") ? 25 : 6, examples: [[[...heldFromBefore]]] },
    );
  });

  it("shows the days on which somebody looked, as they follow from the looks alone", async () => {
    await fc.assert(
      fc.asyncProperty(anyLooks, fc.constantFrom("1", "2", "7", "1000"), async (looks, limit) => {
        const itemId = await store(looks);
        const { days, intervals } = await readAll(itemId, { granularity: "day", limit });
        expect(days).toEqual(expectedDays(looks));
        expect(intervals).toEqual([]);
      }),
      { numRuns: inject("long") ? 25 : 6 },
    );
  });

  it("pages backwards through intervals without a gap, and stops at since", async () => {
    await fc.assert(
      fc.asyncProperty(
        anyLooks,
        fc.constantFrom("1", "2", "5"),
        fc.nat(20),
        async (looks, limit, after) => {
          const itemId = await store(looks);
          const whole = await read(itemId);
          expect(whole.next).toBeNull();
          const paged = await readAll(itemId, { limit });
          expect(paged.intervals).toEqual(whole.intervals);
          const since = looks[after]?.at ?? "2025-11-01T00:00:00Z";
          const late = whole.intervals.filter(
            (interval) => new Date(interval.last_confirmed) >= new Date(since),
          );
          expect((await readAll(itemId, { limit, since })).intervals).toEqual(late);
          const days = await readAll(itemId, { granularity: "day", limit, since });
          const inTime = looks.filter(({ at }) => new Date(at) >= new Date(since));
          expect(new Set(days.days.map(({ day }) => day))).toEqual(
            new Set(inTime.map(({ at }) => dayOf(at))),
          );
        },
      ),
      { numRuns: inject("long") ? 20 : 5 },
    );
  });

  itLong(
    "bounds a page of a very long history, newest first of all, and reads few of its rows",
    async () => {
      const itemId = await store([{ at: "2020-01-01T00:00:00.000Z", price: 1, stock: 1 }]);
      await test.db.execute(sql`
      insert into price_interval (item_id, first_seen, price, stock, prev_confirmed_at, prev_price, prev_stock, call_id)
      select ${itemId}, timestamptz '2020-01-01' + i * interval '1 hour', 1 + i % 7, 1,
        timestamptz '2020-01-01' + i * interval '1 hour' - interval '1 minute', 1, 1, 1
      from generate_series(1, 50000) i`);
      await test.db.execute(sql`
      update product set checked_at = '2026-01-01', price_since = '2025-09-14 08:00:00Z' where item_id = ${itemId}`);
      const newest = await read(itemId);
      expect(newest.intervals).toHaveLength(1000);
      expect(newest.intervals.at(-1)?.last_confirmed).toBe("2026-01-01T00:00:00Z");
      const before = await read(itemId, { until: newest.next ?? "" });
      expect(before.intervals).toHaveLength(1000);
      const gapMs =
        Date.parse(newest.intervals[0]?.first_seen ?? "") -
        Date.parse(before.intervals.at(-1)?.first_seen ?? "");
      expect(gapMs).toBe(3_600_000);
      const days = await read(itemId, { granularity: "day", until: "2023-01-01", limit: "30" });
      expect(days.days).toHaveLength(30);
      expect(days.days.at(-1)).toMatchObject({ day: "2023-01-01", confirmed: 19 });
    },
  );

  it("A1: names every parameter that cannot be used", async () => {
    const itemId = await store([{ at: "2026-01-01T00:00:00.000Z", price: 1, stock: 1 }]);
    const response = await api.get(
      `/v1/products/${itemId}/history?limit=1001&granularity=week&since=soon`,
    );
    expect(response.status).toBe(400);
    const { errors } = (await response.json()) as { errors: { parameter: string }[] };
    expect(errors.map(({ parameter }) => parameter).toSorted()).toEqual([
      "granularity",
      "limit",
      "since",
    ]);
  });
});
