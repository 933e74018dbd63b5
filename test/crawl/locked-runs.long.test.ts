import { sql } from "drizzle-orm";
import postgres from "postgres";
import { expect, it, onTestFinished } from "vitest";
import { readActiveRuns } from "../../src/crawl/budget/jobs.ts";
import { minuteMs } from "../../src/lib/calendar.ts";
import { createFires } from "../../src/service/worker/schedule.ts";
import { createSimulatedCrawl } from "../support/simulated-crawl.ts";

it("D5: while somebody keeps all others from writing to the table job_run, calls go on beyond the windows of its runs", async () => {
  const crawl = await createSimulatedCrawl({
    keywords: ["財布", "バッグ"],
    sandbox: { products: 70 },
    rules: { dailyLimit: 1440, firesOf: createFires("Asia/Tokyo") },
    idleMinutes: 1,
  });
  onTestFinished(crawl.close);
  await crawl.db.execute(sql`
    update job set cron = '*/5 * * * *', enabled = name in ('discover', 'revalidate'),
      settings = settings || '{"window_minutes": 5, "max_age_days": 0.01}'`);
  await crawl.pass(0.5);
  const ended = new Date(crawl.clock.now().getTime() + 5 * minuteMs).toISOString();
  const other = postgres(crawl.url, { max: 1, onnotice: () => {} });
  onTestFinished(() => other.end());
  const answers = async () => {
    const rows = await crawl.db.execute(
      sql`select outcome from api_call where outcome is not null and reserved_at > ${ended}`,
    );
    return rows.map(({ outcome }) => outcome);
  };
  await other.begin(async (tx) => {
    await tx.unsafe("lock table job_run in exclusive mode");
    await crawl.pass(0.5, async () => (await answers()).length < 5);
  });
  expect(await answers()).toEqual(Array.from({ length: 5 }, () => "ok"));
  await crawl.db.execute(sql`update job set enabled = false where name = 'discover'`);
  await crawl.pass(0.1);
  expect((await readActiveRuns(crawl.db)).map(({ job }) => job)).toEqual(["revalidate"]);
});
