import { expect, it } from "vitest";
import type { AlertRule, ProductFacts } from "../../db/schema.ts";
import { judge, type PairState, type Saved } from "./judge.ts";
import { createMatcher, toJudged } from "./matches.ts";

const facts: ProductFacts = {
  title: "革財布 red",
  categories: ["財布"],
  shop_id: "shop-1",
  shop_name: "革工房",
  price: 1000,
  proper_price: null,
  stock: 3,
  barcodes: ["4901234567894"],
  since: "2026-01-01T00:00:00.000Z",
};

const savedWith = (rule: AlertRule, over: Partial<Saved> = {}): Saved => ({
  matches: createMatcher({ item_id: 1 }),
  rules: [rule],
  minChangePercent: 1,
  cooldownS: 0,
  confirmFactor: 5,
  ...over,
});

/** What a saved search says of a product that goes through these states, a minute apart; null: deleted. */
function follow(
  saved: Saved,
  states: readonly (Partial<ProductFacts> | null)[],
  low: number | null = null,
): string[][] {
  let state: PairState | null = null;
  let lowest = low;
  const [first, ...others] = states;
  let before = first ? toJudged({ ...facts, ...first }, { itemId: 1, groupIds: [] }) : null;
  return others.map((over, i) => {
    const after = over && toJudged({ ...facts, ...over }, { itemId: 1, groupIds: [] });
    const kind = after === null ? "deleted" : "changed";
    const at = new Date(Date.UTC(2026, 0, 1, 0, i));
    const change = { position: i, ver: i + 2, at, kind, before, after } as const;
    const known = lowest === null ? null : { price: lowest, at: "2026-01-01T00:00:00.000Z" };
    const verdict = judge(saved, change, state, () => known);
    ({ state } = verdict);
    before = after;
    if (lowest !== null && after?.facts.price) lowest = Math.min(lowest, after.facts.price);
    return verdict.news.map((news) => news.kind);
  });
}

const prices = (...list: number[]) => list.map((price) => ({ price }));
const told = (kind: string) => [kind];
const quiet: string[] = [];

it("a target price is told when it is reached, and again only after the price was clearly above", () => {
  const saved = savedWith({ kind: "price_below", price: 900 });
  const below = told("price_below");
  expect(follow(saved, prices(1000, 900, 850, 910, 890, 930, 880))).toEqual([
    below,
    quiet,
    quiet,
    quiet,
    quiet,
    below,
  ]);
});

it("a price that was below the target from the beginning is not told until it comes back from clearly above", () => {
  const saved = savedWith({ kind: "price_below", price: 900 });
  expect(follow(saved, prices(890, 880, 905, 880, 1000, 890))).toEqual([
    quiet,
    quiet,
    quiet,
    quiet,
    told("price_below"),
  ]);
});

it("drops and rises count by percent of the price before, and at least the minimum change", () => {
  expect(
    follow(savedWith({ kind: "price_drop", percent: 10 }), prices(1000, 901, 800, 720)),
  ).toEqual([quiet, told("price_drop"), told("price_drop")]);
  const rise = savedWith({ kind: "price_rise" }, { minChangePercent: 5 });
  expect(follow(rise, prices(1000, 1040, 1100, 1000))).toEqual([quiet, told("price_rise"), quiet]);
});

it("a move of just the percent that is asked for is told, whatever its fraction", () => {
  for (let tenths = 1; tenths < 1000; tenths += 1) {
    const percent = tenths / 10;
    const just = prices(3000, 3000 - tenths * 3, 3000);
    const drop = savedWith({ kind: "price_drop", percent }, { minChangePercent: 0 });
    const wanting = { ...drop, confirmFactor: 10_000 };
    expect([percent, follow(wanting, just)]).toEqual([percent, [told("price_drop"), quiet]]);
    const low = { minChangePercent: percent, confirmFactor: 10_000 };
    const lows = savedWith({ kind: "new_low", window: "all" }, low);
    expect([percent, follow(lows, just, 3000)]).toEqual([percent, [told("new_low"), quiet]]);
  }
  const more = savedWith({ kind: "price_drop", percent: 1.11 });
  expect(follow(more, prices(3000, 2967))).toEqual([quiet]);
});

it("small steps to a new low are told when they add up to the minimum change", () => {
  const saved = savedWith({ kind: "new_low", window: "90d" }, { minChangePercent: 5 });
  expect(follow(saved, prices(1000, 990, 970, 949, 940, 902, 901), 1000)).toEqual([
    quiet,
    quiet,
    told("new_low"),
    quiet,
    quiet,
    told("new_low"),
  ]);
  expect(follow(saved, prices(1000, 900), null)).toEqual([quiet]);
});

