import type { LabelledQuery, LabelledSet } from "./read-set.ts";
import { gains, meanOf, ndcgOf, recallOf, toTable } from "./measures.ts";

/** The products that one of the compared systems found for a query, best first. */
export interface Judged {
  query: LabelledQuery;
  /** By system. */
  answers: Record<string, { found: number; ndcg: number; recall: number; first: string[] }>;
}

const recallDepth = 100;

/** Judges the first hundred; null if no product is right for the query. */
export function judge(
  set: LabelledSet,
  query: LabelledQuery,
  found: Record<string, readonly string[]>,
  gain: keyof typeof gains,
): Judged | null {
  const grades = set.grades.get(query.queryId) ?? new Map<string, number>();
  const wanted = [...grades.values()].filter((grade) => grade > 0);
  if (wanted.length === 0) return null;
  const answers = Object.entries(found).map(([system, itemIds]) => {
    const met = itemIds.slice(0, recallDepth).map((itemId) => grades.get(itemId) ?? 0);
    return [
      system,
      {
        found: itemIds.length,
        ndcg: ndcgOf(met, wanted, gains[gain]),
        recall: recallOf(met, wanted),
        first: itemIds.slice(0, 10),
      },
    ] as const;
  });
  return { query, answers: Object.fromEntries(answers) };
}

export interface Summary {
  kind: string;
  queries: number;
  /** By system. */
  ndcg: Record<string, number>;
  recall: Record<string, number>;
  /** The share of queries without results. */
  unanswered: Record<string, number>;
  /** The share of each other system's answers that `judgedSystem` lacks. */
  missed: Record<string, number>;
}

/** One summary for each kind of query, then one for all. */
export function summarise(judged: readonly Judged[], judgedSystem: string): Summary[] {
  const kinds = [...new Set(judged.map(({ query }) => query.kind))].sort();
  const ofKind = kinds.map((kind) =>
    summariseKind(
      kind,
      judged.filter(({ query }) => query.kind === kind),
      judgedSystem,
    ),
  );
  return [...(kinds.length > 1 ? ofKind : []), summariseKind("all", judged, judgedSystem)];
}

function summariseKind(kind: string, judged: readonly Judged[], judgedSystem: string): Summary {
  const systems = Object.keys(judged[0]?.answers ?? {});
  const foundBy = (one: Judged, system: string) => one.answers[system]?.found ?? 0;
  const bySystem = (measure: (system: string) => number) =>
    Object.fromEntries(systems.map((system) => [system, measure(system)]));
  const mean = (value: (answer: Judged["answers"][string]) => number) =>
    bySystem((system) =>
      meanOf(judged.flatMap(({ answers }) => (answers[system] ? [value(answers[system])] : []))),
    );
  const share = (part: readonly Judged[], isIn: (one: Judged) => boolean) =>
    meanOf(part.map((one) => Number(isIn(one))));
  return {
    kind,
    queries: judged.length,
    ndcg: mean((answer) => answer.ndcg),
    recall: mean((answer) => answer.recall),
    unanswered: bySystem((system) => share(judged, (one) => foundBy(one, system) === 0)),
    missed: bySystem((system) =>
      share(
        judged.filter((one) => foundBy(one, system) > 0),
        (one) => foundBy(one, judgedSystem) === 0,
      ),
    ),
  };
}

/** A table for each measure: a line for each kind, a column for each system, and ratios to baselines. */
export function toReport(
  summaries: readonly Summary[],
  judgedSystem: string,
  baselines: readonly string[],
): string {
  const systems = Object.keys(summaries[0]?.ndcg ?? {});
  const scores = (title: string, measure: "ndcg" | "recall") => {
    const ratios = baselines.map((system) => `${judgedSystem}/${system}`);
    const rows = summaries.map((summary) => [
      summary.kind,
      String(summary.queries),
      ...systems.map((system) => (summary[measure][system] ?? 0).toFixed(3)),
      ...baselines.map((system) =>
        ((summary[measure][judgedSystem] ?? 0) / (summary[measure][system] ?? 0)).toFixed(2),
      ),
    ]);
    return toTable([[title, "queries", ...systems, ...ratios], ...rows]);
  };
  const percent = (share: number | undefined) => `${((share ?? 0) * 100).toFixed(1)}%`;
  const missed = baselines.map((system) => `${system} answers alone`);
  const unanswered = summaries.map((summary) => [
    summary.kind,
    String(summary.queries),
    ...systems.map((system) => percent(summary.unanswered[system])),
    ...baselines.map((system) => percent(summary.missed[system])),
  ]);
  return [
    scores("NDCG@10", "ndcg"),
    scores(`recall@${recallDepth}`, "recall"),
    toTable([["no answer", "queries", ...systems, ...missed], ...unanswered]),
  ].join("\n\n");
}
