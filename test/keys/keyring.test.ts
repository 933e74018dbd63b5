import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { must } from "../../src/lib/must.ts";
import { createKeyring } from "../../src/keys/keyring.ts";
import { revokeKey, type LiveKey } from "../../src/keys/stored-keys.ts";
import { createTestClock } from "../support/clock.ts";
import { newKey } from "../support/keys.ts";
import { openedForAll } from "../support/opened.ts";
import { createTestDb } from "../support/postgres.ts";
import { until } from "../support/until.ts";
import { itLong } from "../support/it-long.ts";

const start = "2026-01-15T05:00:10Z";
const timezone = "Asia/Tokyo";
const test = openedForAll(createTestDb);
beforeEach(() => test.db.execute(sql`truncate api_key, api_key_day cascade`));

const storeKey = (limits: Partial<LiveKey>) =>
  test.db.transaction((tx) => newKey(tx, new Date(start), limits));

const processes = (count: number, clock = createTestClock(start)) =>
  Array.from({ length: count }, () => createKeyring({ db: test.db, clock, timezone }));
type Keyring = ReturnType<typeof createKeyring>;

const find = async (keys: Keyring, text: string) => must(await keys.find(text), "a live key");
const use = () =>
  test.db.execute<{ day: string; requests: number; limited: number; errors: number }>(
    sql`select day::text, requests, limited, errors from api_key_day order by day`,
  );

describe("keys in memory", () => {
  it("are known at once after the first question, and follow the database with each exchange", async () => {
    const [keys] = processes(1);
    const first = await storeKey({});
    expect(await must(keys, "keys").find(first.text)).toMatchObject({ keyId: first.keyId });
    const second = await storeKey({});
    expect(await must(keys, "keys").find(second.text)).toBeNull();
    await keys?.flush();
    expect(await keys?.find(second.text)).not.toBeNull();
    await test.db.transaction((tx) => revokeKey(tx, first.keyId, new Date(start)));
    await keys?.flush();
    expect(await keys?.find(first.text)).toBeNull();
  });

  it("answer for ten minutes without the database, and then nobody vouches for them", async () => {
    const clock = createTestClock(start);
    const [keys] = processes(1, clock);
    const { text } = await storeKey({ perMinute: 2 });
    const key = await find(must(keys, "keys"), text);
    await test.db.execute(sql`alter table api_key rename to api_key_away`);
    try {
      await expect(keys?.flush()).rejects.toThrow();
      await clock.advance(9 * 60_000);
      expect(await keys?.find(text)).not.toBeNull();
      const takes = [1, 2, 3].map(() => keys?.take(key).isAllowed);
      expect(takes).toEqual([true, true, false]);
      await clock.advance(2 * 60_000);
      await expect(keys?.find(text)).rejects.toThrow("not read for too long");
    } finally {
      await test.db.execute(sql`alter table api_key_away rename to api_key`);
    }
    await keys?.flush();
    expect(await keys?.find(text)).not.toBeNull();
  });

  it("need no query for a text that cannot be a key", async () => {
    const [keys] = processes(1);
    await test.db.execute(sql`alter table api_key rename to api_key_away`);
    try {
      expect(await keys?.find("x".repeat(100_000))).toBeNull();
    } finally {
      await test.db.execute(sql`alter table api_key_away rename to api_key`);
    }
  });
});

