import { sql } from "drizzle-orm";
import { expect, it } from "vitest";

import { authorised, createTestApi, searchBySql, type TestApi } from "../support/api.ts";
import type { Clock } from "../../src/lib/clock.ts";
import { createTestClock } from "../support/clock.ts";
import { fillProducts } from "../support/mirror.ts";
import { openedForEach } from "../support/opened.ts";
import { createTestDb } from "../support/postgres.ts";

const test = openedForEach(createTestDb);

/** A product waits for its index since then; what searches it with a clock. */
async function waitingSince(interval: string, clock?: Clock): Promise<TestApi> {
  await fillProducts(test.db, 1, 3);
  await test.db.execute(sql`
    insert into mirror (index_uid, item_id, desired_version, dirty_since, next_at)
    values ('products_v1', 1, 1, now() - ${interval}::interval, now())`);
  return createTestApi(test.db, {
    ...(clock ? { clock } : {}),
    search: async (query) => ({
      ...(await searchBySql(test.db, query)),
      indexUid: "products_v1",
    }),
  });
}

it("B29: searches go on while the mirror's lag cannot be read, with the lag that was read last", async () => {
  const api = await waitingSince("1 hour");
  const search = async () => {
    const answer = await api.get("/v1/products");
    const { mirror_lag_s } = (await answer.json()) as { mirror_lag_s: number };
    return { status: answer.status, mirror_lag_s };
  };
  const before = await search();
  expect(before.mirror_lag_s).toBeGreaterThan(3599);
  await test.db.transaction(async (tx) => {
    await tx.execute(sql`lock table mirror in access exclusive mode`);
    for (let i = 0; i < 12; i += 1) {
      // Until the lag that is known is too old to be taken as it is.
      await tx.execute(sql`select pg_sleep(0.1)`);
      expect(await search()).toMatchObject({ status: 200, mirror_lag_s: before.mirror_lag_s });
    }
  });
  const after = await search();
  expect(after.mirror_lag_s).toBeGreaterThanOrEqual(before.mirror_lag_s);
});

it("the lag is right where the clock of this process is hours off that of Postgres", async () => {
  const aheadMs = 3 * 3_600_000;
  const api = await waitingSince(
    "10 s",
    createTestClock(new Date(Date.now() + aheadMs).toISOString()),
  );
  await test.db.execute(sql`
    insert into mirror_index (index_uid, state, epoch, settings_hash, created_at)
    values ('products_v1', 'serving', gen_random_uuid(), 's', now())`);
  const { mirror_lag_s: ofSearch } = await api.json<{ mirror_lag_s: number }>("/v1/products");
  const { mirror_lag_s: ofStatus } = await api.json<{ mirror_lag_s: number }>("/v1/status");
  const { serving } = (await (await api.get("/ops/v1/mirror", authorised)).json()) as {
    serving: { lag_s: number };
  };
  for (const lag of [ofSearch, ofStatus, serving.lag_s]) {
    expect(lag).toBeGreaterThanOrEqual(10);
    expect(lag).toBeLessThan(3600);
  }
});
