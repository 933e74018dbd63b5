import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import type { AbsenceVerdict } from "../../../src/catalog/observing/deletions.ts";
import { absencesForAll, at, changedAt, HOUR } from "../../support/absences.ts";

const { test, store, settle, record } = absencesForAll();

describe("deletion by refreshes that leave out living products", () => {
  const from = 60 * 24 * HOUR;
  const lacks = (second: number, absent: number[], isSecond = false) =>
    isSecond
      ? settle(second, { asked: absent, returned: [], absentBefore: 1, confirmsEmpty: true })
      : settle(second, { asked: [...absent, 20_000], returned: [20_000] });

  it("needs a second answer once living products were taken for deleted, for a day", async () => {
    const ids = [20_001, 20_002, 20_003, 20_004, 20_005, 20_006];
    await store(from, [...ids, 20_000]);
    for (const id of ids.slice(0, 4))
      expect(await lacks(from + HOUR, [id])).toMatchObject({ deleted: 1 });
    // A list that lags refutes nothing, nor does what was published anew.
    await store(from + HOUR + 60, [20_001]);
    await store(from + 2 * HOUR, [20_002], changedAt(from + 2 * HOUR));
    await store(from + 2 * HOUR, [20_003, 20_004]);
    expect(await lacks(from + 3 * HOUR, [20_001])).toMatchObject({ deleted: 1 });
    await store(from + 4 * HOUR, [20_001], { shopId: "shop-2" });
    expect(await lacks(from + 5 * HOUR, [20_005])).toMatchObject({ verdict: "confirm" });
    expect(await lacks(from + 29 * HOUR, [20_006])).toMatchObject({ deleted: 1 });
  });

  it("is not believed of all refreshes for one answer that was empty once", async () => {
    const ids = Array.from({ length: 50 }, (_, i) => 23_001 + i);
    await store(from, [...ids, 23_100, 20_000]);
    await test.db.execute(sql`
      insert into deletion_count (since, deleted, sampled) values (${at(from).toISOString()}, 100, 1)`);
    await settle(from + HOUR, { asked: ids, returned: ids, absentBefore: ids.length });
    expect(await lacks(from + 2 * HOUR, [23_100])).toMatchObject({ deleted: 1 });
  });

  it.each([
    ["one is", [24_001]],
    ["as many as five are", [24_011, 24_012, 24_013, 24_014, 24_015]],
  ])("needs four empty answers of a shop in a row before %s deleted", async (_, asked) => {
    await store(from, asked);
    await test.db.execute(sql`
      insert into deletion_count (since, deleted, refuted) values (${at(from).toISOString()}, 0, 3)`);
    const outcomes: AbsenceVerdict["verdict"][] = [];
    for (const [second, returned] of [0, 0, 1, 0, 0, 0, 0].entries()) {
      const time = from + HOUR + second;
      const confirmsEmpty = second > 0 && returned === 0;
      if (returned === 0)
        outcomes.push((await settle(time, { asked, returned: [], confirmsEmpty })).verdict);
      await record(time, returned);
    }
    expect(outcomes).toEqual([...Array.from({ length: 5 }, () => "confirm"), "deleted"]);
  });

  it("is found out by a second look after twenty deletions of a day, and whenever they are ten times as many", async () => {
    const ids = Array.from({ length: 40 }, (_, i) => 21_000 + i);
    await store(from, [...ids, 20_000]);
    const looks: number[] = [];
    for (let i = 0; i < ids.length; i += 4) {
      if (i === 28) await test.db.execute(sql`update deletion_count set deleted = 192`);
      const four = ids.slice(i, i + 4);
      const { verdict } = await lacks(from + HOUR + i, four);
      if (verdict === "deleted") continue;
      looks.push(i + 4);
      await lacks(from + HOUR + i + 1, four, true);
    }
    // The 192 and eight more are two hundred.
    expect(looks).toEqual([20, 36]);
    const shown = [22_001, 22_002, 22_003];
    await store(from + 80 * HOUR, [...shown, 22_004]);
    await settle(from + 90 * HOUR, { asked: shown, returned: shown, absentBefore: 3 });
    expect(await lacks(from + 90 * HOUR + 1, [22_004])).toMatchObject({ verdict: "confirm" });
  });
});
