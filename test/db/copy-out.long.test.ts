import { Socket } from "node:net";
import { Writable } from "node:stream";
import { sql } from "drizzle-orm";
import { expect, it, onTestFinished, vi } from "vitest";
import { copyOut } from "../../src/db/backup/snapshot.ts";
import { must } from "../../src/lib/must.ts";
import { openTransaction } from "../support/open-transaction.ts";
import { openedForAll } from "../support/opened.ts";
import { createTestDb } from "../support/postgres.ts";
import { until } from "../support/until.ts";

const test = openedForAll(createTestDb);

it.each(["is stopped", "fails"])(
  "a copy to a slow file that %s leaves no connection open, which would keep the process from ending",
  async (what) => {
    let snapshot = "";
    const leave = await openTransaction(test.db, async (tx) => {
      await tx.execute(sql`set transaction isolation level repeatable read`);
      const [row] = await tx.execute<{ id: string }>(sql`select pg_export_snapshot() as id`);
      snapshot = must(row, "a snapshot").id;
    });
    const applicationName = "kurabe:test-copy";
    const waits = () =>
      test.db.execute<{ port: number }>(sql`
        select client_port as port from pg_stat_activity where application_name = ${applicationName} and wait_event = 'ClientWrite'
          and datname = current_database()`);
    await waits();
    const connecting = vi.spyOn(Socket.prototype, "connect");
    onTestFinished(() => connecting.mockRestore());
    const stop = new AbortController();
    // It takes the first piece, and then nothing.
    const file = new Writable({ write() {} });
    const copied = copyOut(
      {
        url: test.url,
        applicationName,
        snapshot,
        statement: "copy (select repeat('x', 1000) from generate_series(1, 50000)) to stdout",
        signal: stop.signal,
      },
      [],
      () => file,
    ).catch((error: unknown) => error);
    const port = await until(async () => (await waits())[0]?.port, {
      what: "Postgres to wait for us",
    });
    // The pool of the test may have connected anew meanwhile.
    const sockets = connecting.mock.contexts as Socket[];
    const connection = must(
      sockets.find(({ localPort }) => localPort === port),
      "the connection of the copy",
    );
    expect(connection.destroyed).toBe(false);
    if (what === "fails") file.destroy(new Error(what));
    else stop.abort(what);
    expect(String(await copied)).toContain(what);
    await until(() => connection.destroyed, {
      what: "the connection to close",
      timeoutMs: 20_000,
    });
    await leave();
  },
);
