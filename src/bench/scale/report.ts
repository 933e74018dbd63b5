import { normalise, type Places } from "./statements.ts";

/** What one statement costs at each size; null: it was not sent there. */
export interface Row {
  place: string;
  statement: string;
  /** The first request or part of the background of its kind that sent it. */
  from: string;
  /** The hottest of what sends it. */
  kind: Kind;
  sizes: (Cost | null)[];
  /** p50 at the largest size, divided by that at the smallest; null if it is missing at one of them. */
  ratio: number | null;
  /** Types of the nodes of its plan at the largest size, with the table of each scan. */
  nodes: string[];
}

/** Where a statement is sent: in a request, a step of the crawl or the mirror, or elsewhere. The hottest first. */
const kinds = ["request", "crawl", "mirror", "background"] as const;
export type Kind = (typeof kinds)[number];

export interface Cost {
  p50Ms: number;
  p95Ms: number;
  times: number;
  /** Median of the pages of 8 KiB that it reads; unlike a time it is the same on a busy machine. */
  pages: number;
}

/** Times below this are noise of the machine, so ratios count from here. */
const FLOOR_MS = 1;

/** Collects the times and plans of statements, by place and text, while `size` is measured. */
export function createReport(places: Places) {
  const rows = new Map<
    string,
    { place: string; statement: string; from: string; kind: Kind; ms: number[][] }
  >();
  const nodes = new Map<string, Set<string>>();
  const pages = new Map<string, number[]>();
  let size: number | null = null;
  let kind: Kind = "background";
  let from = "";
  return {
    /** Null: what follows is not measured. */
    measure(nextSize: number | null): void {
      size = nextSize;
    },
    /** What follows is sent by this request or part of the background. */
    setFrom(name: string, nextKind: Kind): void {
      from = name;
      kind = nextKind;
    },
    add(text: string, ms: number): void {
      const place = places.byText.get(text);
      if (size === null || place === undefined) return;
      const statement = normalise(text);
      const key = `${place} ${statement}`;
      const row = rows.get(key) ?? { place, statement, from, kind, ms: [] };
      if (kinds.indexOf(kind) < kinds.indexOf(row.kind)) Object.assign(row, { kind, from });
      rows.set(key, row);
      (row.ms[size] ??= []).push(ms);
    },
    addPlan(message: string): void {
      const start = message.indexOf("{");
      if (size === null || start < 0) return;
      const { "Query Text": text, Plan: plan } = JSON.parse(message.slice(start)) as {
        "Query Text": string;
        Plan: PlanNode;
      };
      // Of the size that is measured now, so of the largest at the end.
      const key = `${size} ${normalise(text)}`;
      const set = nodes.get(key) ?? new Set<string>();
      nodes.set(key, set);
      for (const node of nodesOf(plan)) set.add(node);
      const read = pages.get(key) ?? [];
      pages.set(key, read);
      read.push((plan["Shared Hit Blocks"] ?? 0) + (plan["Shared Read Blocks"] ?? 0));
    },
    rows: (sizes: number): Row[] =>
      [...rows.values()].map(({ kind: of, ms, ...row }) => {
        const costs = Array.from({ length: sizes }, (_, i) =>
          toCost(ms[i], pages.get(`${i} ${row.statement}`) ?? []),
        );
        const [first, last] = [costs[0], costs.at(-1)];
        const largest = costs.findLastIndex((cost) => cost !== null);
        return {
          ...row,
          kind: of,
          sizes: costs,
          ratio:
            first && last ? Math.max(FLOOR_MS, last.p50Ms) / Math.max(FLOOR_MS, first.p50Ms) : null,
          nodes: [...(nodes.get(`${largest} ${row.statement}`) ?? [])],
        };
      }),
  };
}

export type Report = ReturnType<typeof createReport>;

interface PlanNode {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Shared Hit Blocks"?: number;
  "Shared Read Blocks"?: number;
  Plans?: PlanNode[];
}

/** Partitions of one table count as one. */
function nodesOf(plan: PlanNode): string[] {
  const of = (plan["Relation Name"] ?? plan["Index Name"])?.replace(/_(?:\d{4}_\d\d|unsorted)/, "");
  return [
    of ? `${plan["Node Type"]} ${of}` : plan["Node Type"],
    ...(plan.Plans ?? []).flatMap(nodesOf),
  ];
}

function toCost(ms: number[] | undefined, pages: number[]): Cost | null {
  if (!ms || ms.length === 0) return null;
  return {
    p50Ms: round(quantile(ms, 0.5)),
    p95Ms: round(quantile(ms, 0.95)),
    times: ms.length,
    pages: quantile(pages, 0.5),
  };
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

const round = (ms: number) => Math.round(ms * 100) / 100;
