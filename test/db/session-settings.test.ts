import { sql } from "drizzle-orm";
import { describe, expect, it, onTestFinished } from "vitest";
import { createTestDb, openPool } from "../support/postgres.ts";

describe("settings of a session", () => {
  it.each([false, true])(
    "that role and database have other defaults for do no harm (pooled: %s)",
    async (pooled) => {
      const test = await createTestDb();
      onTestFinished(test.close);
      const name = sql.identifier(new URL(test.url).pathname.slice(1));
      await test.db.execute(sql`alter database ${name} set datestyle = 'SQL, DMY'`);
      await test.db.execute(sql`alter database ${name} set standard_conforming_strings = off`);
      if (!pooled) {
        await test.db.execute(sql`alter database ${name} set transaction_timeout = '1ms'`);
        await test.db.execute(sql`alter database ${name} set idle_session_timeout = '1ms'`);
      }
      const { db, close } = openPool(test.url, { pooled, maxConnections: 1 });
      onTestFinished(close);
      const session = () => db.execute(sql`select pg_backend_pid()`);
      const before = await session();
      await db.transaction(async (tx) => {
        await tx.execute(sql`select pg_sleep(0.05)`);
        const [read] = await tx.execute(sql`
          select date '2026-03-02' as day, timestamptz '2026-03-02T01:02:03Z' as at, '\\x41' as text`);
        expect(read).toEqual({ day: "2026-03-02", at: "2026-03-02 01:02:03+00", text: "\\x41" });
      });
      await test.db.execute(sql`select pg_sleep(0.05)`);
      expect(await session()).toEqual(before);
    },
  );
});
