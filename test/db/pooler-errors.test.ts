import { createServer } from "node:net";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDb, type Db } from "../../src/db/open.ts";
import { databaseErrorCode, isOutage, isRefusal } from "../../src/db/transact.ts";
import { createTestApi } from "../support/api.ts";
import { createTestDb, type TestDb } from "../support/postgres.ts";

/** What pgbouncer tells a client while it cannot log in to its server, as one message of the protocol. */
function fatal(message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C08P01\0M${message}\0\0`);
  const head = Buffer.alloc(5);
  head.write("E");
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

let test: TestDb;
let pooled: { db: Db; close(): Promise<void> };
const pooler = createServer((socket) => {
  socket.on("error", () => undefined);
  socket.once("data", () => socket.end(fatal("server login has been failing, try again later")));
});

beforeAll(async () => {
  test = await createTestDb();
  await new Promise<void>((resolve) => pooler.listen(0, "127.0.0.1", resolve));
  const address = pooler.address();
  if (address === null || typeof address === "string") throw new Error("it listens on a port");
  pooled = openDb({
    url: `postgres://kurabe:secret@127.0.0.1:${address.port}/kurabe`,
    applicationName: "kurabe:test",
    maxConnections: 2,
    statementTimeoutMs: 5000,
  });
});
afterAll(async () => {
  await pooled.close();
  await new Promise((resolve) => pooler.close(resolve));
  await test.close();
});

const failureOf = (query: Promise<unknown>) =>
  query.then(
    () => null,
    (error: unknown) => error,
  );

describe("what a connection pooler says", () => {
  it("while its server is away is an outage, not a refusal: an answer is kept until it can be stored", async () => {
    const failure = await failureOf(pooled.db.execute(sql`select 1`));
    expect(databaseErrorCode(failure)).toBe("08P01");
    expect(isOutage(failure)).toBe(true);
    expect(isRefusal(failure)).toBe(false);
  });

  it("is answered as 503, with the time to come back", async () => {
    const answer = await createTestApi(pooled.db).get("/v1/products/1");
    expect(answer.status).toBe(503);
    expect(answer.headers.get("Retry-After")).toBe("5");
    expect(await answer.json()).toMatchObject({ code: "database_unavailable" });
  });

  it("with the same code for one statement, as Postgres does, is a refusal of that statement", async () => {
    const failure = await failureOf(test.db.$client.unsafe("select $1::int, $2::int", [1]));
    expect(databaseErrorCode(failure)).toBe("08P01");
    expect(isOutage(failure)).toBe(false);
    expect(isRefusal(failure)).toBe(true);
  });
});
