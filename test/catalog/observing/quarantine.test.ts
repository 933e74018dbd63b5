import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { observeSearch, type ObserveResult } from "../../../src/catalog/observing/observe.ts";
import type { BrokenItem, SearchItem } from "../../../src/storefront/product.ts";
import { openedForAll } from "../../support/opened.ts";
import { createTestDb } from "../../support/postgres.ts";
import { searchItem } from "../../support/products.ts";

const test = openedForAll(createTestDb);

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
const time = (second: number) => `00:00:${String(second).padStart(2, "0")}`;
let nextId = 1000;
const freshId = () => (nextId += 1);
let callId = 0;

function search(second: number, items: SearchItem[], broken: BrokenItem[]): Promise<ObserveResult> {
  const sighting = { callId: (callId += 1), sentAt: at(second) };
  return test.db.transaction((tx) => observeSearch(tx, sighting, { items, broken }));
}

describe("the quarantine", () => {
  it("U8: quarantines what could not be read, with its raw text, while its page lives", async () => {
    const [id, brokenId] = [freshId(), freshId()];
    const broken = { itemId: brokenId, reason: "price is not a number", raw: '{"price":"12,50"}' };
    expect((await search(1, [searchItem(id)], [broken])).tally).toMatchObject({
      returned: 2,
      created: 1,
      quarantined: 1,
    });
    const rows = await test.db.execute(
      sql`select reason, raw from quarantine where item_id = ${brokenId}`,
    );
    expect([...rows]).toEqual([{ reason: broken.reason, raw: broken.raw }]);
  });

  it("N6: an item that can never be read is kept once, with how often it was seen, first and last", async () => {
    const id = freshId();
    const named = { itemId: id, reason: "price is not a number" };
    const nameless = (n: number) => ({ itemId: null, reason: `no id ${id}`, raw: `{"n":${n}}` });
    for (let second = 1; second <= 9; second += 1) {
      const broken = { ...named, raw: `{"price":"${second}"}` };
      await search(second, [], [broken, broken, nameless(second % 2)]);
    }
    await search(10, [], [{ ...named, reason: "no title", raw: "{}" }]);
    const rows = await test.db.execute(sql`
      select reason, raw, times, first_seen_at, seen_at, call_id from quarantine
      where item_id = ${id} or reason = ${`no id ${id}`} order by times desc`);
    const calls = (second: number) => callId - 10 + second;
    const entry = (reason: string, raw: string, times: number, first: number, last: number) => ({
      reason,
      raw,
      times,
      call_id: calls(last),
      first_seen_at: expect.stringContaining(time(first)) as string,
      seen_at: expect.stringContaining(time(last)) as string,
    });
    expect([...rows]).toEqual([
      entry(named.reason, '{"price":"9"}', 18, 1, 9),
      entry(`no id ${id}`, '{"n":1}', 5, 1, 9),
      entry(`no id ${id}`, '{"n":0}', 4, 2, 8),
      entry("no title", "{}", 1, 10, 10),
    ]);
  });

  it("N6: answers under way that show the same unreadable item do not wait for one another", async () => {
    const broken = [{ itemId: freshId(), reason: "price is not a number", raw: "{}" }];
    await search(1, [], broken);
    await test.db.transaction(async (tx) => {
      await observeSearch(tx, { callId: (callId += 1), sentAt: at(2) }, { items: [], broken });
      await search(3, [], broken);
    });
  });
});
