import { crawlCases } from "./crawl-cases.ts";
import { coverage } from "./coverage.ts";
import { databaseCases } from "./database-cases.ts";
import { engineCases } from "./engine-cases.ts";
import { judgedCases } from "./judged-cases.ts";
import { processCases } from "./process-cases.ts";
import type { ServiceCase } from "./service-case.ts";
import { visitorCases } from "./visitor-cases.ts";
import { wireCases } from "./wire-cases.ts";

export const serviceCases: readonly ServiceCase[] = [
  ...visitorCases,
  ...judgedCases,
  ...wireCases,
  ...engineCases,
  ...databaseCases,
  ...processCases,
];

/** One line a row of blast-radius.md and reliability.md: the cases that keep it wrong, or what holds it instead. */
export function listCoverage(): string[] {
  const cases = [...crawlCases, ...serviceCases];
  return coverage.map(({ id, instead }) => {
    const held = cases.filter((one) => one.ids.includes(id)).map((one) => one.what);
    return `${id.padEnd(4)} ${instead ?? held.join("; ")}`;
  });
}

/** Rows that claim a case and have none, and cases of rows that are not listed. */
export function coverageGaps(): string[] {
  const ids = new Set([...crawlCases, ...serviceCases].flatMap((one) => one.ids));
  const listed = new Set(coverage.map(({ id }) => id));
  return [
    ...coverage
      .filter(({ id, instead }) => instead === null && !ids.has(id))
      .map(({ id }) => `${id} has no case`),
    ...[...ids].filter((id) => !listed.has(id)).map((id) => `${id} is not in the list`),
  ];
}
