import { randomBytes } from "node:crypto";
import { sql } from "drizzle-orm";
import { afterEach, describe, expect, inject, it } from "vitest";
import { backUp } from "../../src/db/backup.ts";
import { openDb, type Db } from "../../src/db/open.ts";
import { shippedModel } from "../../src/matching/comparing/model-weights.ts";
import type { MatchModel } from "../../src/matching/comparing/model.ts";
import { readModelProgress } from "../../src/matching/upkeep/model-pass.ts";
import { storeItems } from "../support/catalog.ts";
import { createStep, decide, matchAll, offer, readGroups } from "../support/matching.ts";
import { createTestDb, type TestDb } from "../support/postgres.ts";
import { until } from "../support/until.ts";
import { itLong } from "../support/it-long.ts";

const tests: TestDb[] = [];
afterEach(() => Promise.all(tests.splice(0).map((test) => test.close())));

const models = ["KX-300", "KX-301", "KX-302", "KX-303"];
const brands = ["Sony", "Bose"];
const extras = ["", "wireless", "black body kit", "with lens and strap", "parallel import box"];

/** Titles of ever fewer words in common, so that models judge some of them differently. */
function listing(itemId: number, salt = 0) {
  const n = itemId * 7 + salt;
  const title = `${brands[n % 2]} ${models[(n >> 1) % 4]} camera ${extras[n % 5]} ${extras[(n >> 2) % 5]}`;
  const shopId = `shop-${itemId % 7}`;
  return offer(itemId, title, { shopId, shopName: shopId });
}

const ids = Array.from({ length: 70 }, (_, i) => i + 1);

/** A model that links next to nothing, or nearly everything that it may. */
function trained(version: number, bias: number): MatchModel {
  return { ...shippedModel, version, bias: shippedModel.bias + bias };
}
const former = trained(1, 0);
const strict = trained(2, -4);
const lenient = trained(3, 3);

async function openCatalogue(model = former): Promise<TestDb> {
  const test = await createTestDb();
  tests.push(test);
  await storeItems(
    test.db,
    "2026-01-01T00:00:00Z",
    ids.map((itemId) => listing(itemId)),
  );
  await matchAll(test.db, createStep(test.db, model));
  return test;
}

/** What a catalogue comes to that only ever knew this model. */
async function groupsOf(model: MatchModel, change: (db: Db) => Promise<unknown> = async () => {}) {
  const { db } = await openCatalogue(model);
  await change(db);
  await matchAll(db, createStep(db, model));
  return { groups: await readGroups(db), pairs: await readPairs(db) };
}

const readPairs = async (db: Db) => [
  ...(await db.execute(sql`select a, b, score, tier, is_doubtful from match_pair order by a, b`)),
];
const readReview = async (db: Db) => [
  ...(await db.execute(sql`select a, b from match_review order by a, b`)),
];
const readHead = async (db: Db) =>
  (
    await db.execute<{ model: number; next_model: number | null }>(
      sql`select model, next_model from match_head`,
    )
  )[0];

