import { readdir, readFile } from "node:fs/promises";
import { parser } from "@prometheus-io/lezer-promql";
import { afterEach, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { kurabeEnv } from "../support/kurabe-env.ts";
import { freePort } from "../support/free-port.ts";
import { createTestDb } from "../support/postgres.ts";
import { killStarted, spawnKurabe } from "../support/processes.ts";
import { until } from "../support/until.ts";

const rulesFile = z.object({
  groups: z.array(
    z.object({
      rules: z.array(
        z.object({
          record: z.string().optional(),
          alert: z.string().optional(),
          expr: z.string(),
          annotations: z.object({ summary: z.string(), description: z.string() }).optional(),
        }),
      ),
    }),
  ),
});
const dashboardFile = z.looseObject({
  panels: z.array(
    z.looseObject({ title: z.string(), targets: z.array(z.looseObject({ expr: z.string() })) }),
  ),
});

afterEach(killStarted);

async function readRules() {
  const text = await readFile("infra/prometheus/rules.yaml", "utf8");
  return rulesFile.parse(parse(text)).groups.flatMap((group) => group.rules);
}

async function readPanels() {
  const names = await readdir("infra/grafana");
  const boards = names.map(async (name) =>
    dashboardFile.parse(JSON.parse(await readFile(`infra/grafana/${name}`, "utf8"))),
  );
  return (await Promise.all(boards)).flatMap((board) => board.panels);
}

/** The metrics that a PromQL expression reads; throws where it is not PromQL. */
function metricsOf(expression: string): string[] {
  const names: string[] = [];
  parser.parse(expression).iterate({
    enter(node) {
      if (node.type.isError) throw new Error(`not PromQL at ${node.from}: ${expression}`);
      if (node.name === "VectorSelector") {
        names.push(/^[a-zA-Z_:][\w:]*/.exec(expression.slice(node.from, node.to))?.[0] ?? "");
      }
    },
  });
  return names;
}

/** Of a real API process: all names, and those that have values. */
async function readServedMetrics(): Promise<{ served: Set<string>; valued: Set<string> }> {
  const test = await createTestDb();
  onTestFinished(test.close);
  const port = await freePort();
  spawnKurabe(["api"], {
    env: {
      ...(await kurabeEnv(test.url)),
      PORT: String(port),
    },
  });
  const read = () => fetch(`http://127.0.0.1:${port}/metrics`).then((answer) => answer.text());
  await until(async () => (await read().catch(() => "")).includes("kurabe_budget_limit_calls"), {
    what: "the metrics",
  });
  const text = await read();
  const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)];
  const served = types.flatMap(([, name = "", type]) =>
    type === "histogram" ? [name, `${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  );
  const valued = [...text.matchAll(/^(\w+)[{ ]/gm)].map(([, name = ""]) => name);
  return { served: new Set(served), valued: new Set(valued) };
}

describe("rules and dashboards", () => {
  let expressions: string[];
  let recorded: string[];
  beforeAll(async () => {
    const rules = await readRules();
    recorded = rules.flatMap(({ record }) => record ?? []);
    const panels = await readPanels();
    expressions = [
      ...rules.map(({ expr }) => expr),
      ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ];
  });

  it("read only metrics that Kurabe serves, or that a rule records", async () => {
    const { served, valued } = await readServedMetrics();
    const known = new Set([...served, ...recorded]);
    const unknown = expressions.flatMap(metricsOf).filter((name) => !known.has(name));
    expect(unknown).toEqual([]);
    expect(expressions.length).toBeGreaterThan(40);
    // Without a worker nothing changes, and so nothing lags: what an API alone lacks tells that there is none.
    const absent = expressions.filter((one) => one.startsWith("absent(")).flatMap(metricsOf);
    expect(absent.filter((name) => !valued.has(name))).toEqual(["kurabe_loop_turn_age_seconds"]);
  });

  it("control: a name that nobody serves, and a text that is no PromQL, are noticed", () => {
    expect(metricsOf('sum(rate(kurabe_nothing{a="b"}[5m]))')).toEqual(["kurabe_nothing"]);
    expect(() => metricsOf("sum(rate(kurabe_shops[5m])")).toThrow("not PromQL");
  });
});

it("every metric under Alarms of operations.md has an alert, and every alert says what to do", async () => {
  const operations = await readFile("infra/operations.md", "utf8");
  const table = /## Alarms\n([\s\S]*?)\n## /.exec(operations)?.[1] ?? "";
  const watched = [...table.matchAll(/^\| `(\w+)/gm)].map(([, name = ""]) => name);
  const alerts = (await readRules()).filter(({ alert }) => alert !== undefined);
  const alerted = new Set(alerts.flatMap(({ expr }) => metricsOf(expr)));
  expect(watched.length).toBeGreaterThan(10);
  expect(watched.filter((name) => !alerted.has(name))).toEqual([]);
  expect(alerts.filter(({ annotations }) => annotations === undefined)).toEqual([]);
});
