import postgres from "postgres";
import type { Evidence, Finding, Invariant, Memory, Upstream } from "./evidence.ts";
import { invariants } from "./invariants.ts";
import { askMeilisearch } from "../../support/json-request.ts";

export interface Verdict extends Finding {
  number: number;
  name: string;
}

export interface CheckerOptions {
  databaseUrl: string;
  /** One or several search hosts with one key. */
  hosts: readonly string[];
  apiKey: string;
  upstreamUrl: string;
  opsToken: string;
  secrets: readonly string[];
}

export interface CheckMoment {
  apiUrl: string;
  logs: string;
  passBeganAt: Date | null;
  isSettled: boolean;
}

export interface Checker {
  /** Looks at all thirteen, in their order. */
  check(moment: CheckMoment): Promise<Verdict[]>;
}

/** An engine that lost its data is noticed within 15 s, and then filled. */
const patienceMs = 30_000;

/** Judges a run that has come to rest by plain SQL and plain HTTP, past every proxy. */
export function createChecker(options: CheckerOptions): Checker {
  const memory: Memory = { epochs: new Map(), settings: new Map() };
  return {
    async check(moment) {
      const sql = postgres(options.databaseUrl, { max: 1, fetch_types: false, onnotice: () => {} });
      try {
        const evidence = await collect(options, moment, sql, memory);
        return await Promise.all(
          invariants.map(async (invariant) => ({
            number: invariant.number,
            name: invariant.name,
            ...(await judge(invariant, evidence)),
          })),
        );
      } finally {
        await sql.end({ timeout: 5 });
      }
    },
  };
}

async function judge(invariant: Invariant, evidence: Evidence): Promise<Finding> {
  const deadlineMs = performance.now() + (invariant.isPatient ? patienceMs : 0);
  for (;;) {
    const finding = await look(invariant, evidence);
    if (finding.violations.length === 0 || performance.now() >= deadlineMs) return finding;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

async function look(invariant: Invariant, evidence: Evidence): Promise<Finding> {
  try {
    return await invariant.check(evidence);
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return { violations: [`cannot be told: ${text}`], seen: "" };
  }
}

async function collect(
  { hosts, apiKey, upstreamUrl, opsToken, secrets }: CheckerOptions,
  { apiUrl, ...moment }: CheckMoment,
  sql: postgres.Sql,
  memory: Memory,
): Promise<Evidence> {
  return {
    ...moment,
    sql,
    memory,
    secrets,
    upstream: await readUpstream(upstreamUrl),
    hosts,
    async engine<T>(host: string, path: string, body?: unknown) {
      const method = body === undefined ? "GET" : "POST";
      const answer = await askMeilisearch({ host, apiKey }, method, path, body);
      if (!answer.ok) throw new Error(`${host} answers ${answer.status} to ${path}`);
      return (await answer.json()) as T;
    },
    async page(path, { ops = false } = {}) {
      const headers = ops ? { authorization: `Bearer ${opsToken}` } : {};
      const answer = await fetch(`${apiUrl}${path}`, { headers });
      return { status: answer.status, text: await answer.text() };
    },
  };
}

interface CallsAnswer {
  daily_limit: number;
  counted_by_day: Record<string, number>;
  calls: Upstream["calls"];
}

async function readUpstream(url: string): Promise<Upstream> {
  const calls = (await (await fetch(`${url}/_control/calls`)).json()) as CallsAnswer;
  const lines = await (await fetch(`${url}/_control/items`)).text();
  return {
    dailyLimit: calls.daily_limit,
    countedByDay: calls.counted_by_day,
    calls: calls.calls,
    items: lines
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as Upstream["items"][number]),
  };
}
