import { holds, leastShare, type Figure, type Verdict } from "./case.ts";

const short = (n: number) => (Number.isInteger(n) ? String(n) : n.toFixed(n < 10 ? 3 : 1));

/** One line while the run goes on. */
export function progressLine(verdict: Verdict): string {
  const state = holds(verdict) ? "ok " : "LOW";
  const shares = verdict.figures.map((one) => one.share.toFixed(2)).join(" ");
  const seconds = `${verdict.seconds.toFixed(0)} s`.padStart(5);
  return `${state} ${seconds}  ${verdict.ids.join(" ")}: ${verdict.what}  ${verdict.failure ?? shares}`;
}

/** Markdown, one row a figure. */
export function toTable(verdicts: readonly Verdict[]): string[] {
  return [
    "| case | what stays wrong | subject | what is measured of the rest | control | with it | share | |",
    "|---|---|---|---|---|---|---|---|",
    ...verdicts.flatMap((verdict) =>
      verdict.failure === null
        ? verdict.figures.map((one, i) => row(verdict, one, i === 0))
        : [`${lead(verdict, true)} ${verdict.failure} | | | | failed |`],
    ),
  ];
}

function row(verdict: Verdict, one: Figure, isFirst: boolean): string {
  const state = one.share >= leastShare ? "ok" : "LOW";
  return `${lead(verdict, isFirst)} ${one.measure} | ${short(one.control)} | ${short(one.withFault)} | ${one.share.toFixed(2)} | ${state} |`;
}

function lead({ ids, what, subject }: Verdict, isFirst: boolean): string {
  return isFirst ? `| ${ids.join(" ")} | ${what} | ${subject} |` : "| | | |";
}