describe("limits", () => {
  it("hold exactly in one process, and begin anew with the minute and the marketplace's day", async () => {
    const clock = createTestClock("2026-01-15T14:59:10Z");
    const keys = must(processes(1, clock)[0], "keys");
    const key = await find(keys, (await storeKey({ perMinute: 3, perDay: 5 })).text);
    const take = () => keys.take(key).isAllowed;
    expect([1, 2, 3, 4].map(take)).toEqual([true, true, true, false]);
    await keys.flush();
    expect(take()).toBe(false);
    // Midnight in Tokyo: the minute and the day begin.
    await clock.advance(50_000);
    expect([1, 2, 3, 4].map(take)).toEqual([true, true, true, false]);
    await clock.advance(60_000);
    expect([1, 2, 3].map(take)).toEqual([true, true, false]);
    expect(keys.take(key).allowances).toEqual([
      { name: "minute", limit: 3, remaining: 1, resetSeconds: 60, windowSeconds: 60 },
      { name: "day", limit: 5, remaining: 0, resetSeconds: 86_340, windowSeconds: 86_400 },
    ]);
    await keys.flush();
    expect(await use()).toMatchObject([
      { day: "2026-01-15", requests: 3, limited: 2 },
      { day: "2026-01-16", requests: 5, limited: 3 },
    ]);
  });

  it("P8: hold once a clock that was an hour ahead is set right", async () => {
    const clock = createTestClock("2026-01-15T06:00:10Z");
    const [keys] = processes(1, clock).map((one) => must(one, "keys"));
    const key = await find(must(keys, "keys"), (await storeKey({ perMinute: 3 })).text);
    const take = async () => {
      const isAllowed = keys?.take(key).isAllowed;
      await keys?.flush();
      return isAllowed;
    };
    expect(await take()).toBe(true);
    clock.setWall(start);
    const allowed = [await take(), await take(), await take(), await take()];
    expect(allowed).toEqual([true, true, true, false]);
  });

  it("hold in several processes with at most a fifth more for each further one", async () => {
    const all = processes(4);
    const { text } = await storeKey({ perMinute: 100 });
    const key = await find(must(all[0], "keys"), text);
    let allowed = 0;
    for (let round = 0; round < 200; round += 1) {
      for (const keys of all) if (keys.take(key).isAllowed) allowed += 1;
      // Each exchanges its counts once they are a tenth of the limit, and takes as much again meanwhile.
      if (round % 20 === 19) await Promise.all(all.map((keys) => keys.flush()));
    }
    expect(allowed).toBeGreaterThanOrEqual(100);
    expect(allowed).toBeLessThanOrEqual(100 + 3 * 20);
  });

  it("are exchanged at once when a tenth of one is not sent", async () => {
    const [keys] = processes(1).map((one) => must(one, "keys"));
    const { text } = await storeKey({ perMinute: 100 });
    const key = await find(must(keys, "keys"), text);
    for (let i = 0; i < 10; i += 1) keys?.take(key);
    await until(async () => (await use())[0]?.requests === 10, { what: "the counts to be sent" });
  });

  itLong("control: without the exchange, every process lets the whole limit through", async () => {
    const all = Array.from({ length: 4 }, () =>
      createKeyring({ db: test.db, clock: createTestClock(start), timezone }),
    );
    const { text } = await storeKey({ perMinute: 100 });
    const key = await find(must(all[0], "keys"), text);
    let allowed = 0;
    for (const keys of all) {
      for (let i = 0; i < 200; i += 1) if (keys.take(key).isAllowed) allowed += 1;
    }
    expect(allowed).toBe(400);
  });

  it("are known to a process that starts later", async () => {
    const clock = createTestClock(start);
    const [first, second] = processes(2, clock).map((keys) => must(keys, "keys"));
    const { text } = await storeKey({ perDay: 4 });
    const key = await find(must(first, "keys"), text);
    for (let i = 0; i < 4; i += 1) first?.take(key);
    await first?.flush();
    await second?.flush();
    expect(second?.take(key).isAllowed).toBe(false);
  });
});

describe("use", () => {
  it("adds up over processes without deadlock, and keeps what could not be sent", async () => {
    const all = processes(6);
    const texts = await Promise.all(Array.from({ length: 20 }, () => storeKey({})));
    const keys = await Promise.all(texts.map(({ text }) => find(must(all[0], "keys"), text)));
    for (let round = 0; round < 5; round += 1) {
      for (const [i, one] of all.entries()) {
        for (const key of i % 2 === 0 ? keys : keys.toReversed()) one.take(key);
      }
      await Promise.all(all.map((one) => one.flush()));
    }
    expect((await use()).map(({ requests }) => requests)).toEqual(texts.map(() => 30));

    const [one] = all;
    one?.take(must(keys[0], "a key"));
    one?.note(must(keys[0], "a key").keyId, "errors");
    await test.db.execute(sql`alter table api_key_day rename to away`);
    await expect(one?.flush()).rejects.toThrow();
    one?.take(must(keys[0], "a key"));
    await test.db.execute(sql`alter table away rename to api_key_day`);
    await one?.flush();
    expect((await use()).reduce((sum, { requests }) => sum + requests, 0)).toBe(602);
    expect((await use()).reduce((sum, { errors }) => sum + errors, 0)).toBe(1);
  });

  it("waits for a locked row without making any request wait", async () => {
    const keys = must(processes(1)[0], "keys");
    const key = await find(keys, (await storeKey({ perMinute: 3 })).text);
    keys.take(key);
    await keys.flush();
    const exchanges: Promise<void>[] = [];
    await test.db.transaction(async (tx) => {
      await tx.execute(sql`update api_key_day set errors = 1`);
      expect(keys.take(key).isAllowed).toBe(true);
      exchanges.push(keys.flush());
      expect(keys.take(key).isAllowed).toBe(true);
      expect(keys.take(key).isAllowed).toBe(false);
      const waiting = async () =>
        (
          await test.db.execute(sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
        ).length > 0;
      await until(waiting, { what: "the statement to wait" });
      expect(keys.take(key).isAllowed).toBe(false);
    });
    await Promise.all(exchanges);
    await keys.flush();
    expect(await use()).toMatchObject([{ requests: 3, limited: 2, errors: 1 }]);
  });

  it("writes nothing while there are no keys and no requests", async () => {
    const [keys] = processes(1);
    await keys?.flush();
    await keys?.flush();
    expect(await use()).toEqual([]);
  });
});
