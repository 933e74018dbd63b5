import { sql } from "drizzle-orm";
import { beforeAll, expect, inject, it } from "vitest";
import { rememberTimezone } from "../../src/catalog/analytics.ts";
import { readQuestions, withValues } from "../../src/bench/analytics-data.ts";
import { calendarDay } from "../../src/lib/calendar.ts";
import { systemClock, type Clock } from "../../src/lib/clock.ts";
import { must } from "../../src/lib/must.ts";
import { createRandom } from "../../src/lib/random.ts";
import { runMaintenance } from "../support/maintenance.ts";
import { createTestCrawl } from "../support/crawl.ts";
import { openedForAll } from "../support/opened.ts";
import { itLong } from "../support/it-long.ts";

const DAY_MS = 86_400_000;
const DAYS = inject("long") ? 16 : 5;
const TIMEZONE = "Asia/Tokyo";

/** Time as it passes, from another day on. */
function createShiftedClock(startIso: string): Clock & { shift(ms: number): void } {
  let offsetMs = new Date(startIso).getTime() - systemClock.now().getTime();
  return {
    ...systemClock,
    now: () => new Date(systemClock.now().getTime() + offsetMs),
    shift(ms) {
      offsetMs += ms;
    },
  };
}

const clock = createShiftedClock("2026-03-01T01:00:00Z");
const random = createRandom(7);
/** What the upstream really showed: product id to prices with the moment from which each held; null: deleted. */
const truth = new Map<number, [fromMs: number, price: number | null][]>();
const test = openedForAll(() => createTestCrawl({ clock, sandbox: { products: 150 } }));

function note(itemId: number, price: number | null): void {
  const prices = truth.get(itemId) ?? [];
  truth.set(itemId, [...prices, [clock.now().getTime(), price]]);
}

function truthAt(itemId: number, at: Date): number | null {
  return truth.get(itemId)?.findLast(([fromMs]) => fromMs <= at.getTime())?.[1] ?? null;
}

/** A day of the shops: prices change, some back and forth, products go and come back. */
function live(): void {
  const items = test.sandbox.control.items();
  for (const item of items) {
    const itemId = Number(item.item_id);
    const luck = random.next();
    if (luck < 0.02 && test.sandbox.control.remove(itemId)) {
      note(itemId, null);
      removed.push(item);
    } else if (luck < 0.2) {
      const price = Math.max(10, Math.round(Number(item.price) * random.pick([0.7, 0.9, 1, 1.2])));
      test.sandbox.control.edit(itemId, { price }, { silent: random.chance(0.3) });
      note(itemId, price);
    }
  }
  for (const item of removed.splice(0, 2)) {
    test.sandbox.control.add(item);
    note(Number(item.item_id), Number(item.price));
  }
}
const removed: Record<string, unknown>[] = [];

beforeAll(async () => {
  await rememberTimezone(test.db, TIMEZONE, clock.now());
  for (const item of test.sandbox.control.items()) note(Number(item.item_id), Number(item.price));
  await test.run("discover");
  for (let day = 1; day < DAYS; day += 1) {
    clock.shift(DAY_MS - 1000 * 3600 + random.integer(0, 7200) * 1000);
    live();
    // Some days the whole catalogue is looked at, some only what says that it changed, some nothing.
    const luck = random.next();
    if (luck < 0.4) await test.run("revalidate");
    else if (luck < 0.7) await test.run("feed");
  }
});

/** By the upstream's own log: the last moment of each product and day at which it was shown. */
function looks(): Map<string, Date> {
  const last = new Map<string, Date>();
  for (const call of test.sandbox.control.calls.all()) {
    for (const id of call.returned) last.set(`${id} ${call.day}`, new Date(call.at));
  }
  return last;
}

