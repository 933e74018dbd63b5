import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { observeRefresh, observeSearch } from "../../src/catalog/observing/observe.ts";
import { readProduct } from "../../src/catalog/products.ts";
import type { CallFailure } from "../../src/crawl/safety/backoff.ts";
import type { RefreshCall } from "../../src/crawl/safety/planned-call.ts";
import { createRevalidation } from "../../src/crawl/products/revalidation.ts";
import { createPlannerState } from "../../src/crawl/learning/planner-state.ts";
import { scheduleProducts } from "../support/catalog.ts";
import { openedForEach } from "../support/opened.ts";
import { createTestDb } from "../support/postgres.ts";
import { searchItem } from "../support/products.ts";

const test = openedForEach(createTestDb);
beforeEach(async () => {
  const items = [1, 2, 3].map((id) => searchItem(id));
  await test.db.transaction((tx) =>
    observeSearch(tx, { callId: 1, sentAt: at(-60) }, { items, broken: [] }),
  );
});

const HOUR = 3600;
const at = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1000);

/** A crawling process with a memory of its own. */
async function createProcess(): Promise<ReturnType<typeof createRevalidation>> {
  const rules = { dailyLimit: 10_000, timezone: "Asia/Tokyo" };
  const state = createPlannerState(test.db, rules);
  await state.refresh(0);
  return createRevalidation(test.db, state);
}

const usual = (process: ReturnType<typeof createRevalidation>, itemIds = [1, 2, 3]) =>
  process.toCall({
    shopId: "shop-1",
    itemIds,
    value: 1,
    why: { code: "pass", shopId: "shop-1", products: itemIds.length },
  });

let calls = 10;

/** Makes the call, whose answer shows these ids; returns how many products it deleted. */
async function make(
  call: RefreshCall | null,
  second: number,
  shown: number[] = [],
): Promise<number> {
  if (!call) throw new Error("there is no call");
  call.take();
  const page = {
    items: shown.map((id) => searchItem(id)),
    broken: [],
    unknownFields: [],
    truncatedFields: 0,
  };
  const sighting = { callId: (calls += 1), sentAt: at(second) };
  try {
    return await test.db.transaction(async (tx) => {
      const result = await observeRefresh(tx, sighting, { ...page, asked: call });
      return (await call.settle(tx, sighting, page, result)).gone;
    });
  } finally {
    call.release();
  }
}

describe("B13: a wholly empty answer waits in Postgres to be confirmed", () => {
  it("B13: another process asks again, and its empty answer confirms the first", async () => {
    expect(await make(usual(await createProcess()), 0)).toBe(0);
    const heir = await createProcess();
    const again = await heir.nextDoubtful(at(60));
    expect(again).toMatchObject({ shopId: "shop-1", itemIds: [1, 2, 3], value: Infinity });
    expect(again?.why.code).toBe("second_check");
    expect(await make(again, 60)).toBe(3);
    expect(await heir.nextDoubtful(at(70))).toBeNull();
  });

  it("B13: a leader that returns after days takes no empty answer of before for the first of two", async () => {
    const returning = await createProcess();
    expect(await make(usual(returning), 0)).toBe(0);
    const days = 3 * 24 * HOUR;
    expect(await returning.nextDoubtful(at(days))).toBeNull();
    expect(await make(usual(returning), days)).toBe(0);
    expect((await readProduct(test.db, 1))?.state).toBe("live");
    expect(await make(await returning.nextDoubtful(at(days + 1)), days + 1)).toBe(3);
  });

  it.each([
    { after: HOUR - 1, deleted: 3 },
    { after: HOUR, deleted: 0 },
  ])("B13: an empty answer sent $after s after the first deletes $deleted", async (one) => {
    await make(usual(await createProcess()), 0);
    expect(await make(usual(await createProcess()), one.after)).toBe(one.deleted);
  });

  it("B13: what another process was shown meanwhile ends the doubt", async () => {
    const one = await createProcess();
    await make(usual(one), 0);
    expect(await make(usual(await createProcess()), 10, [1, 2, 3])).toBe(0);
    expect(await one.nextDoubtful(at(20))).toBeNull();
    expect(await make(usual(one), 30)).toBe(0);
  });

  it("B13: an empty answer confirms nothing for ids that the first call did not ask for", async () => {
    const process = await createProcess();
    await make(usual(process, [1, 2]), 0);
    expect(await make(usual(process, [1, 2, 3]), 10)).toBe(0);
    expect(await make(usual(process, [2, 3]), 20)).toBe(2);
  });

  it("B13: a second call that fails is made again after the pause of its shop, and not at once", async () => {
    const process = await createProcess();
    await make(usual(process), 0);
    for (const second of [1, 10, 20]) {
      const again = await process.nextDoubtful(at(second));
      again?.take();
      expect(await process.nextDoubtful(at(second))).toBeNull();
      await test.db.transaction(async (tx) => again?.failed(tx, failure(second)));
      again?.release();
      expect(await process.nextDoubtful(at(second))).toBeNull();
    }
    expect(await process.nextDoubtful(at(30))).not.toBeNull();
  });
});

function failure(second: number): CallFailure {
  return {
    code: "http_500",
    message: "status 500",
    callId: (calls += 1),
    at: at(second),
    kind: "broken",
    found: null,
    callsPerDay: 10_000,
    notBefore: null,
  };
}

describe("U20: an answer that lacks most of what was asked for", () => {
  const many = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
  beforeEach(async () => {
    const items = many.map((id) => searchItem(id));
    await test.db.transaction(async (tx) => {
      await observeSearch(tx, { callId: 2, sentAt: at(-30) }, { items, broken: [] });
      await scheduleProducts(tx);
    });
  });

  it("is asked about again, as long as an upstream cuts its answers short, and nothing is deleted", async () => {
    const process = await createProcess();
    let call: RefreshCall | null = usual(process, many);
    const asked: number[] = [];
    for (let second = 0; call; second += 1) {
      asked.push(call.itemIds.length);
      expect(await make(call, second, call.itemIds.slice(0, 5))).toBe(0);
      call = await process.nextDoubtful(at(second + 1));
    }
    expect(asked).toEqual([12, 7, 2]);
  });

  it("deletes what a second call about them alone does not show either", async () => {
    const process = await createProcess();
    expect(await make(usual(process, many), 0, many.slice(0, 5))).toBe(0);
    const again = await process.nextDoubtful(at(1));
    expect(again?.itemIds).toEqual(many.slice(5));
    expect(await make(again, 1)).toBe(7);
    expect(await process.nextDoubtful(at(2))).toBeNull();
    const rows = await test.db.execute(sql`
      select (select count(*) from backoff) as waiting, (select count(*) from product_schedule) as scheduled`);
    expect(rows[0]).toEqual({ waiting: 0, scheduled: 5 });
  });
});
