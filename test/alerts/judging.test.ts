import { sql } from "drizzle-orm";
import { expect, inject, it } from "vitest";
import {
  judge,
  type KnownLow,
  type LowBefore,
  type LowBeforeWindow,
  type PairState,
} from "../../src/alerts/judging/judge.ts";
import { createJudging, judgeSlice } from "../../src/alerts/judging/judging.ts";
import { toSaved } from "../../src/alerts/judging/searches-in-memory.ts";
import { readChangesToJudge, type Waiting } from "../../src/alerts/judging/waiting-changes.ts";
import { orderChanges } from "../../src/catalog/changes/change-order.ts";
import type { Tx } from "../../src/db/open.ts";

import { calendarDay } from "../../src/lib/calendar.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { createRandom } from "../../src/lib/random.ts";
import type { SearchItem } from "../../src/storefront/product.ts";
import {
  barcodes,
  categories,
  createOwner,
  pick,
  randomSearch,
  readAllEvents,
  save,
  toJudgingDeps,
  words,
  type SeenEvent,
} from "../support/alerts.ts";
import { storeItems } from "../support/catalog.ts";
import { openedForEach } from "../support/opened.ts";
import { createTestDb } from "../support/postgres.ts";
import { searchItem } from "../support/products.ts";
import { until } from "../support/until.ts";

const size = inject("long")
  ? { searches: 600, changes: 4000, items: 200 }
  : { searches: 80, changes: 350, items: 40 };
const timezone = "Asia/Tokyo";

const test = openedForEach(createTestDb);

const toDeps = () => toJudgingDeps(test.db);

it("random changes give every saved search the events that a judge of all pairs finds, also if it is killed between any two steps", async () => {
  const random = createRandom(20).next;
  const { ownerId } = await createOwner(test.db);
  for (let i = 0; i < size.searches; i += 1) {
    await save(test.db, ownerId, randomSearch(random, size.items), () => random());
  }
  await makeGroups();
  const seen = await changeProducts(random);
  const changes = await allChanges();
  expect(changes.length).toBeGreaterThanOrEqual(size.changes);
  const expected = await judgeAllPairs(changes, seen);

  const deps = toDeps();
  let kills = 0;
  for (let judged = -1; judged !== 0;) {
    const limit = 1 + Math.floor(random() * 300);
    const diesAt = random() < 0.5 ? Math.floor(random() * 12) : Number.POSITIVE_INFINITY;
    try {
      judged = await test.db.transaction(async (tx) => {
        await tx.execute(sql`set local idle_in_transaction_session_timeout = 0`);
        const done = await judgeSlice(mortal(tx, diesAt), deps, limit);
        if (diesAt === 11) throw new Killed();
        return done;
      });
    } catch (error) {
      if (!(error instanceof Error && hasKilled(error))) throw error;
      kills += 1;
    }
  }
  expect(kills).toBeGreaterThan(0);
  const events = await readAllEvents(test.db);
  expect(events.map(toLine)).toEqual(expected.map(toLine));
  expect(new Set(events.map(({ kind }) => kind)).size).toBe(7);
  expect(events.some(({ is_quiet }) => is_quiet)).toBe(true);
}, 1_500_000);

const toLine = (event: SeenEvent) => {
  const { low_at: _, ...data } = event.data;
  return JSON.stringify([
    event.saved_search_id,
    event.item_id,
    event.kind,
    event.ver,
    event.is_quiet,
    Object.entries(data).toSorted(([a], [b]) => a.localeCompare(b)),
  ]);
};

class Killed extends Error {}
const hasKilled = (error: Error): boolean =>
  error instanceof Killed || (error.cause instanceof Error && hasKilled(error.cause));

