import { bounds, type Bound } from "./bounds.ts";
import type { Row } from "./report.ts";

/** Times as long at N as at N/100. */
const MOST_RATIO = 2;
const MOST_REQUEST_MS = 50;
const MOST_SLICE_MS = 1000;

export interface Verdict {
  row: Row;
  isHot: boolean;
  /** Which rules it breaks. */
  faults: string[];
  /** Why a hot statement may break them: what it costs at most, whatever the size. */
  bound: string | null;
}

/**
 * Hot are the statements of requests and of the steps of the crawl and the mirror: none grows, and none of a
 * request is slow, but for those with a bound. Nothing in the background takes long.
 */
export function judge(row: Row, known: readonly Bound[] = bounds): Verdict {
  const p95Ms = row.sizes.at(-1)?.p95Ms ?? 0;
  const isHot = row.kind !== "background";
  const faults: string[] = [];
  if (isHot && row.ratio !== null && row.ratio > MOST_RATIO)
    faults.push(`${row.ratio.toFixed(1)} times as long`);
  if (row.kind === "request" && p95Ms > MOST_REQUEST_MS) faults.push(`${p95Ms} ms in a request`);
  if (!isHot && p95Ms > MOST_SLICE_MS) faults.push(`${p95Ms} ms in the background`);
  const bound = known.find(
    ({ place, part = "" }) => isHot && place === row.place && row.statement.includes(part),
  );
  return { row, isHot, faults, bound: bound?.bound ?? null };
}

/** Breaks a rule, and no bound allows it. */
export const isBeyond = ({ faults, bound }: Verdict): boolean =>
  faults.length > 0 && bound === null;

/** How many of the hot statements stay within the rules, and those that do not. */
export function* toSummary(verdicts: readonly Verdict[]): Generator<string> {
  const hot = verdicts.filter(({ isHot, row }) => isHot && row.ratio !== null);
  const within = hot.filter(({ row }) => (row.ratio ?? 0) <= MOST_RATIO);
  const samePages = hot.filter(({ row }) => pagesRatio(row) <= MOST_RATIO);
  yield `hot statements met at the smallest and the largest size: ${hot.length}`;
  yield `  at most twice as long: ${within.length}`;
  yield `  at most twice as many pages: ${samePages.length}`;
  yield `background: ${verdicts.filter(({ isHot }) => !isHot).length}`;
  const broken = verdicts.filter(({ faults }) => faults.length > 0);
  yield* toList(
    "bounded",
    broken.filter((verdict) => !isBeyond(verdict)),
  );
  yield* toList("beyond", broken.filter(isBeyond));
}

function* toList(title: string, verdicts: readonly Verdict[]): Generator<string> {
  yield `${title}: ${verdicts.length}`;
  for (const { row, faults, bound } of verdicts) {
    const text = `${row.place} (${row.from}): ${faults.join(", ")}, ${pagesRatio(row).toFixed(1)} times the pages`;
    yield bound === null ? `  ${text}: ${row.statement.slice(0, 100)}` : `  ${text}; ${bound}`;
  }
}

/** As few pages as a step in some indexes count as these. */
const FLOOR_PAGES = 20;

function pagesRatio({ sizes }: Row): number {
  const pages = (at: number) => Math.max(FLOOR_PAGES, sizes.at(at)?.pages ?? 0);
  return pages(-1) / pages(0);
}

/** The statements as a table, slowest first. */
export function* toTable(
  verdicts: readonly Verdict[],
  sizes: readonly number[],
): Generator<string> {
  yield `${sizes.map((size) => `p50/p95/pages, ${size}`.padStart(26)).join("")}   ratio  times  kind        statement`;
  const slowest = ({ row }: Verdict) => row.sizes.at(-1)?.p95Ms ?? 0;
  for (const verdict of verdicts.toSorted((a, b) => slowest(b) - slowest(a))) {
    const { row } = verdict;
    const costs = row.sizes.map((cost) =>
      (cost ? `${cost.p50Ms} / ${cost.p95Ms} / ${cost.pages}` : "-").padStart(26),
    );
    const ratio = row.ratio === null ? "-" : row.ratio.toFixed(1);
    const times = String(row.sizes.at(-1)?.times ?? 0);
    yield `${costs.join("")}${ratio.padStart(8)}${times.padStart(7)}  ${row.kind.padEnd(12)}${row.place} (${row.from}): ${row.statement.slice(0, 60)}`;
    yield `${" ".repeat(26 * sizes.length + 29)}${row.nodes.join(", ")}`;
  }
}
