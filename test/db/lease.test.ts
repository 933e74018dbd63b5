import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { holdsLease, underLease } from "../../src/db/lease.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { openedForEach } from "../support/opened.ts";
import { createTestDb } from "../support/postgres.ts";

const test = openedForEach(createTestDb);

const holder = "00000000-0000-4000-8000-000000000001";

/** Blocks the event loop, as parsing something enormous does. */
function stall(ms: number): void {
  const untilMs = performance.now() + ms;
  while (performance.now() < untilMs);
}

describe("a lease", () => {
  it("P5: is not trusted after a stall of the event loop beyond its term, and its writes are refused", async () => {
    await test.db.execute(sql`create table written (n int)`);
    const request = { name: "work", holder, ttlMs: 1500 };
    await underLease(test.db, systemClock, request, async (lease) => {
      const write = () =>
        test.db.transaction(async (tx) => {
          const holds = await holdsLease(tx, lease);
          if (holds) await tx.execute(sql`insert into written values (1)`);
          return holds;
        });
      expect(await write()).toBe(true);
      stall(2500);
      expect(systemClock.monotonicMs()).toBeGreaterThan(lease.trustedUntilMs);
      expect(await write()).toBe(false);
    });
    expect(await test.db.execute(sql`select from written`)).toHaveLength(1);
  });
});
