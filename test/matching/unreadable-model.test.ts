import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { storeItems } from "../support/catalog.ts";
import { matchAll, offer, readGroups } from "../support/matching.ts";
import { openedForEach } from "../support/opened.ts";
import { createTestDb } from "../support/postgres.ts";

const test = openedForEach(createTestDb);

const sony = (itemId: number) => offer(itemId, "Sony WH-1000XM4 wireless headphones");
const bose = (itemId: number) => offer(itemId, "Bose QC45-8669 comfort headphones");

it.each(["null", "5", '"x"', "[{}]", "{}", '{"version": 1, "features": [5]}', "spoilt"])(
  "stored weights that cannot be read (%s) hold no matching up: the program's own judge",
  async (weights) => {
    await storeItems(test.db, "2026-01-01T01:00:00Z", [sony(1), sony(2)]);
    await matchAll(test.db);
    const spoilt = sql`jsonb_set(weights, '{bias}', '"much"')`;
    const stored = weights === "spoilt" ? spoilt : sql`${weights}::text::jsonb`;
    await test.db.execute(sql`update match_model set weights = ${stored}`);
    await storeItems(test.db, "2026-01-01T02:00:00Z", [bose(3), bose(4)]);
    await matchAll(test.db);
    expect(await readGroups(test.db)).toEqual([
      [1, 2],
      [3, 4],
    ]);
  },
);