describe("a model of a higher version", () => {
  it("judges beside the one in use, and takes over at once when it has judged everything", async () => {
    const { db } = await openCatalogue();
    const before = { groups: await readGroups(db), pairs: await readPairs(db) };
    const expected = await groupsOf(strict);
    expect(expected.groups).not.toEqual(before.groups);
    const step = createStep(db, strict);
    const steps = [];
    for (;;) {
      expect(await step()).toBe(0);
      const head = await readHead(db);
      steps.push(head?.model);
      if (head?.model === 2) break;
      expect({ groups: await readGroups(db), pairs: await readPairs(db) }).toEqual(before);
      expect(await readModelProgress(db)).toMatchObject({ model: 1, next: 2 });
    }
    expect(steps.length).toBeGreaterThan(2);
    expect(await readPairs(db)).toEqual(expected.pairs);
    expect(await readGroups(db)).toEqual(before.groups);
    await matchAll(db, step);
    expect(await readGroups(db)).toEqual(expected.groups);
    expect(await readModelProgress(db)).toEqual({ model: 2, next: null, progress: 1 });
    const doubtful = await db.execute(sql`
      select a, b from match_pair where is_doubtful order by a, b`);
    expect(await readReview(db)).toEqual([...doubtful]);
    expect([...(await db.execute(sql`select from match_pair_next limit 1`))]).toEqual([]);
  });

  it("judges once what no other one has judged", async () => {
    const test = await createTestDb();
    tests.push(test);
    const { db } = test;
    await storeItems(db, "2026-01-01T00:00:00Z", [listing(1), listing(2), listing(9)]);
    const step = createStep(db, strict);
    while ((await step()) === 0) expect(await readHead(db)).toMatchObject({ next_model: null });
    expect(await readHead(db)).toEqual({ model: 2, next_model: null });
    expect(await readPairs(db)).not.toEqual([]);
  });

  it("is stopped between any two steps and goes on, also with another one above it", async () => {
    const { db } = await openCatalogue();
    const expected = await groupsOf(lenient);
    for (let steps = 0; steps < 2; steps += 1) await createStep(db, strict)();
    expect(await readHead(db)).toEqual({ model: 1, next_model: 2 });
    // Every step is that of a process that has just started.
    while ((await createStep(db, lenient)()) === 0);
    expect(await readHead(db)).toEqual({ model: 3, next_model: null });
    expect({ groups: await readGroups(db), pairs: await readPairs(db) }).toEqual(expected);
  });

  itLong(
    "ends in the same when the database drops the matcher in the middle of any step",
    async () => {
      const { db } = await openCatalogue();
      const expected = await groupsOf(strict);
      const victim = openDb({
        url: await urlOf(db),
        applicationName: "kurabe:dropped",
        maxConnections: 1,
        statementTimeoutMs: 30_000,
      });
      let dropped = 0;
      let isDone = false;
      for (let waits = 0; !isDone; waits = (waits + 3) % 40) {
        const stepping = createStep(victim.db, strict)();
        for (let turn = waits; turn >= 0; turn -= 1) await db.execute(sql`select`);
        const rows = await db.execute(sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'kurabe:dropped' and state <> 'idle'`);
        dropped += rows.length;
        isDone = (await stepping) > 0;
      }
      await victim.close();
      expect(dropped).toBeGreaterThan(0);
      expect({ groups: await readGroups(db), pairs: await readPairs(db) }).toEqual(expected);
    },
  );

  itLong(
    "judges what changes in the meantime too, which the one in use groups as ever",
    async () => {
      const { db } = await openCatalogue();
      const changed = [3, 30, 65].map((itemId) => listing(itemId, 3));
      const change = (to: Db) => storeItems(to, "2026-01-01T01:00:00Z", changed);
      const byOld = await groupsOf(former, change);
      const byNew = await groupsOf(strict, change);
      const start = createStep(db, strict);
      await start();
      await db.execute(sql`update match_head set next_after_id = 40`);
      await change(db);
      // The process before it goes on with what is due, and judges it by the weights of both.
      while ((await readDue(db)) > 0) await createStep(db, former)();
      expect(await readHead(db)).toEqual({ model: 1, next_model: 2 });
      expect(await readGroups(db)).toEqual(byOld.groups);
      await db.execute(sql`update match_head set next_after_id = 0`);
      await matchAll(db, createStep(db, strict));
      expect({ groups: await readGroups(db), pairs: await readPairs(db) }).toEqual(byNew);
    },
  );

  it("does not undo what people decided", async () => {
    const { db } = await openCatalogue();
    const together = (await readGroups(db)).find((group) => group.length > 1) ?? [];
    const [a = 0, b = 0] = together;
    await decide(db, [a, b], "different");
    await matchAll(db);
    await matchAll(db, createStep(db, lenient));
    expect(await readHead(db)).toMatchObject({ model: 3 });
    expect((await readGroups(db)).some((group) => group.includes(a) && group.includes(b))).toBe(
      false,
    );
  });

  itLong("keeps to what people decide while it judges", async () => {
    const { db } = await openCatalogue();
    const byNew = (await groupsOf(lenient)).groups;
    const [first = [], second = []] = byNew.filter((group) => group.length > 1);
    const [apart, together] = [first.slice(0, 2), [first[2] ?? first[0], second[0]]];
    const change = async (to: Db) => {
      await decide(to, toPair(apart), "different");
      await decide(to, toPair(together), "same");
    };
    const byOld = await groupsOf(former, change);
    const expected = await groupsOf(lenient, change);
    expect(expected.groups).not.toEqual(byNew);
    await createStep(db, lenient)();
    await createStep(db, lenient)();
    await change(db);
    while ((await readDue(db)) > 0) await createStep(db, lenient)();
    expect(await readHead(db)).toEqual({ model: 1, next_model: 3 });
    expect(await readGroups(db)).toEqual(byOld.groups);
    await matchAll(db, createStep(db, lenient));
    expect({ groups: await readGroups(db), pairs: await readPairs(db) }).toEqual(expected);
    const isOne = (pair: unknown[]) =>
      expected.groups.some((group) => toPair(pair).every((id) => group.includes(id)));
    expect([isOne(apart), isOne(together)]).toEqual([false, true]);
  });

  itLong("waits for readers of pairs without holding matching up", async () => {
    const { db } = await openCatalogue();
    const step = createStep(db, strict);
    let release = () => {};
    const reading = new Promise<void>((resolve) => (release = resolve));
    let isReading = () => {};
    const begun = new Promise<void>((resolve) => (isReading = resolve));
    const reader = db.transaction(async (tx) => {
      await tx.execute(sql`select from match_pair limit 1`);
      isReading();
      await reading;
    });
    await begun;
    while ((await step()) === 0);
    expect(await readHead(db)).toEqual({ model: 1, next_model: 2 });
    await storeItems(db, "2026-01-01T01:00:00Z", [listing(3, 3)]);
    while ((await readDue(db)) > 0) expect(await step()).toBe(0);
    release();
    await reader;
    await matchAll(db, createStep(db, strict));
    expect(await readHead(db)).toEqual({ model: 2, next_model: null });
  });

  itLong(
    "waits for a backup, which would have the pairs of one and the head of the other",
    async () => {
      const { db } = await openCatalogue();
      while ((await readHead(db))?.next_model !== 2 || !(await isJudged(db)))
        expect(await createStep(db, strict)()).toBe(0);
      const [next] = await db.execute<{ n: number }>(
        sql`select count(*)::int as n from match_pair_next`,
      );
      const folder = `${inject("runDir")}/backup-${randomBytes(6).toString("hex")}`;
      const backups: ReturnType<typeof backUp>[] = [];
      await db.transaction(async (tx) => {
        // The snapshot is taken, and the copies have not come to the pairs.
        await tx.execute(sql`lock table group_member in access exclusive mode`);
        backups.push(backUp(await urlOf(db), folder, new Date()));
        await until(
          async () =>
            (
              await db.execute(sql`
              select from pg_stat_activity where datname = current_database()
                and application_name = 'kurabe:backup' and wait_event_type = 'Lock'`)
            ).length > 0,
          { what: "the backup in the middle of its tables" },
        );
        expect(await createStep(db, strict)()).toBeGreaterThan(0);
      });
      const [manifest] = await Promise.all(backups);
      expect(manifest?.tables.find(({ name }) => name === "match_pair_next")?.rows).toBe(next?.n);
      await matchAll(db, createStep(db, strict));
      expect(await readHead(db)).toEqual({ model: 2, next_model: null });
    },
  );

  itLong("leaves out a product that makes it fail", async () => {
    const { db } = await openCatalogue();
    await db.execute(sql`
      create function refuse() returns trigger language plpgsql as $$
      begin if 12 in (new.a, new.b) then raise exception 'refused'; end if; return new; end $$`);
    await db.execute(sql`
      create trigger refuse before insert on match_pair_next for each row execute function refuse()`);
    await matchAll(db, createStep(db, strict));
    expect(await readHead(db)).toEqual({ model: 2, next_model: null });
    expect((await readPairs(db)).length).toBeGreaterThan(0);
  });

  it("is not replaced by the lower one of a process that was not restarted yet", async () => {
    const { db } = await openCatalogue(strict);
    const before = await readGroups(db);
    await matchAll(db);
    expect(await readHead(db)).toEqual({ model: 2, next_model: null });
    await storeItems(db, "2026-01-01T01:00:00Z", [listing(3, 3)]);
    await matchAll(db);
    await storeItems(db, "2026-01-01T02:00:00Z", [listing(3)]);
    await matchAll(db);
    expect(await readGroups(db)).toEqual(before);
  });
});

async function readDue(db: Db): Promise<number> {
  const [row] = await db.execute<{ n: number }>(sql`select count(*)::int as n from match_due`);
  return row?.n ?? 0;
}

async function isJudged(db: Db): Promise<boolean> {
  const rows = await db.execute(sql`select from match_head where next_after_id is null`);
  return rows.length > 0;
}

async function urlOf(db: Db): Promise<string> {
  const [own] = await db.execute<{ name: string }>(sql`select current_database() as name`);
  const url = new URL(inject("databaseUrl"));
  url.pathname = own?.name ?? "";
  return url.href;
}

function toPair([a, b]: readonly unknown[]): [number, number] {
  if (typeof a !== "number" || typeof b !== "number") throw new Error("a pair has two products");
  return [a, b];
}
