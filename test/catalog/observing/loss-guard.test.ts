import { sql } from "drizzle-orm";
import { describe, expect, inject, it } from "vitest";
import { countLiving } from "../../../src/catalog/counts.ts";
import { settleAbsences, type AbsenceVerdict } from "../../../src/catalog/observing/deletions.ts";
import {
  countHeld,
  discardHeld,
  releaseHeld,
} from "../../../src/catalog/observing/held-deletions.ts";
import { endGuard, readGuard } from "../../../src/catalog/observing/loss-guard.ts";
import { observeSearch } from "../../../src/catalog/observing/observe.ts";
import { fillCatalogue, idsOf } from "../../support/bulk-catalogue.ts";
import { openedForEach } from "../../support/opened.ts";
import { createTestDb } from "../../support/postgres.ts";
import { searchItem } from "../../support/products.ts";
import { itLong } from "../../support/it-long.ts";

const test = openedForEach(createTestDb);

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const start = Date.UTC(2026, 0, 1);
const at = (ms: number) => new Date(start + ms);

/** The whole of a refresh: its row of the ledger, and what it proved. */
function refresh(
  ms: number,
  { shop, asked, absent }: { shop: number; asked: number[]; absent: number[] },
): Promise<AbsenceVerdict> {
  const gone = new Set(absent);
  const returned = asked.filter((id) => !gone.has(id));
  const sentAt = at(ms);
  return test.db.transaction(async (tx) => {
    const [call] = await tx.execute<{ id: number }>(sql`
      insert into api_call (day, purpose, operation, job, params, reserved_at, outcome, asked, returned)
      values (${sentAt.toISOString()}::date, 'revalidation', 'refresh', 'revalidate', '{}', ${sentAt.toISOString()},
        'ok', ${asked.length}, ${returned.length}) returning id`);
    const callId = call?.id ?? 0;
    const answer = { shopId: `s-${shop}`, asked, returned, anonymous: false, confirmsEmpty: true };
    const settled = await settleAbsences(tx, { callId, sentAt }, answer);
    const deleted = settled.verdict === "deleted" ? settled.deleted : 0;
    await tx.execute(sql`update api_call set gone = ${deleted} where id = ${callId}`);
    return settled;
  });
}

async function liveProducts(): Promise<number[]> {
  const rows = await test.db.execute<{ item_id: number }>(sql`
    select item_id from product where state <> 'gone' order by item_id`);
  return rows.map((row) => row.item_id);
}

async function count(what: "deleted" | "recount" | "kept"): Promise<number> {
  if (what === "kept") return countLiving(test.db);
  const query = {
    deleted: sql`select count(*) as n from product where state = 'gone'`,
    recount: sql`select count(*) as n from product where state <> 'gone'`,
  }[what];
  const [row] = await test.db.execute<{ n: number }>(query);
  return row?.n ?? 0;
}

const decide = (how: "release" | "discard", ms: number) =>
  test.db.transaction(async (tx) => {
    const slice = { scope: {}, heldBy: at(ms), limit: 1_000_000 };
    const decided =
      how === "release" ? await releaseHeld(tx, slice, at(ms)) : await discardHeld(tx, slice);
    await endGuard(tx, at(ms));
    return decided;
  });

/** 200,000 products in all, or 20,000. */
const productsOfShop = inject("long") ? 2000 : 200;

