/** Where a row of the two lists is held: by lasting cases of that id, or, when it cannot last, by something else. */
export interface Coverage {
  id: string;
  /** Why it has no case of its own, and what holds it; null: the cases that name it do. */
  instead: string | null;
}

const byCase = (...ids: string[]): Coverage[] => ids.map((id) => ({ id, instead: null }));
const instead = (id: string, why: string): Coverage => ({ id, instead: why });
const once = "happens once: ";
const noPace = "nobody else's pace is in it: ";

/** Every row of blast-radius.md and of the catalogue in reliability.md, in their order. */
export const coverage: readonly Coverage[] = [
  ...byCase("B1", "B2", "B3", "B4", "B5"),
  instead("B6", `${noPace}the test that names it`),
  instead("B7", `${noPace}the test that names it`),
  instead("B8", `${noPace}the test that names it`),
  ...byCase("B9", "B10", "B11"),
  instead("B12", `${noPace}the test that names it`),
  instead("B13", "a matter of restarts and failover: the test that names it; P1 and P4 fail over"),
  ...byCase("B14"),
  instead("B15", `${noPace}the test that names it`),
  ...byCase("B16", "B17", "B20", "B21", "B22", "B23", "B24", "B25", "B26", "B27"),
  instead("B28", `${noPace}the test that names it`),
  ...byCase("B29", "B30"),
  instead("B31", `${noPace}the test that names it`),
  ...byCase("B32"),
  instead("B33", `${noPace}the test that names it`),
  instead("B34", `${noPace}the test that names it`),

  ...byCase("U1", "U2", "U3", "U4", "U5", "U6", "U7", "U8", "U9", "U10", "U11", "U12", "U13"),
  instead("U14", "a fault of one item's id: as U8 to the pace; test/storefront"),
  instead(
    "U15",
    "a fault of one item's field: as U8 to the pace; src/catalog/observing/modified.test.ts",
  ),
  instead(
    "U16",
    "one answer's affair, stored all the same: test/catalog/observing/observe.test.ts",
  ),
  instead("U17", "every run's: products come and change all day in all of them"),
  instead("U18", "the crawl stops on such answers: test/crawl/answer-checks.test.ts"),
  ...byCase("U19", "U20", "U21"),
  instead("U22", "ends the day for everybody, as it should: test/crawl/early-limit.long.test.ts"),
  ...byCase("U23"),
  instead("U24", "the account is wrong, so nothing is left to go on: test/crawl/run.test.ts"),
  ...byCase("U25", "U26"),
  instead("U27", "one item's affair: as U8 to the pace; src/storefront/product.test.ts"),

  ...byCase("D1"),
  instead("D2", `${once}npm run chaos, "Postgres stopped (immediate)"`),
  instead("D3", `${once}npm run chaos, the crash points "done, nobody told"`),
  ...byCase("D4", "D5", "D6", "D7", "D8"),
  instead("D9", `${once}test/db/migrate.test.ts`),
  instead("D10", "the process refuses to start: test/db/migrate.test.ts"),
  ...byCase("D11"),
  instead("D12", "as B26: every use has a pool of its own"),

  ...byCase("M1"),
  instead("M2", `${once}npm run chaos, "engine stopped"`),
  instead("M3", `${once}as M2`),
  ...byCase("M4", "M5", "M6", "M7", "M8"),
  instead(
    "M9",
    "a document has at most 64 KiB and a batch a bound: src/search/index/document.test.ts",
  ),
  ...byCase("M10", "M11", "M12"),
  instead("M13", `${once}npm run chaos, "paused past its lease"`),
  instead("M14", "an order of writes, not a state: test/search/interleavings.test.ts"),
  instead("M15", "a way of writing, not a state: test/search/mirror.test.ts"),
  instead("M16", "indexes are never swapped: test/search/rebuild.test.ts"),
  instead("M17", `${once}test/search/rebuild.test.ts`),

  ...byCase("P1"),
  instead("P2", `${once}npm run chaos, the crash points`),
  instead("P3", `${once}test/service/signals.test.ts`),
  ...byCase("P4", "P5", "P6", "P7", "P8"),
  instead(
    "P9",
    "the process has no descriptors left for the rest: test/support/few-descriptors.ts",
  ),

  ...byCase("A1", "A2", "A3", "A4", "A5", "A6", "A7", "A8", "A9"),
  instead("A10", "a header of each answer: test/api/app.test.ts"),
  instead("A11", "a header of each answer: test/api"),
  ...byCase("A12", "A13", "O1", "O2", "O3"),
  instead("O4", "refused when it is set: src/config.test.ts and test/api/ops-jobs.test.ts"),
  ...byCase("O5"),
  instead("O6", "refused when it is set: test/api/ops-jobs.test.ts"),
  instead("O7", "a matter of routes: test/api/ops.test.ts"),
  instead("O8", "a line of the log: src/lib/logger.test.ts"),
  instead("W1", "one product's text: test/web/hostile.test.ts"),
  instead("W2", "as B28"),
  instead("W3", "as B33"),
  instead("W4", "a header of each answer: test/web"),
  instead("W5", "one product's text: test/web/hostile.test.ts"),
  instead("W6", "a matter of pages: test/web/third-parties.long.test.ts"),
  instead("S1", "secrets have no pace: test/secrets.test.ts (as S2 to S6)"),
  instead("C1", "built once, not run: scripts/supply-chain.test.ts (as C2 to C5)"),
];
