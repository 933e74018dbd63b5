import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { releaseHeld } from "../../../src/catalog/observing/held-deletions.ts";
import { readHistory } from "../../../src/catalog/history/history.ts";
import { observeSearch } from "../../../src/catalog/observing/observe.ts";
import { readProduct } from "../../../src/catalog/products.ts";
import type { AbsenceVerdict } from "../../../src/catalog/observing/deletions.ts";
import { absencesForAll, at, changedAt, HOUR } from "../../support/absences.ts";
import { searchItem } from "../../support/products.ts";

const { test, store, settle, record } = absencesForAll();
const stateOf = async (id: number) => (await readProduct(test.db, id))?.state;

describe("deletion", () => {
  it("needs a refresh that asked for the product at its shop and did not get it", async () => {
    await store(1, [1, 2]);
    expect(await settle(2, { asked: [1, 2], returned: [2] })).toEqual({
      verdict: "deleted",
      deleted: 1,
      held: 0,
    });
    expect(await stateOf(1)).toBe("gone");
    expect(await stateOf(2)).toBe("live");
    const [row] = await test.db.execute(
      sql`select deleted_call_id, ver from product where item_id = 1`,
    );
    expect(row).toEqual({ deleted_call_id: 1002, ver: 2 });
  });

  it("U19: a wholly empty answer deletes nothing until a second one agrees", async () => {
    await store(1, [11, 12]);
    expect(await settle(2, { asked: [11, 12], returned: [] })).toEqual({
      verdict: "confirm",
      absent: [11, 12],
    });
    expect(await stateOf(11)).toBe("live");
    expect(await settle(3, { asked: [11, 12], returned: [11, 12], confirmsEmpty: true })).toEqual({
      verdict: "none",
    });
    expect(await stateOf(11)).toBe("live");
    expect(await settle(4, { asked: [11, 12], returned: [], confirmsEmpty: true })).toMatchObject({
      deleted: 2,
    });
  });

  it("U20: an answer that lacks most of what it was asked for deletes nothing until a second one, about these alone, agrees", async () => {
    const ids = [91, 92, 93, 94, 95, 96];
    await store(1, ids);
    const [shown = 0, ...absent] = ids;
    expect(await settle(2, { asked: ids, returned: [shown] })).toEqual({
      verdict: "confirm",
      absent,
    });
    const second = { asked: absent, absentBefore: absent.length };
    expect(await settle(3, { ...second, returned: [92, 93] })).toEqual({
      verdict: "confirm",
      absent: [94, 95, 96],
    });
    expect(
      await settle(4, { asked: [94, 95, 96], returned: [], absentBefore: 3, confirmsEmpty: true }),
    ).toMatchObject({ deleted: 3 });
    expect(await stateOf(92)).toBe("live");
  });

  it("U20: an answer that shows a product twice deletes none that it lacks until a second one agrees; one that shows others too does", async () => {
    const asked = [101, 102, 103];
    await store(1, asked);
    const confirm = { verdict: "confirm", absent: [101] };
    expect(await settle(2, { asked, returned: [102, 103, 102] })).toEqual(confirm);
    const second = { asked: [101], returned: [], absentBefore: 1, confirmsEmpty: true };
    expect(await settle(3, second)).toMatchObject({ deleted: 1 });
    expect(await settle(4, { asked, returned: [102, 999] })).toMatchObject({ deleted: 1 });
  });

  it("U21: absence at another shop than the product's own proves nothing", async () => {
    await store(1, [21], { shopId: "shop-2" });
    await settle(2, { asked: [21, 22], returned: [22], shopId: "shop-1" });
    expect(await stateOf(21)).toBe("live");
  });

  it("U20: an answer that shows other products, and none of those asked for, proves nothing", async () => {
    await store(1, [61, 62]);
    const wrong = { asked: [61, 62], returned: [71, 72] };
    expect(await settle(2, wrong)).toEqual({ verdict: "none" });
    expect(await settle(3, { ...wrong, confirmsEmpty: true })).toEqual({ verdict: "none" });
    expect(await stateOf(61)).toBe("live");
  });

  it("an item that could not be read is not an absent one", async () => {
    await store(1, [31, 32]);
    expect(await settle(2, { asked: [31, 32], returned: [32], anonymous: true })).toEqual({
      verdict: "none",
    });
    expect(await stateOf(31)).toBe("live");
  });

  it("P8: a sighting by a clock that was ahead outlives no later call", async () => {
    await store(600, [3, 4]);
    await settle(2, { asked: [3, 4], returned: [4] });
    expect(await stateOf(3)).toBe("gone");
    await test.db.transaction((tx) =>
      observeSearch(
        tx,
        { callId: 1003, sentAt: at(3) },
        { items: [searchItem(3), searchItem(4, { price: 1 })], broken: [] },
      ),
    );
    expect(await stateOf(3)).toBe("live");
  });

  it("an answer older than the last sighting proves nothing", async () => {
    await store(10, [41, 42]);
    await settle(5, { asked: [41, 42], returned: [42] });
    expect(await stateOf(41)).toBe("live");
  });

  it("a product that comes back keeps its id, its first sighting and its history", async () => {
    await store(1, [51, 52]);
    await settle(5, { asked: [51, 52], returned: [52] });
    await store(9, [51], changedAt(8));
    const product = await readProduct(test.db, 51);
    expect(product).toMatchObject({ state: "live", firstSeenAt: at(1), deletedAt: null, ver: 3 });
    const { intervals } = await readHistory(test.db, 51, { limit: 100, now: at(10) });
    expect(intervals.map((i) => [i.firstSeen, i.lastConfirmed])).toEqual([
      [at(1), at(1)],
      [at(9), at(9)],
    ]);
  });

  it("is not undone again by a search list that lags behind: one that shows nothing newer, within ten minutes of the proof", async () => {
    await store(1, [81, 82]);
    await settle(5, { asked: [81, 82], returned: [82] });
    await store(6, [81]);
    expect(await stateOf(81)).toBe("live");
    await settle(7, { asked: [81, 82], returned: [82] });
    await store(8, [81]);
    await store(9, [81], { ...changedAt(6), price: 1 });
    expect(await stateOf(81)).toBe("gone");
    await store(7 + 600, [81]);
    expect(await stateOf(81)).toBe("live");
  });

  it.each([
    ["was modified since, in seconds", 83, changedAt(8)],
    ["was modified since, in milliseconds", 84, changedAt(8, 1000)],
    ["is of another shop now", 85, { shopId: "shop-2" }],
  ])("is undone at once by a search that shows a product which %s", async (_, id, over) => {
    await store(1, [id, 86]);
    for (const second of [5, 7]) {
      await settle(second, { asked: [id, 86], returned: [86] });
      if (second === 5) await store(6, [id]);
    }
    expect(await stateOf(id)).toBe("gone");
    await store(9, [id], over);
    expect(await stateOf(id)).toBe("live");
  });

  it("is undone ever more rarely where searches and refreshes contradict each other for ever", async () => {
    for (let hour = 0; hour < 48; hour += 1) {
      await store(hour * HOUR, [87]);
      for (const second of [1200, 1201, 1202, 1203]) {
        const time = hour * HOUR + second;
        await settle(time, { asked: [87], returned: [], confirmsEmpty: second > 1200 });
        await record(time, 0);
      }
    }
    const { intervals } = await readHistory(test.db, 87, { limit: 100, now: at(0) });
    // At first in each hour, then 80, 160, 320, 640 and 1,280 minutes after the proof.
    expect(intervals).toHaveLength(9);
  });

  it("losses beyond the guard are held until ops release them", async () => {
    const ids = Array.from({ length: 250 }, (_, i) => 10_000 + i);
    for (let i = 0; i < ids.length; i += 50) await store(20, ids.slice(i, i + 50));
    const outcomes: AbsenceVerdict[] = [];
    for (let i = 0; i < ids.length; i += 49) {
      const asked = [...ids.slice(i, i + 49), 2];
      outcomes.push(await settle(30, { asked, returned: [2], confirmsEmpty: true }));
    }
    const total = (key: "deleted" | "held") =>
      outcomes.reduce((sum, o) => sum + (o.verdict === "deleted" ? o[key] : 0), 0);
    expect(total("deleted")).toBeLessThanOrEqual(200);
    expect(total("held")).toBe(250 - total("deleted"));
    const held = total("held");
    const released = await test.db.transaction((tx) =>
      releaseHeld(tx, { scope: {}, heldBy: at(40), limit: 1000 }, at(40)),
    );
    expect(released).toEqual({ taken: held, deleted: held });
    const [left] = await test.db.execute(
      sql`select count(*) as n from product where item_id >= 10000 and state <> 'gone'`,
    );
    expect(left).toEqual({ n: 0 });
  });
});
