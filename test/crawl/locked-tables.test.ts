import { sql } from "drizzle-orm";
import postgres from "postgres";
import { expect, it, onTestFinished } from "vitest";
import { itLong } from "../support/it-long.ts";
import { lastingFaultsForEach, smallCrawl } from "../support/lasting-faults.ts";

const start = lastingFaultsForEach();
const title = (table: string) =>
  `D5: while somebody keeps all others from writing to the table ${table}, answers are stored`;

it(title("backoff"), () => expectStored("backoff"));
itLong(title("refresh_request"), () => expectStored("refresh_request"));
for (const [table, declare] of [
  ["demand", it],
  ["crawl_page", itLong],
] as const) {
  declare(
    `D5: while somebody keeps all others from reading the table ${table}, answers are stored`,
    () => expectStored(table, "%", "access exclusive"),
  );
}
itLong(title("empty_answer"), () => expectStored("empty_answer", "refresh"));

async function expectStored(table: string, operation = "%", mode = "exclusive"): Promise<void> {
  const { crawl } = await start([], smallCrawl(false));
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
