import { sql } from "drizzle-orm";
import { expect, it } from "vitest";

import { createTestApi, searchBySql } from "../support/api.ts";
import { fillProducts } from "../support/mirror.ts";
import { openedForEach } from "../support/opened.ts";
import { createTestDb } from "../support/postgres.ts";

const test = openedForEach(createTestDb);

it("B29: searches go on while the mirror's lag cannot be read, with the lag that was read last", async () => {
  await fillProducts(test.db, 1, 3);
  await test.db.execute(sql`
    insert into mirror (index_uid, item_id, desired_version, dirty_since, next_at)
    values ('products_v1', 1, 1, now() - interval '1 hour', now())`);
  const api = createTestApi(test.db, {
    search: async (query) => ({
      ...(await searchBySql(test.db, query)),
      indexUid: "products_v1",
    }),
  });
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
