import { describe, expect, it } from "vitest";
import type { CrawlJob } from "./budget/jobs.ts";
import type { PlannedCall } from "./safety/planned-call.ts";
import { createTurns } from "./offers.ts";

const call = (job: CrawlJob, value: number) => ({ job, value }) as PlannedCall;

describe("the best of the offered calls", () => {
  it("is the one of most value", () => {
    const calls = [call("feed", 2), call("revalidate", 5), call("discover", 3)];
    expect(createTurns()(calls)).toBe(calls[1]);
    expect(createTurns()([])).toBeNull();
  });

  it("is one that is due whatever its value, of another job than before", () => {
    const best = createTurns();
    const calls = [call("feed", Infinity), call("discover", Infinity), call("revalidate", 1e9)];
    const jobs = [1, 2, 3, 4].map(() => best(calls)?.job);
    expect(jobs).toEqual(["feed", "discover", "feed", "discover"]);
  });

  it("is at most every second time of products beyond the maximum age", () => {
    const best = createTurns();
    const calls = [call("revalidate", Infinity), call("feed", 1)];
    const jobs = [1, 2, 3, 4].map(() => best(calls)?.job);
    expect(jobs).toEqual(["revalidate", "feed", "revalidate", "feed"]);
    const alone = createTurns();
    expect([1, 2].map(() => alone([call("revalidate", Infinity)])?.job)).toEqual([
      "revalidate",
      "revalidate",
    ]);
  });
});