it("agrees with what the upstream showed wherever a look happened, and says not confirmed elsewhere", async () => {
  const seen = looks();
  const pairs = Array.from({ length: 1000 }, () => {
    const itemId = random.pick([...truth.keys()]);
    const at = new Date(Date.UTC(2026, 2, 1 + random.integer(0, DAYS), 3));
    return { item_id: itemId, day: calendarDay(at, TIMEZONE) };
  });
  const rows = await test.db.execute<{
    item_id: number;
    day: string;
    daily: number | null;
    confirmed: boolean | null;
    price: number | null;
    price_confirmed: boolean;
    state: string;
  }>(sql`
    select w.item_id, w.day::text, d.price as daily, d.confirmed, a.price, a.confirmed as price_confirmed, a.state
    from json_to_recordset(${JSON.stringify(pairs)}::text::json) as w(item_id bigint, day date)
    left join analytics.price_daily d on d.item_id = w.item_id and d.day = w.day
    cross join lateral analytics.price_at(w.item_id,
      ((w.day + 1)::timestamp at time zone ${TIMEZONE}) - interval '1 ms') a`);
  expect(rows).toHaveLength(1000);
  let confirmed = 0;
  for (const row of rows) {
    const look = seen.get(`${row.item_id} ${row.day}`);
    const expected = look ? truthAt(row.item_id, look) : null;
    expect({ ...row, daily: row.daily, confirmed: row.confirmed ?? false }).toMatchObject({
      daily: expected,
      confirmed: look !== undefined,
      price_confirmed: look !== undefined,
      ...(look ? { price: expected } : {}),
    });
    confirmed += Number(look !== undefined);
  }
  expect(confirmed).toBeGreaterThan(200);
  expect(confirmed).toBeLessThan(800);
  // The control: whoever takes an interval for an unbroken row of looks is wrong about these.
  expect(rows.filter(({ state }) => state === "between").length).toBeGreaterThan(10);
});

it("answers every worked question about this history", async () => {
  const now = new Date(clock.now().getTime() + DAY_MS);
  await runMaintenance(test.db, now);
  const [offer] = await test.db.execute<{ gtin: string }>(sql`
    select gtin from analytics.offers group by gtin order by count(*) desc, gtin limit 1`);
  const values = {
    gtin: must(offer, "an offer").gtin,
    item_id: must([...truth.keys()][0], "a product"),
    at: "2026-03-05T03:00:00Z",
    until: calendarDay(clock.now(), TIMEZONE),
    holiday: calendarDay(now, TIMEZONE),
    second_holiday: "2026-03-08",
  };
  const counts: [string, number][] = [];
  for (const question of await readQuestions()) {
    const rows = await test.db.execute(sql.raw(withValues(question.sql, values)));
    counts.push([question.title, rows.length]);
  }
  expect(counts.filter(([, rows]) => rows === 0)).toEqual([
    // This catalogue has no reduced prices, no contents in its titles, no visitors, no webhooks, no wrong prices and no groups.
    ["Does it really cost less than before?", 0],
    ["What is cheapest by weight?", 0],
    ["Which products do visitors go to shops for?", 0],
    ["Which prices should nobody believe?", 0],
    ["Which comparable products differ most in price between shops?", 0],
    ["Which products were merged or split lately?", 0],
    ["What do visitors search for that nothing is found for?", 0],
    ["How soon do webhooks get what alerts tell?", 0],
  ]);
});

itLong("sums the days of the shops to what the history holds", async () => {
  const [sums] = await test.db.execute(sql`
    select sum(new_products) as new, sum(changes) as changes from analytics.shop_days`);
  // A deleted product that comes back with the same values begins an interval, and is no change.
  const [all] = await test.db.execute(sql`
    select count(*) filter (where before is null) as new,
      count(*) filter (where before is not null and before is distinct from held) as changes
    from (
      select held, lag(held) over (partition by item_id order by first_seen) as before
      from (select item_id, first_seen, to_jsonb((price, proper_price, stock)) as held from price_interval) i
    ) intervals`);
  expect(sums).toEqual(all && { new: all.new, changes: all.changes });
});
