import { afterEach, expect, inject, it } from "vitest";
import { readCalls } from "../support/calls.ts";
import { startRun } from "../../src/crawl/budget/jobs.ts";
import { createCrawler } from "../../src/crawl/run.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { silentLogger } from "../../src/lib/logger.ts";
import { NoConnection, RetryLater, type StorefrontError } from "../../src/storefront/errors.ts";
import { createTestCrawl, type TestCrawl } from "../support/crawl.ts";
import { until } from "../support/until.ts";

let crawl: TestCrawl;
afterEach(() => crawl.close());

const failedCalls = async () =>
  (await readCalls(crawl.db, { limit: 10_000 })).filter(({ outcome }) => outcome !== "ok").length;

/** Every call of the first worker, which leads, fails. */
async function openUnreachable(toError: () => StorefrontError, first: { fails: boolean }) {
  crawl = await createTestCrawl({
    keywords: 8,
    through: (client) => ({
      search: (...request) => (first.fails ? Promise.reject(toError()) : client.search(...request)),
      refresh: (...request) =>
        first.fails ? Promise.reject(toError()) : client.refresh(...request),
    }),
  });
  await startRun(crawl.db, "discover", "manual", systemClock.now());
  await until(async () => (await failedCalls()) > 0, { what: "a failed call" });
}

const failures: [string, () => StorefrontError, number][] = [
  [
    "has no connection to the upstream",
    () => new NoConnection("no_connection", "connection refused"),
    4,
  ],
  [
    "gets no answer from the upstream in time",
    () => new RetryLater("timeout", "no answer in time"),
    12,
  ],
];

it.each(inject("long") ? failures : failures.slice(0, 1))(
  "U1: a worker that %s, and stays so, lets another lead and costs few calls",
  async (_, toError, most) => {
    const first = { fails: true };
    await openUnreachable(toError, first);
    const second = crawl.addProcess((client) => client);
    await crawl.run("discover");
    expect(await failedCalls()).toBeLessThanOrEqual(most);

    // The first worker leads again once its calls succeed and the second has ended.
    first.fails = false;
    await second.stop();
    await crawl.run("feed");
    expect(await failedCalls()).toBeLessThanOrEqual(most);
  },
);

it("U1: workers that end and are replaced, none of which has a connection, make no more calls than one that stays", async () => {
  const noConnection = () => new NoConnection("no_connection", "connection refused");
  const beganMs = systemClock.monotonicMs();
  await openUnreachable(noConnection, { fails: true });
  await crawl.first.stop();
  const unreachable = {
    search: () => Promise.reject(noConnection()),
    refresh: () => Promise.reject(noConnection()),
  };
  for (let i = 0; i < 40; i += 1) {
    const crawler = createCrawler({
      db: crawl.db,
      clock: systemClock,
      logger: silentLogger,
      clientOf: () => unreachable,
      rules: crawl.rules,
      pacing: "burst",
    });
    await crawler.step(new AbortController().signal);
    await crawler.release();
  }
  // One at once, then after 1 s, 2 s, 4 s and so on.
  const seconds = (systemClock.monotonicMs() - beganMs) / 1000;
  expect(await failedCalls()).toBeLessThanOrEqual(2 + Math.log2(1 + seconds));
  expect(await failedCalls()).toBeGreaterThan(0);
});
