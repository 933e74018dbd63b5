import { expect, it } from "vitest";
import { updateJob } from "../../src/crawl/budget/jobs.ts";
import { status } from "../support/faulty-upstream.ts";
import { lastingFaultsForEach } from "../support/lasting-faults.ts";

const start = lastingFaultsForEach();

it("B1: an operation that is refused for every shop takes few calls from the other", async () => {
  const { crawl, upstream } = await start(
    [{ concerns: ({ operation }) => operation === "refresh", answer: status(403) }],
    { maxAgeDays: 0.02 },
  );
  await crawl.pass(1);
  // First pages of newest changes and refreshes are left.
  await updateJob(crawl.db, "discover", { settings: { weight: 0 } }, crawl.clock.now());
  await crawl.pass(11);
  const before = { good: crawl.calls(), faulty: upstream.faulty.length };
  expect(before.faulty).toBeGreaterThanOrEqual(8);
  await crawl.pass(2);
  const good = crawl.calls() - before.good;
  const faulty = upstream.faulty.length - before.faulty;
  expect(good).toBeGreaterThan(8);
  expect(faulty).toBeLessThanOrEqual(1);
});
