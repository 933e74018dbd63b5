import { quantileOf } from "../../lib/quantile.ts";
import { normalise, type Places, type StatementTime } from "./statements.ts";

/** What one statement costs at each size; null: it was not sent there. */
export interface Row {
  place: string;
  statement: string;
  /** The first request or part of the background of its kind that sent it. */
  from: string;
  /** The hottest of what sends it. */
  kind: Kind;
  sizes: (Cost | null)[];
  /** What the largest size costs, divided by what the smallest does; null if it is missing at one of them. */
  growth: Growth | null;
  /** Types of the nodes of its plan at the largest size, with the table of each scan. */
  nodes: string[];
}

/** Where a statement is sent: in a request, a step of the crawl or the mirror, or elsewhere. The hottest first. */
const kinds = ["request", "crawl", "mirror", "background"] as const;
export type Kind = (typeof kinds)[number];

/** Of the statement on its connection; waiting for the connection is told apart. */
export interface Cost {
  p50Ms: number;
  p95Ms: number;
  /**
   * p50 of what Postgres needs to execute it, without the time in which it waits for pages that are not in its
   * memory. Neither the bench, which may be busy when the rows arrive, nor planning is in it.
   */
  inMemoryMs: number;
  waitedP95Ms: number;
  times: number;
  /** Median of the pages of 8 KiB that it reads; unlike a time it is the same on a busy machine. */
  pages: number;
}

export interface Growth {
  time: number;
  inMemory: number;
  pages: number;
}

/** Times below this are noise of the machine, so ratios count from here. */
const floorMs = 1;
/** As few pages as a step in some indexes count as these. */
const floorPages = 20;

type Sample = StatementTime & { inMemoryMs: number };

/** Collects the times and plans of statements, by place and text, while `size` is measured. */
export function createReport(places: Places) {
  const rows = new Map<
    string,
    { place: string; statement: string; from: string; kind: Kind; samples: Sample[][] }
  >();
  const nodes = new Map<string, Set<string>>();
  const pages = new Map<string, number[]>();
  /** By text: how long executions took in memory; their plans come before their answers. */
  const executed = new Map<string, number[]>();
  let size: number | null = null;
  let kind: Kind = "background";
  let from = "";
  return {
    /** Null: what follows is not measured. */
    measure(nextSize: number | null): void {
      size = nextSize;
      executed.clear();
    },
    /** What follows is sent by this request or part of the background. */
    setFrom(name: string, nextKind: Kind): void {
      from = name;
      kind = nextKind;
    },
    add(text: string, time: StatementTime): void {
      const inMemoryMs = executed.get(text)?.shift() ?? time.ms;
      const place = places.byText.get(text);
      if (size === null || place === undefined) return;
      const statement = normalise(text);
      const key = `${place} ${statement}`;
      const row = rows.get(key) ?? { place, statement, from, kind, samples: [] };
      if (kinds.indexOf(kind) < kinds.indexOf(row.kind)) Object.assign(row, { kind, from });
      rows.set(key, row);
      (row.samples[size] ??= []).push({ ...time, inMemoryMs });
    },
    addPlan(message: string): void {
      const start = message.indexOf("{");
      if (start < 0) return;
      const { "Query Text": text, Plan: plan } = JSON.parse(message.slice(start)) as {
        "Query Text": string;
        Plan: PlanNode;
      };
      const tookMs = Number(/^duration: ([\d.]+) ms/.exec(message)?.[1]);
      const inMemoryMs = Math.max(0, tookMs - (plan["Shared I/O Read Time"] ?? 0));
      executed.set(text, [...(executed.get(text) ?? []), inMemoryMs]);
      if (size === null) return;
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
      [...rows.values()].map(({ kind: of, samples, ...row }) => {
        const costs = Array.from({ length: sizes }, (_, i) =>
          toCost(samples[i], pages.get(`${i} ${row.statement}`) ?? []),
        );
        const largest = costs.findLastIndex((cost) => cost !== null);
        return {
          ...row,
          kind: of,
          sizes: costs,
          growth: toGrowth(costs[0], costs.at(-1)),
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
  "Shared I/O Read Time"?: number;
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

function toCost(samples: readonly Sample[] | undefined, pages: readonly number[]): Cost | null {
  if (!samples || samples.length === 0) return null;
  const of = (share: number, value: (sample: Sample) => number) =>
    quantileOf(samples.map(value), share);
  return {
    p50Ms: of(0.5, ({ ms }) => ms),
    p95Ms: of(0.95, ({ ms }) => ms),
    inMemoryMs: of(0.5, ({ inMemoryMs }) => inMemoryMs),
    waitedP95Ms: of(0.95, ({ waitedMs }) => waitedMs),
    times: samples.length,
    pages: quantileOf(pages, 0.5),
  };
}

function toGrowth(first: Cost | null | undefined, last: Cost | null | undefined): Growth | null {
  if (!first || !last) return null;
  const of = (value: (cost: Cost) => number, floor: number) =>
    Math.max(floor, value(last)) / Math.max(floor, value(first));
  return {
    time: of(({ p50Ms }) => p50Ms, floorMs),
    inMemory: of(({ inMemoryMs }) => inMemoryMs, floorMs),
    pages: of(({ pages }) => pages, floorPages),
  };
}
