import { Hono } from "hono";
import { expect, it } from "vitest";
import { createLogger, silentLogger } from "../../../lib/logger.ts";
import type { ApiEnv } from "../deps.ts";
import { createFailureHandler } from "./failures.ts";
import { createMeiliFailureHandler } from "./instantsearch-problem.ts";
import { Problem } from "./problem.ts";

const handlers = [
  ["the API", createFailureHandler],
  ["/meili", createMeiliFailureHandler],
] as const;

it.each(handlers)(
  "%s logs what it refuses itself without a stack, and failures with theirs",
  async (_, create) => {
    const lines: string[] = [];
    const write = (line: string) => void lines.push(line);
    const app = new Hono<ApiEnv>();
    app.onError(create(createLogger({ level: "warn", format: "json" }, { write })));
    const thrown = [
      new Problem({ status: 503, code: "not_ready", detail: "starting" }),
      new Error("broken"),
    ];
    app.use(() => {
      throw thrown.shift();
    });
    await app.request("/meili/multi-search");
    await app.request("/meili/multi-search");
    expect(lines.map((line) => line.includes("stack"))).toEqual([false, true]);
  },
);

it.each(handlers)(
  "%s: what the database cannot serve for now is an outage, and not a fault of ours",
  async (_, create) => {
    const app = new Hono<ApiEnv>();
    app.onError(create(silentLogger));
    app.use((c) => {
      throw Object.assign(new Error("of the database"), { code: c.req.query("code") });
    });
    // A disk that gives no block, no memory, a lock that another session keeps, a statement that took too long.
    for (const code of ["58030", "53200", "53400", "55P03", "57014"])
      expect((await app.request(`/v1/shops?code=${code}`)).status, code).toBe(503);
  },
);
