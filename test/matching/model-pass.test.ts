import { randomBytes } from "node:crypto";
import { sql } from "drizzle-orm";
import { describe, expect, inject, it } from "vitest";
import { backUp } from "../../src/db/backup/backup.ts";
import type { Db } from "../../src/db/open.ts";
import { readModelProgress } from "../../src/matching/upkeep/model-pass.ts";
import { storeItems } from "../support/catalog.ts";
import { createStep, decide, matchAll, readGroups } from "../support/matching.ts";
import {
  former,
  groupsOf,
  lenient,
  listing,
  openCatalogue,
  openDatabase,
  readHead,
  readPairs,
  readReview,
  strict,
} from "../support/model-catalogue.ts";
import { until } from "../support/until.ts";
import { itLong } from "../support/it-long.ts";
import { openPool } from "../support/postgres.ts";

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
    const { db } = await openDatabase();
    await storeItems(db, "2026-01-01T00:00:00Z", [listing(1), listing(2), listing(9)]);
    const step = createStep(db, strict);
    while ((await step()) === 0) expect(await readHead(db)).toMatchObject({ next_model: null });
    expect(await readHead(db)).toEqual({ model: 2, next_model: null });
    expect(await readPairs(db)).not.toEqual([]);
  });

  itLong(
    "is stopped between any two steps and goes on, also with another one above it",
    async () => {
      const { db } = await openCatalogue();
      const expected = await groupsOf(lenient);
      for (let steps = 0; steps < 2; steps += 1) await createStep(db, strict)();
      expect(await readHead(db)).toEqual({ model: 1, next_model: 2 });
      // Every step is that of a process that has just started.
      while ((await createStep(db, lenient)()) === 0);
      expect(await readHead(db)).toEqual({ model: 3, next_model: null });
      expect({ groups: await readGroups(db), pairs: await readPairs(db) }).toEqual(expected);
    },
  );

  itLong(
    "ends in the same when the database drops the matcher in the middle of any step",
    async () => {
      const { db, url } = await openCatalogue();
      const expected = await groupsOf(strict);
      const victim = openPool(url, { applicationName: "kurabe:dropped", maxConnections: 1 });
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

  itLong("does not undo what people decided", async () => {
    const { db } = await openCatalogue();
    const together = (await readGroups(db)).find((group) => group.length > 1) ?? [];
    const [a = 0, b = 0] = together;
    await decide(db, [a, b], "different");
    await matchAll(db, createStep(db, former));
    await matchAll(db, createStep(db, lenient));
    expect(await readHead(db)).toMatchObject({ model: 3 });
    const groups = await readGroups(db);
    expect(groups.filter((group) => group.includes(a) && group.includes(b))).toEqual([]);
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
      const { db, url } = await openCatalogue();
      while ((await readHead(db))?.next_model !== 2 || !(await isJudged(db)))
        expect(await createStep(db, strict)()).toBe(0);
      const [next] = await db.execute<{ n: number }>(
        sql`select count(*)::int as n from match_pair_next`,
      );
      const folder = `${inject("runDir")}/backup-${randomBytes(6).toString("hex")}`;
      const lock = sql`lock table group_member in access exclusive mode`;
      const behind: Promise<unknown>[] = [];
      const backups: ReturnType<typeof backUp>[] = [];
      await db.transaction(async (tx) => {
        await tx.execute(lock);
        backups.push(backUp(url, folder, new Date()));
        await lockAwaited(db, "kurabe:backup", "lock");
        behind.push(
          db.transaction((other) => other.execute(lock)).catch((error: unknown) => error),
        );
        await lockAwaited(db, "kurabe:test", "lock");
      });
      // The backup has its snapshot and the locks of all tables, and the copies have not come to the pairs.
      await lockAwaited(db, "kurabe:backup", "copy");
      expect(await createStep(db, strict)()).toBeGreaterThan(0);
      await db.execute(sql`
        select pg_cancel_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'kurabe:test' and wait_event_type = 'Lock'`);
      await Promise.all(behind);
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

  itLong("is not replaced by the lower one of a process that was not restarted yet", async () => {
    const { db } = await openCatalogue(strict);
    const before = await readGroups(db);
    const byFormer = createStep(db, former);
    await matchAll(db, byFormer);
    expect(await readHead(db)).toEqual({ model: 2, next_model: null });
    await storeItems(db, "2026-01-01T01:00:00Z", [listing(3, 3)]);
    await matchAll(db, byFormer);
    await storeItems(db, "2026-01-01T02:00:00Z", [listing(3)]);
    await matchAll(db, byFormer);
    expect(await readGroups(db)).toEqual(before);
  });
});

async function readDue(db: Db): Promise<number> {
  const [row] = await db.execute<{ n: number }>(sql`select count(*)::int as n from match_due`);
  return row?.n ?? 0;
}

/** Waits until a statement of the application that begins so waits for a lock. */
const lockAwaited = (db: Db, application: string, beginning: string) =>
  until(
    async () =>
      (
        await db.execute(sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
            and application_name = ${application} and query ilike ${`${beginning}%`}`)
      ).length > 0,
    { what: `${application} waiting for a lock` },
  );

async function isJudged(db: Db): Promise<boolean> {
  const rows = await db.execute(sql`select from match_head where next_after_id is null`);
  return rows.length > 0;
}

function toPair([a, b]: readonly unknown[]): [number, number] {
  if (typeof a !== "number" || typeof b !== "number") throw new Error("a pair has two products");
  return [a, b];
}