describe("B4: the loss guard", () => {
  itLong(
    "B4: a fault that empties every answer for a week deletes half an hour's worth of products",
    async () => {
      const shops = 100;
      const each = productsOfShop;
      await fillCatalogue(test.db, { shops, each, at: at(-DAY) });
      // On the first day as many products as 10,000 calls of 50 decide about where each empty answer
      // takes a second call to be believed; then a tenth of it. Larger batches, so that a week passes in seconds.
      const laterGapMs = DAY / (inject("long") ? 125 : 10);
      let clock = 0;
      for (let n = 0; clock < 7 * DAY; n += 1, clock += clock < DAY ? DAY / 125 : laterGapMs) {
        const shop = (n % shops) + 1;
        const asked = idsOf(shop, each).slice(0, clock < DAY ? each : each / 10);
        await refresh(clock, { shop, asked, absent: clock < HOUR ? [] : asked });
      }
      const deleted = await count("deleted");
      expect(deleted).toBeGreaterThan(0);
      expect(deleted).toBeLessThanOrEqual(5 * each);
      expect(await countHeld(test.db)).toBe(shops * each - deleted);
      expect(await count("kept")).toBe(shops * each - deleted);
      // The answers are well again: what they show is held no longer, and the guard waits for ops.
      const shown = idsOf(50, each);
      const items = shown.slice(0, 50).map((id) => searchItem(id, { shopId: "s-50" }));
      await test.db.transaction((tx) =>
        observeSearch(tx, { callId: 1, sentAt: at(clock) }, { items, broken: [] }),
      );
      expect(await countHeld(test.db)).toBe(shops * each - deleted - 50);
      expect((await readGuard(test.db, at(clock))).trippedAt).not.toBeNull();
      // It was a fault: all that is held stays, and what really vanishes later is believed again.
      expect((await decide("discard", clock + HOUR)).taken).toBe(shops * each - deleted - 50);
      expect(await count("recount")).toBe(shops * each - deleted);
      const later = { shop: 50, asked: idsOf(50, each), absent: idsOf(50, each).slice(0, 100) };
      expect(await refresh(clock + 2 * HOUR, later)).toMatchObject({ deleted: 100, held: 0 });
    },
  );

  itLong(
    "B4: a fault that takes a few of every answer for a week deletes a fifth of the products at most",
    async () => {
      const shops = 100;
      const each = productsOfShop;
      await fillCatalogue(test.db, { shops, each, at: at(-DAY) });
      let dropped = 0;
      for (let n = 0; n < 7 * shops; n += 1) {
        const shop = (n % shops) + 1;
        const asked = idsOf(shop, each);
        // Other ids each time: one in twenty, so that no hour looks like a catastrophe.
        const absent = asked.filter((id) => (id * 7 + Math.floor(n / shops)) % 20 === 0);
        const settled = await refresh((n * DAY) / shops, { shop, asked, absent });
        dropped += settled.verdict === "deleted" ? settled.deleted : 0;
      }
      expect(dropped).toBeGreaterThan(0.15 * shops * each);
      expect(await count("deleted")).toBe(dropped);
      expect(dropped).toBeLessThanOrEqual(0.2 * shops * each);
      expect(await countHeld(test.db)).toBeGreaterThan(0.05 * shops * each);
    },
  );

  it("B4: what is held never passes by waiting or by being asked for again", async () => {
    await fillCatalogue(test.db, { shops: 10, each: 100, at: at(-DAY) });
    for (let day = 0; day < 30; day += 1) {
      for (let shop = 1; shop <= 5; shop += 1) {
        const asked = idsOf(shop, 100);
        await refresh(day * DAY + shop, { shop, asked, absent: asked });
      }
    }
    expect(await count("deleted")).toBe(200);
    expect(await countHeld(test.db)).toBe(300);
    const [newest] = await test.db.execute<{ proven_at: string; held_at: string }>(sql`
      select max(proven_at) as proven_at, max(held_at) as held_at from held_deletion`);
    expect(new Date(newest?.proven_at ?? 0)).toEqual(at(29 * DAY + 5));
    expect(new Date(newest?.held_at ?? 0)).toEqual(at(5));
  });

  it("B4: a product that comes back and vanishes again counts each time", async () => {
    await fillCatalogue(test.db, { shops: 10, each: 100, at: at(-DAY) });
    const asked = idsOf(1, 100);
    let deletions = 0;
    for (let turn = 0; turn < 6; turn += 1) {
      const settled = await refresh(turn * HOUR, { shop: 1, asked, absent: asked });
      deletions += settled.verdict === "deleted" ? settled.deleted : 0;
      const items = asked.map((id) => searchItem(id, { shopId: "s-1" }));
      await test.db.transaction((tx) =>
        observeSearch(tx, { callId: 1, sentAt: at(turn * HOUR + 1) }, { items, broken: [] }),
      );
    }
    expect(deletions).toBe(200);
  });

  it("B4: losses under way at the same time count one another", async () => {
    await fillCatalogue(test.db, { shops: 12, each: 50, at: at(-DAY) });
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, i) => {
        const asked = idsOf(i + 1, 50);
        return refresh(i, { shop: i + 1, asked, absent: asked });
      }),
    );
    expect(outcomes.filter((one) => one.verdict === "deleted" && one.deleted === 50)).toHaveLength(
      4,
    );
    expect(await count("deleted")).toBe(200);
    expect(await countHeld(test.db)).toBe(200);
  });

  it("B4: a decision of ops ends the window: the same evidence counts anew", async () => {
    await fillCatalogue(test.db, { shops: 10, each: 100, at: at(-DAY) });
    const lose = async (ms: number) => {
      for (let shop = 1; shop <= 4; shop += 1) {
        const asked = idsOf(shop, 100);
        await refresh(ms + shop, { shop, asked, absent: asked });
      }
    };
    await lose(0);
    expect([await count("deleted"), await countHeld(test.db)]).toEqual([200, 200]);
    expect(await decide("discard", HOUR)).toEqual({ taken: 200, deleted: 0 });
    expect(await readGuard(test.db, at(HOUR))).toMatchObject({ trippedAt: null, deleted: 0 });
    await lose(2 * HOUR);
    expect([await count("deleted"), await countHeld(test.db)]).toEqual([400, 0]);
    expect(await liveProducts()).toHaveLength(600);
  });

  it("B4: the guard stays up while an answer under way holds something more", async () => {
    await fillCatalogue(test.db, { shops: 10, each: 100, at: at(-DAY) });
    for (let shop = 1; shop <= 3; shop += 1) {
      await refresh(shop, { shop, asked: idsOf(shop, 100), absent: idsOf(shop, 100) });
    }
    const { ended } = await test.db.transaction(async (tx) => {
      const answer = { shopId: "s-4", asked: [301], returned: [], anonymous: false };
      const sighting = { callId: 9, sentAt: at(HOUR) };
      await settleAbsences(tx, sighting, { ...answer, confirmsEmpty: true });
      // Of all that was held before; it waits for the row that this transaction has locked.
      const ending = decide("release", HOUR - 1);
      await untilWaiting();
      return { ended: ending };
    });
    await ended;
    expect(await countHeld(test.db)).toBe(1);
    expect((await readGuard(test.db, at(HOUR))).trippedAt).not.toBeNull();
  });

  itLong(
    "B4: ordinary losses of a big catalogue are believed: 2% a day for three weeks",
    async () => {
      const shops = 20;
      const each = 1000;
      await fillCatalogue(test.db, { shops, each, at: at(-DAY) });
      for (let n = 0; n < 21 * shops; n += 1) {
        const shop = (n % shops) + 1;
        const asked = idsOf(shop, each);
        const day = Math.floor(n / shops);
        const absent = asked.filter((id) => id % 50 === day);
        await refresh((n * DAY) / shops, {
          shop,
          asked: asked.filter((id) => id % 50 >= day),
          absent,
        });
      }
      expect(await countHeld(test.db)).toBe(0);
      expect(await count("deleted")).toBe(21 * 0.02 * shops * each);
      expect(await count("kept")).toBe(await count("recount"));
    },
  );

  async function untilWaiting(): Promise<void> {
    for (;;) {
      const [row] = await test.db.execute<{ n: number }>(sql`
        select count(*) as n from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`);
      if ((row?.n ?? 0) > 0) return;
    }
  }
});
