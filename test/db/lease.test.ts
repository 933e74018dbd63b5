import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { holdsLease, releaseLease, takeLease, underLease } from "../../src/db/lease.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { must } from "../../src/lib/must.ts";
import { createTestClock } from "../support/clock.ts";
import { openedForEach } from "../support/opened.ts";
import { createTestDb } from "../support/postgres.ts";
import { until } from "../support/until.ts";

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

  it("P5: is lost, and free at once, where another process had it between two renewals", async () => {
    const clock = createTestClock();
    const request = { name: "work", holder, ttlMs: 30_000 };
    const other = { ...request, holder: "00000000-0000-4000-8000-000000000002" };
    await underLease(test.db, clock, request, async (_lease, lost) => {
      await test.db.execute(sql`update lease set expires_at = now() - interval '1 s'`);
      const taken = must(await takeLease(test.db, clock, other), "the lease");
      await releaseLease(test.db, taken);
      await clock.advance(request.ttlMs / 3);
      await until(() => lost.aborted, { what: "the lease to be lost", timeoutMs: 5000 });
      await until(() => takeLease(test.db, clock, other), {
        what: "a free lease",
        timeoutMs: 5000,
      });
    });
  });

  it("P5: of a killed process ends after its term, although the database's clock was set back an hour meanwhile", async () => {
    const request = { name: "work", holder, ttlMs: 1500 };
    const killed = await takeLease(test.db, systemClock, request);
    await test.db.execute(sql`update lease set expires_at = expires_at + interval '1 h'`);
    const other = { ...request, holder: "00000000-0000-4000-8000-000000000002" };
    const beganMs = systemClock.monotonicMs();
    expect(await takeLease(test.db, systemClock, other)).toBeNull();
    await until(async () => (await takeLease(test.db, systemClock, other)) !== null, {
      what: "the lease",
    });
    // The former holder may live, and trusts the lease for so long.
    expect(systemClock.monotonicMs() - beganMs).toBeGreaterThan(1400);
    expect(killed?.epoch).toBe(1);
  });
});
