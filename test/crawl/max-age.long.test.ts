import { expect, it } from "vitest";
import { readMaxAgeDays } from "../../src/crawl/learning/max-age.ts";
import { budgetDay } from "../../src/db/schema.ts";
import { fillProducts } from "../support/mirror.ts";
import { openedForEach } from "../support/opened.ts";
import { createTestDb } from "../support/postgres.ts";

const test = openedForEach(createTestDb);

it("the maximum age follows what the upstream's own day allowed, also while it is yesterday in UTC", async () => {
  await fillProducts(test.db, 1, 2000);
  const refusedAt = new Date("2026-03-01T15:10:00Z");
  await test.db.insert(budgetDay).values({ day: "2026-03-02", limit: 9000, used: 10, refusedAt });
  const maxAgeDays = (dailyLimit: number, timezone: string) =>
    readMaxAgeDays(test.db, new Date("2026-03-01T15:30:00Z"), { dailyLimit, timezone });
  const unlearnt = await maxAgeDays(9000, "UTC");
  const learnt = await maxAgeDays(9000, "Asia/Tokyo");
  // Ten calls were allowed, so twelve are expected.
  expect(learnt).toBe(await maxAgeDays(12, "Asia/Tokyo"));
  expect(learnt).not.toBe(unlearnt);
});
