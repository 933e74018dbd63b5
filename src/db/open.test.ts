import { expect, it } from "vitest";
import { openDb } from "./open.ts";

it.each([
  ["postgres://kurabe:secret@[::1]:24001/six", "::1", 24_001],
  ["postgres://kurabe:secret@[2001:db8::7]/six", "2001:db8::7", 5432],
  ["postgres://kurabe:secret@127.0.0.1:5433/four", "127.0.0.1", 5433],
  ["postgresql://[::1]?application_name=x", "::1", 5432],
  ["postgres://kurabe:secret@db.example/name", "db.example", 5432],
  ["postgres://kurabe:secret@one:5433,two:5434/name", ["one", "two"], [5433, 5434]],
])("%s leads to its host and port", async (url, host, port) => {
  const { db, close } = openDb({
    url,
    applicationName: "kurabe:test",
    maxConnections: 1,
    statementTimeoutMs: 1000,
  });
  const { options } = db.$client;
  expect([options.host, options.port]).toEqual([[host].flat(), [port].flat()]);
  await close();
});
