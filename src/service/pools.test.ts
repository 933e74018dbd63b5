import { describe, expect, it } from "vitest";
import { answerWithinMs } from "../api/app.ts";
import { allotPools, fewestConnections, type PoolName } from "./pools.ts";

const api: readonly PoolName[] = ["jobs", "api", "api-writes", "search", "ops"];
const worker: readonly PoolName[] = ["jobs", "mirror", "crawl", "exports", "progress"];

describe("the pools of a process", () => {
  it.each([
    ["an API", { api: true, worker: false }, api],
    ["a worker", { api: false, worker: true }, worker],
    ["both", { api: true, worker: true }, [...new Set([...api, ...worker])]],
  ] as const)(
    "of %s open no more connections than stated, and each opens some",
    (_, roles, open) => {
      for (let total = fewestConnections; total <= 200; total += 1) {
        const limits = allotPools(total, roles);
        const sizes = open.map((name) => limits[name].maxConnections);
        expect(sizes.reduce((a, b) => a + b)).toBeLessThanOrEqual(total);
        expect(Math.min(...sizes)).toBeGreaterThan(0);
      }
    },
  );

  it("of the API give up a statement before its answer is given up", () => {
    const limits = allotPools(24, { api: true, worker: false });
    for (const name of ["api", "api-writes", "search", "ops"] as const) {
      expect(limits[name].statementTimeoutMs).toBeLessThan(answerWithinMs);
    }
  });

  it("give the most to reads of the API, then to the crawler", () => {
    const { api: reads, crawl, ops } = allotPools(24, { api: true, worker: true });
    expect([reads.maxConnections, crawl.maxConnections, ops.maxConnections]).toEqual([4, 3, 2]);
  });
});
