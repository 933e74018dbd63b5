import { describe, expect, it } from "vitest";
import { must } from "../../lib/must.ts";
import { watchOperations } from "./failing-operation.ts";
import type { PlannedCall } from "./planned-call.ts";

/** Of a call only what is asked. */
const refreshOf = (shopId: string) => ({ operation: "refresh", shopId }) as PlannedCall;
const search = { operation: "search", params: { q: "財布" } } as PlannedCall;
const refresh = refreshOf("s1");
const both = [refresh, search];

/** So many refreshes of so many shops fail, each after a search with that outcome. */
function fail(refreshes: number, shops: number, isSearchGood = true) {
  const operations = watchOperations();
  for (let i = 0; i < refreshes; i += 1) {
    operations.note(search, isSearchGood);
    operations.note(refreshOf(`s${i % shops}`), false);
  }
  return operations;
}

describe("an operation that fails whatever it is asked", () => {
  it("gets one call in 50, until one is good", () => {
    const operations = fail(8, 3);
    for (let turn = 0; turn < 2; turn += 1) {
      const chosen = Array.from({ length: 50 }, () => {
        const call = must(operations.able(both)[0], "a call");
        operations.note(call, call === search);
        return call;
      });
      expect(chosen.filter((call) => call === search)).toHaveLength(turn === 0 ? 50 : 49);
    }
    operations.note(refresh, true);
    expect(operations.able(both)).toEqual(both);
  });

  it("is called on if there is nothing else to call", () => {
    expect(fail(8, 3).able([refresh])).toEqual([refresh]);
  });

  it("is not at fault while few shops fail, or the other operation fails too", () => {
    expect(fail(7, 7).able(both)).toEqual(both);
    expect(fail(50, 2).able(both)).toEqual(both);
    expect(fail(50, 50, false).able(both)).toEqual(both);
  });
});