/** A transaction that dies before its statement number `diesAt`. */
function mortal(tx: Tx, diesAt: number): Tx {
  let statements = 0;
  return new Proxy(tx, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (name !== "execute" || typeof value !== "function") return value;
      return (...args: unknown[]) => {
        if (statements >= diesAt) throw new Killed();
        statements += 1;
        return Reflect.apply(value, target, args);
      };
    },
  });
}

async function makeGroups(): Promise<void> {
  await test.db.execute(sql`
    insert into product_group (members, created_at) select 2, now() from generate_series(1, 4)`);
  // Group 4 went into group 3.
  await test.db.execute(
    sql`update product_group set merged_into = 3, members = 0 where group_id = 4`,
  );
  await test.db.execute(sql`
    insert into group_member (item_id, group_id, kind, score)
    select i, 1 + i % 3, 'manual', 1 from generate_series(1, 12) i`);
}

interface Sight {
  at: string;
  price: number;
}

/** Writes random products, in time. Returns what was seen of each. */
async function changeProducts(random: () => number): Promise<Map<number, Sight[]>> {
  const seen = new Map<number, Sight[]>();
  const items = new Map<number, SearchItem>();
  let atMs = Date.UTC(2026, 0, 1);
  for (let told = 0; told < size.changes;) {
    atMs += 3_600_000 * (1 + Math.floor(random() * 40));
    const at = new Date(atMs).toISOString();
    const ids = new Set(Array.from({ length: 25 }, () => 1 + Math.floor(random() * size.items)));
    const gone = [...ids].filter((id) => items.has(id) && random() < 0.03);
    await test.db.execute(sql`
      update product set state = 'gone', ver = ver + 1, changed_at = ${at}, deleted_at = ${at}, deleted_call_id = 1
      where state <> 'gone' and item_id in (select x::bigint from json_array_elements_text(${JSON.stringify(gone)}::text::json) x)`);
    const shown = [...ids].filter((id) => !gone.includes(id));
    for (const id of shown) {
      const item = changed(random, id, items.get(id));
      items.set(id, item);
      seen.set(id, [...(seen.get(id) ?? []), { at, price: item.price }]);
    }
    await storeItems(
      test.db,
      at,
      shown.flatMap((id) => items.get(id) ?? []),
    );
    const [row] = await test.db.execute<{ n: number }>(sql`
      select (select count(*) from pending_change) + (select count(*) from alert_change) as n`);
    told = row?.n ?? 0;
  }
  return seen;
}

function changed(random: () => number, id: number, old?: SearchItem): SearchItem {
  const item =
    old ??
    searchItem(id, {
      title: `${pick(random, words)} ${pick(random, words)} ${id}`,
      price: 100 + Math.floor(random() * 4000),
      shopId: `shop-${1 + (id % 3)}`,
      categories: [pick(random, categories)],
    });
  const kind = random();
  if (kind < 0.15) return item;
  if (kind < 0.55) return { ...item, price: Math.ceil(item.price * (0.85 + random() * 0.32)) };
  if (kind < 0.62)
    return { ...item, price: Math.ceil(item.price * pick(random, [0.1, 0.2, 5, 10])) % 90_000 };
  if (kind < 0.8) return { ...item, stock: random() < 0.5 ? 0 : 3 };
  if (kind < 0.85) return { ...item, title: `${pick(random, words)} ${pick(random, words)} ${id}` };
  if (kind < 0.9) return { ...item, categories: [pick(random, categories)] };
  if (kind < 0.95) return { ...item, properPrice: random() < 0.5 ? null : item.price + 500 };
  const [variation] = item.variations;
  return {
    ...item,
    variations: variation
      ? [{ ...variation, barcode: pick(random, ["", ...barcodes]) || null }]
      : [],
  };
}

/** All changes in order, some minutes apart. */
async function allChanges(): Promise<Waiting[]> {
  while ((await orderChanges(test.db, systemClock)) === 0);
  await test.db.execute(sql`
    update alert_change set at = '2026-01-01T00:00:00Z'::timestamptz + position * interval '20 min'`);
  return readChangesToJudge(test.db, 1_000_000);
}

