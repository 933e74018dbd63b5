import { chmod, mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { must } from "../../../src/lib/must.ts";
import { createTestDb } from "../../support/postgres.ts";
import { coverageGaps, serviceCases } from "./all-cases.ts";
import { leastShare, type Figure } from "./case.ts";
import { crawlCases } from "./crawl-cases.ts";
import { createCrawlRuns } from "./crawl-run.ts";
import { playServiceCase } from "./service-run.ts";
import { openSite, type RunningSite } from "./site.ts";

const low = (figures: readonly Figure[]) => figures.filter((one) => one.share < leastShare);
const named = <T extends { what: string }>(cases: readonly T[], what: string) =>
  must(
    cases.find((one) => one.what === what),
    what,
  );

it("every row of the two lists has a case, or says what holds it instead", () => {
  expect(coverageGaps()).toEqual([]);
});

// In the short form B1, B20 and B24 are asked of their own parts alone, by tests that bear their names.
if (inject("long")) {
  describe("what stays wrong harms only itself", () => {
    const setting = { products: 240, hours: 7 };
    const runs = createCrawlRuns({ seed: 1, openDb: createTestDb, setting });

    it.each(["one shop's refreshes always answer 500", "one keyword's answers are 9 MB"])(
      "B1: %s",
      async (what) => {
        expect(low((await runs.play(named(crawlCases, what))).figures)).toEqual([]);
      },
    );
  });

  describe("beside a visitor who never stops, everybody else is answered", () => {
    let site: RunningSite;
    beforeAll(async () => {
      const dataDir = await mkdtemp(join(inject("runDir"), "lasting-"));
      await chmod(dataDir, 0o755);
      site = await openSite({ dataDir, seed: 1, products: 150 });
    });
    afterAll(() => site.close());

    it.each([
      ["B20", "a crop marker that the engine refuses"],
      ["B24", "guessing the ops token"],
    ])("%s: %s", async (_, what) => {
      expect(low(await playServiceCase(site, named(serviceCases, what)))).toEqual([]);
    });
  });
}
