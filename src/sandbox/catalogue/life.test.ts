import { describe, expect, it } from "vitest";
import { createCatalog } from "./catalog.ts";
import { createGenerator } from "./generate.ts";
import { changesADay, createLife } from "./life.ts";
import { createOrders } from "../market/orders.ts";
import { createMemoryJournal } from "../state/journal.ts";

const daySeconds = 86_400;
const NOW = 1_800_000_000;

function livedThrough(days: number) {
  const generator = createGenerator(1);
  const before = generator.catalog(3000);
  const catalog = createCatalog(before);
  const orders = createOrders(createMemoryJournal(), catalog, () => NOW);
  const life = createLife({ catalog, generator, orders, seed: 1 });
  for (let hour = 0; hour < days * 24; hour += 1) life.pass(daySeconds / 24, NOW);
  return { before, catalog, orders };
}

describe("createLife", () => {
  it("is the same for the same seed", () => {
    const [one, other] = [livedThrough(1), livedThrough(1)];
    expect(JSON.stringify([...one.catalog.items()])).toBe(
      JSON.stringify([...other.catalog.items()]),
    );
  });

  it("adds, deletes and edits, stock more often than prices, some edits silently", () => {
    const { before, catalog, orders } = livedThrough(6);
    const known = new Set(before.map((item) => item.item_id));
    const added = [...catalog.items()].filter((item) => !known.has(item.item_id));
    const kept = before.flatMap((item) => {
      const now = catalog.get(item.item_id);
      return now ? [{ item, now }] : [];
    });
    expect(added.length).toBeGreaterThan(50);
    expect(before.length - kept.length).toBeGreaterThan(50);
    const prices = kept.filter(({ item, now }) => item.price !== now.price);
    const stocks = kept.filter(({ item, now }) => item.stock !== now.stock);
    const silent = prices.filter(({ item, now }) => item.modified === now.modified);
    expect(stocks.length).toBeGreaterThan(prices.length);
    expect(prices.length).toBeGreaterThan(50);
    expect(orders.unpaid().length).toBeGreaterThan(orders.waiting().length);
    expect(orders.waiting().length).toBeGreaterThan(50);
    expect(silent.length).toBeGreaterThan(0);
    expect(silent.length).toBeLessThan(prices.length / 2);
    for (const { now } of kept) expect(now.stock).toBeGreaterThanOrEqual(0);
  });
});

describe("changesADay", () => {
  it("is heavy-tailed: most products rest, few change all the time", () => {
    const rates = Array.from({ length: 5000 }, (_, i) => changesADay(i, 1)).sort((x, y) => x - y);
    const mean = rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
    expect(mean).toBeGreaterThan(0.2);
    expect(mean).toBeLessThan(0.3);
    expect(rates[2500]).toBeLessThan(mean / 2);
    expect(rates[4950]).toBeGreaterThan(mean * 3);
  });
});