it("a price of 0 is none: no move leads to it or from it, and it matches no limit", () => {
  for (const rule of [
    { kind: "price_drop", percent: 10 },
    { kind: "price_rise" },
    { kind: "new_low", window: "all" },
  ] as const) {
    expect(follow(savedWith(rule), prices(1000, 0, 1000), 1000)).toEqual([quiet, quiet]);
  }
  const lows = savedWith({ kind: "new_low", window: "all" });
  expect(follow(lows, prices(1000, 0, 500), 1000)).toEqual([quiet, told("new_low")]);
  expect(follow(lows, prices(1000, 0, 5), 1000)).toEqual([quiet, quiet]);
  const saved = savedWith({ kind: "new_match" }, { matches: createMatcher({ price_max: 1000 }) });
  expect(follow(saved, prices(1500, 0, 900, 0, 950))).toEqual([
    quiet,
    told("new_match"),
    quiet,
    quiet,
  ]);
  const onSale = createMatcher({ on_sale: true });
  const reduced = savedWith({ kind: "new_match" }, { matches: onSale });
  expect(
    follow(reduced, [
      { price: 1000, proper_price: 1000 },
      { price: 0, proper_price: 1000 },
    ]),
  ).toEqual([quiet]);
});

it("new matches, returns to stock and deletions are told when they happen", () => {
  const saved = savedWith(
    { kind: "new_match" },
    { matches: createMatcher({ q: "財布", price_max: 1000 }) },
  );
  expect(follow(saved, prices(1500, 1000, 1015, 990, 1500, 900))).toEqual([
    told("new_match"),
    quiet,
    quiet,
    quiet,
    told("new_match"),
  ]);
  const one = savedWith({ kind: "new_match" }, { matches: createMatcher({ item_id: 1 }) });
  expect(follow(one, [{}, null, {}])).toEqual([quiet, told("new_match")]);
  const stock = savedWith({ kind: "back_in_stock" });
  expect(follow(stock, [{ stock: 1 }, { stock: 0 }, { stock: 2 }, { stock: 3 }])).toEqual([
    quiet,
    told("back_in_stock"),
    quiet,
  ]);
  expect(follow(savedWith({ kind: "gone" }), [{}, null])).toEqual([told("gone")]);
});

it("within the cool-down the same rule is silent", () => {
  const saved = savedWith({ kind: "price_drop", percent: 10 }, { cooldownS: 150 });
  expect(follow(saved, prices(1000, 800, 1000, 800, 1000, 800))).toEqual([
    told("price_drop"),
    quiet,
    quiet,
    quiet,
    told("price_drop"),
  ]);
});

it("what was told while the clock was a day ahead silences nothing once it is set", () => {
  const saved = savedWith({ kind: "price_drop", percent: 10 }, { cooldownS: 3600 });
  const product = (price: number) => toJudged({ ...facts, price }, { itemId: 1, groupIds: [] });
  const drop = (from: number, to: number, at: string, past: PairState | null) => {
    const [before, after] = [product(from), product(to)];
    const change = {
      position: 1,
      ver: from,
      at: new Date(at),
      kind: "changed",
      before,
      after,
    } as const;
    return judge(saved, change, past, () => null);
  };
  const { news, state } = drop(1000, 800, "2026-01-02T00:00:00Z", null);
  expect(news).toHaveLength(1);
  expect(drop(800, 600, "2026-01-01T01:00:00Z", state).news).toHaveLength(1);
});

it("a price that jumps is told when it is seen again, and never if it was a slip", () => {
  const saved = savedWith({ kind: "price_drop", percent: 10 });
  const slip = [{ price: 1000 }, { price: 10 }, { price: 1000 }, { price: 990 }];
  expect(follow(saved, slip)).toEqual([quiet, quiet, quiet]);
  const real = [
    { price: 1000 },
    { price: 100 },
    { price: 100, stock: 2 },
    { price: 100, stock: 1 },
  ];
  expect(follow(saved, real)).toEqual([quiet, told("price_drop"), quiet]);
});

it("words with an inch sign find titles that have it", () => {
  const matches = createMatcher({ q: '24" monitor' });
  const titled = (title: string) => toJudged({ ...facts, title }, { itemId: 1, groupIds: [] });
  expect(
    ['Monitor 24"', "24 inch monitor", "Monitor 24 cm"].map(titled).map((one) => matches(one)),
  ).toEqual([true, true, false]);
});

it.each(["ちゅ～る", "ちゅーる", "チュール"])(
  "%s finds a long vowel that is written as a wave",
  (q) => {
    const product = toJudged(
      { ...facts, title: "CIAO ちゅ〜る まぐろ" },
      { itemId: 1, groupIds: [] },
    );
    expect(createMatcher({ q })(product)).toBe(true);
  },
);
