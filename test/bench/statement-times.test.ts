import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { createReport } from "../../src/bench/scale/report.ts";
import { watchTimes, type StatementTime } from "../../src/bench/scale/statements.ts";
import { must } from "../../src/lib/must.ts";
import { createTestDb, openPool } from "../support/postgres.ts";

it("kurabe bench scale tells a statement's time from its wait for a connection", async () => {
  const test = await createTestDb();
  const { db, close } = openPool(test.url, { maxConnections: 1 });
  try {
    const times = new Map<string, StatementTime>();
    watchTimes(db, (text, time) => times.set(text, time));
    await db.execute(sql`select 0`);
    await Promise.all([db.execute(sql`select pg_sleep(0.3)`), db.execute(sql`select 1`)]);
    await db.transaction(async (tx) => tx.execute(sql`select pg_sleep(0.2)`));
    const of = (text: string) => must(times.get(text), text);
    expect(of("select pg_sleep(0.3)").ms).toBeGreaterThanOrEqual(299);
    expect(of("select 1").waitedMs).toBeGreaterThanOrEqual(299);
    expect(of("select 1").ms).toBeLessThan(of("select 1").waitedMs);
    expect(of("select pg_sleep(0.2)").ms).toBeGreaterThanOrEqual(199);
  } finally {
    await close();
    await test.close();
  }
});

it("kurabe bench scale tells what a statement executes in memory from its wait for pages and from a busy bench", async () => {
  const report = createReport({ byText: new Map([["select 1", "a.ts read"]]), stop: () => {} });
  const busyMs = 4;
  const send = (ms: number, readMs: number, pages: number) => {
    const plan = { "Node Type": "Result", "Shared Read Blocks": pages };
    const text = { "Query Text": "select 1", Plan: { ...plan, "Shared I/O Read Time": readMs } };
    report.addPlan(`duration: ${ms} ms  plan:\n${JSON.stringify(text)}`);
    report.add("select 1", { ms: ms + busyMs, waitedMs: 0 });
  };
  send(100, 90, 5); // Before anything is measured.
  for (const [size, readMs] of [0, 30].entries()) {
    report.measure(size);
    for (const extraMs of [0, 1, 2]) send(10 + readMs + extraMs, readMs, 30 + size * 30);
  }
  const [row] = report.rows(2);
  expect(row?.sizes.map((cost) => cost?.p50Ms)).toEqual([15, 45]);
  expect(row?.sizes.map((cost) => cost?.inMemoryMs)).toEqual([11, 11]);
  expect(row?.growth).toEqual({ time: 45 / 15, inMemory: 1, pages: 2 });
});
