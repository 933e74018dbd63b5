import { sql } from "drizzle-orm";
import { expect, it, onTestFinished } from "vitest";
import { openDb } from "../open.ts";
import { readFromReplica } from "./reads.ts";

function openServer(answer: () => Promise<unknown[]>) {
  const { db, close } = openDb({
    url: "postgres://nobody@127.0.0.1:1/none",
    applicationName: "kurabe:test",
    maxConnections: 1,
    statementTimeoutMs: 1000,
  });
  onTestFinished(close);
  Object.assign(db.$client, { unsafe: answer });
  return db;
}

it.each(["58030", "53200", "53400"])(
  "what the replica's machine fails with (%s) is read from the primary",
  async (code) => {
    const primary = openServer(() => Promise.resolve([{ from: "primary" }]));
    const replica = openServer(() =>
      Promise.reject(Object.assign(new Error("of the disk"), { code })),
    );
    const db = readFromReplica(primary, replica, {
      look: () => Promise.resolve(1000),
      isUsed: () => true,
      completeToMs: () => null,
      fail: () => {},
      failed: () => new AbortController().signal,
      catchUp: () => Promise.resolve(),
    });
    expect(await db.execute(sql`select 1`)).toEqual([{ from: "primary" }]);
  },
);
