import type postgres from "postgres";

/** What the checker goes by: plain SQL and plain HTTP, and nothing of the program that is checked. */
export interface Evidence {
  sql: postgres.Sql;
  /** The addresses of all search hosts. */
  hosts: readonly string[];
  /** Asks a search host itself, not through any proxy. */
  engine<T>(host: string, path: string, body?: unknown): Promise<T>;
  /** A page of the public or the ops API, as text. */
  page(path: string, options?: { ops?: boolean }): Promise<{ status: number; text: string }>;
  /** The upstream's own access log and stock. */
  upstream: Upstream;
  /** Everything the processes wrote since the last check. */
  logs: string;
  /** Texts that may appear nowhere. */
  secrets: readonly string[];
  /** The full pass over everything that ended last began then; null before the first. */
  passBeganAt: Date | null;
  /** Nothing has changed upstream since that pass. */
  isSettled: boolean;
  /** What earlier checks of the same run have seen. */
  memory: Memory;
}

export interface Upstream {
  dailyLimit: number;
  countedByDay: Record<string, number>;
  calls: readonly UpstreamCall[];
  items: readonly UpstreamItem[];
}

export interface UpstreamCall {
  operation: "search" | "refresh";
  params: Record<string, string>;
  outcome: string;
  asked: number[];
  returned: number[];
}

export interface UpstreamItem {
  item_id: number;
  shop_id: string;
  price: number;
  stock: number;
  visible: number;
}

export interface Memory {
  epochs: Map<string, number>;
  settings: Map<string, string>;
}

export interface Finding {
  /** Empty: the invariant holds. */
  violations: string[];
  /** Figures of what was looked at. */
  seen: string;
}

export interface Invariant {
  number: number;
  name: string;
  /** Judged once everything has come to rest: what is late by a moment may be asked again. */
  isPatient: boolean;
  check(evidence: Evidence): Promise<Finding>;
}

/** `what` with how many and the first few, or nothing when there are none. */
export function violation(what: string, rows: readonly unknown[]): string[] {
  if (rows.length === 0) return [];
  return [`${rows.length} ${what}: ${JSON.stringify(rows.slice(0, 3))}`];
}