/** Every change against every saved search, in memory. */
async function judgeAllPairs(
  changes: readonly Waiting[],
  seen: ReadonlyMap<number, Sight[]>,
): Promise<SeenEvent[]> {
  const searches = (await test.db.query.savedSearch.findMany()).toSorted(
    (a, b) => a.savedSearchId - b.savedSearchId,
  );
  const judged = searches.map((search) => ({
    id: search.savedSearchId,
    max: search.dailyMax,
    saved: toSaved(search),
    states: new Map<number, PairState>(),
  }));
  const days = new Map<string, number>();
  const events: SeenEvent[] = [];
  for (const change of changes) {
    const day = calendarDay(change.at, timezone);
    for (const { id, max, saved, states } of judged) {
      const past = states.get(change.itemId) ?? null;
      const since = past?.jump?.after.since ?? change.after?.facts.since ?? "";
      const lowBefore: LowBefore = (window) =>
        lowOf(seen.get(change.itemId) ?? [], { since, factor: saved.confirmFactor }, window);
      const { news, state } = judge(saved, change, past, lowBefore);
      if (state) states.set(change.itemId, state);
      else if (past) states.delete(change.itemId);
      for (const { kind, data } of news) {
        const told = days.get(`${id} ${day}`) ?? 0;
        const isQuiet = told >= max;
        if (!isQuiet) days.set(`${id} ${day}`, told + 1);
        events.push({
          saved_search_id: id,
          item_id: change.itemId,
          kind,
          ver: change.ver,
          is_quiet: isQuiet,
          data,
        });
      }
    }
  }
  return events;
}

const windowDays = { "30d": 30, "90d": 90, "1y": 365, all: 100_000, slip: 3 };

function lowOf(
  sights: readonly Sight[],
  { since, factor }: { since: string; factor: number },
  window: LowBeforeWindow,
): KnownLow | null {
  const isSlip = (nr: number, price: number) =>
    [nr - 1, nr + 1].every((n) => (sights[n]?.price ?? 0) > price * factor);
  const from = Date.parse(since) - windowDays[window] * 86_400_000;
  const known = sights.filter(
    ({ at, price }, nr) => price > 0 && at < since && Date.parse(at) >= from && !isSlip(nr, price),
  );
  const price = Math.min(...known.map((sight) => sight.price));
  return known.length === 0 ? null : { price, at: since };
}

it("one process works at a time, and a change that cannot be judged is left out alone", async () => {
  const { ownerId } = await createOwner(test.db);
  const savedId = await save(test.db, ownerId, { query: { shop_id: ["shop-1"] } });
  await storeItems(
    test.db,
    "2026-01-01T00:00:00Z",
    [1, 2, 3].map((id) => searchItem(id)),
  );
  const isOrdered = async () => {
    await orderChanges(test.db, systemClock);
    return (await test.db.execute(sql`select from alert_change`)).length === 3;
  };
  // Transactions of other databases hold it up as well.
  await until(isOrdered, { what: "the changes to be ordered" });
  await test.db.execute(sql`update alert_change set after = '{"title": 5}' where item_id = 2`);
  const steps = [createJudging(toDeps()), createJudging(toDeps())];
  const isDone = async () => {
    await Promise.all(steps.map((step) => step()));
    const [row] = await test.db.execute<{ done: number }>(
      sql`select skipped + judged as done from alert_head`,
    );
    return row?.done === 3;
  };
  await until(isDone, { what: "the changes to be judged or left out" });
  const events = await readAllEvents(test.db);
  expect(events.map((event) => [event.saved_search_id, event.item_id])).toEqual([
    [savedId, 1],
    [savedId, 3],
  ]);
  const [head] = await test.db.execute(sql`select skipped, judged, events from alert_head`);
  expect(head).toEqual({ skipped: 1, judged: 2, events: 2 });
});
