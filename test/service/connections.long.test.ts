import { sql } from "drizzle-orm";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import { startSandbox } from "../../src/sandbox/server.ts";
import { killStarted } from "../support/processes.ts";
import { startWholeKurabe } from "../support/whole-kurabe.ts";

afterEach(killStarted);

describe("the connections of a process", () => {
  it("are never more than stated, however many requests there are", async () => {
    const upstream = await startSandbox({ clock: systemClock, live: true, products: 60 });
    onTestFinished(upstream.close);
    const { test, url } = await startWholeKurabe(upstream, {
      DATABASE_CONNECTIONS: "16",
    });
    let most = 0;
    const count = async () => {
      const [row] = await test.db.execute<{ n: number }>(sql`
        select count(*)::int as n from pg_stat_activity
        where datname = current_database() and application_name like 'kurabe:%' and application_name <> 'kurabe:test'`);
      most = Math.max(most, row?.n ?? 0);
    };
    for (let round = 0; round < 10; round += 1) {
      const requests = Array.from({ length: 60 }, (_, n) =>
        fetch(`${url}/v1/products?q=${n % 2 ? "革" : ""}&offset=${round * 60 + n}`).then((one) =>
          one.text(),
        ),
      );
      await count();
      await Promise.all(requests);
    }
    expect(most).toBeGreaterThan(4);
    expect(most).toBeLessThanOrEqual(16);
  }, 120_000);
});
