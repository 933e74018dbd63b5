import { sql } from "drizzle-orm";
import { systemClock as clock } from "../../src/lib/clock.ts";
import { createGenerator } from "../../src/sandbox/catalogue/generate.ts";
import type { SandboxItem } from "../../src/sandbox/catalogue/item.ts";
import { createRandom, type Random } from "../../src/lib/random.ts";
import { matchAll } from "../../test/support/matching.ts";
import { observeItems } from "./bench-catalogue.ts";
import { openScriptDb } from "./servers.ts";

const dayMs = 86_400_000;
const lookedAt = 120;

/** The checks, in days before today: every second day, but none between 74 and 52. */
const looks = Array.from({ length: 60 }, (_, index) => 120 - index * 2).filter(
  (daysAgo) => daysAgo > 74 || daysAgo < 52,
);

/** The history of an invented catalogue: changing prices and stock, as a crawler would have seen them. */
export async function storePast(databaseUrl: string, products: number): Promise<void> {
  const { db, close } = openScriptDb(databaseUrl);
  const random = createRandom(11);
  const items = createGenerator(7).catalog(products);
  const past = new Map(followedOf(items).map((item) => [item.item_id, item]));
  for (const [index, daysAgo] of looks.entries()) {
    for (const item of past.values()) past.set(item.item_id, moved(item, random));
    const known = index === 0 ? items.map((item) => past.get(item.item_id) ?? item) : past.values();
    const seen = [...known].map((item) => ({
      ...item,
      modified: item.modified - (daysAgo * dayMs) / 1000,
    }));
    const sentAt = new Date(clock.now().getTime() - daysAgo * dayMs);
    await observeItems(db, seen, { callId: index + 1, sentAt });
  }
  await db.execute(sql`
    insert into product_schedule (item_id, shop_id, checked_at, due_at)
    select item_id, shop_id, checked_at, checked_at from product`);
  await matchAll(db);
  await close();
}

/** Those of an invented catalogue that are seen at each check. */
export function followedOf(items: readonly SandboxItem[]): SandboxItem[] {
  return items.filter(isSharedOrReduced).slice(0, lookedAt);
}

function isSharedOrReduced(item: SandboxItem): boolean {
  return item.proper_price !== null || item.variations.some(({ barcode }) => barcode !== null);
}

function moved(item: SandboxItem, random: Random): SandboxItem {
  const factor = random.chance(0.1) ? 0.82 + 0.4 * random.next() : 1;
  const price = Math.max(50, Math.round((item.price * factor) / 10) * 10);
  const stock = random.chance(0.12) ? random.integer(0, 30) : item.stock;
  return {
    ...item,
    price,
    proper_price: item.proper_price === null ? null : Math.max(item.proper_price, price),
    stock,
  };
}
