import { Hono } from "hono";
import { expect, it } from "vitest";
import { createLogger, silentLogger } from "../../../lib/logger.ts";
import type { ApiEnv } from "../deps.ts";
import { createFailureHandler } from "./failures.ts";
import { createMeiliFailureHandler } from "./instantsearch-problem.ts";
import { Problem } from "./problem.ts";

it.each([
  ["the API", createFailureHandler],
  ["/meili", createMeiliFailureHandler],
])(
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

it("a disk that gives the database no block is an outage, and not a fault of ours", async () => {
  const app = new Hono<ApiEnv>();
  app.onError(createFailureHandler(silentLogger));
  app.use(() => {
    throw Object.assign(new Error("could not read blocks 5..5"), { code: "58030" });
  });
  expect((await app.request("/v1/shops")).status).toBe(503);
});
