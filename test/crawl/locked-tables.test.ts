import { sql } from "drizzle-orm";
import postgres from "postgres";
import { expect, it, onTestFinished } from "vitest";
import { itLong } from "../support/it-long.ts";
import { lastingFaultsForEach, smallCrawl } from "../support/lasting-faults.ts";
import { createTestDb, openPool, type TestDb } from "../support/postgres.ts";

const start = lastingFaultsForEach();

it("D5: while somebody keeps all others from writing to the table backoff, answers are stored", () =>
  expectStored("backoff", { mode: "exclusive" }));
itLong(
  "D5: while somebody keeps all others from writing to the table refresh_request, answers are stored",
  () => expectStored("refresh_request", { mode: "exclusive" }),
);
itLong(
  "D5: while somebody keeps all others from writing to the table empty_answer, answers are stored",
  () => expectStored("empty_answer", { mode: "exclusive", operation: "refresh" }),
);

// What only some calls are about keeps no others back; of the rest the planner goes by what it knew.
for (const [table, operation, declare] of [
  ["demand", "%", it],
  ["crawl_query", "refresh", itLong],
  ["backoff", "search", itLong],
  ["crawl_page", "%", itLong],
  ["empty_answer", "%", itLong],
  ["possible_return", "%", itLong],
  ["kept_count", "%", itLong],
  ["loss_trait", "%", itLong],
  ["refresh_request", "%", itLong],
] as const) {
  declare(
    `D5: while somebody keeps all others from reading the table ${table}, ${operation === "%" ? "answers" : `those of ${operation}`} are stored`,
    () => expectStored(table, { mode: "access exclusive", operation }),
  );
}

/** With the pool's patience for locks that the crawl has in a service. */
async function impatientDb(): Promise<TestDb> {
  const test = await createTestDb();
  const { db, close } = openPool(test.url, { lockTimeoutMs: 2000 });
  return {
    ...test,
    db,
    async close() {
      await close();
      await test.close();
    },
  };
}

async function expectStored(
  table: string,
  { mode, operation = "%" }: { mode: string; operation?: string },
): Promise<void> {
  const { crawl } = await start([], { ...smallCrawl(false), test: await impatientDb() });
  await crawl.pass(2);
  if (operation === "refresh") await crawl.runNow("revalidate");
  const since = crawl.clock.now().toISOString();
  const other = postgres(crawl.url, { max: 1, onnotice: () => {} });
  onTestFinished(() => other.end());
  const outcomes = async () => {
    const rows = await crawl.db.execute(sql`
      select outcome from api_call
      where operation like ${operation} and outcome is not null and reserved_at > ${since}`);
    return rows.map(({ outcome }) => outcome);
  };
  await other.begin(async (tx) => {
    await tx.unsafe(`lock table ${table} in ${mode} mode`);
    await crawl.pass(24, async () => (await outcomes()).length < 6);
  });
  expect(await outcomes()).toEqual(Array.from({ length: 6 }, () => "ok"));
}
