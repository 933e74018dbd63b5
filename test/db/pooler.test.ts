import { connect, createServer, type Server } from "node:net";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Db } from "../../src/db/open.ts";
import { databaseErrorCode, isOutage, isRefusal } from "../../src/db/transact.ts";
import { must } from "../../src/lib/must.ts";
import { createTestApi } from "../support/api.ts";
import { listenOnLoopback } from "../support/loopback.ts";
import { createTestDb, openPool, type TestDb } from "../support/postgres.ts";

/** What pgbouncer 1.18 tells a client while it cannot log in to its server: a message of three fields, without "V". */
function fatal(message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0C08P01\0M${message}\0\0`);
  const head = Buffer.alloc(5);
  head.write("E");
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

let test: TestDb;
const cleanups: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  test = await createTestDb();
});
afterAll(async () => {
  for (const cleanup of cleanups.toReversed()) await cleanup();
  await test.close();
});

/** A pool whose connections lead to this server. */
async function openThrough(server: Server): Promise<Db> {
  const { port } = await listenOnLoopback(server);
  const { db, close } = openPool(
    Object.assign(new URL(test.url), { host: `127.0.0.1:${port}` }).href,
    { maxConnections: 2, statementTimeoutMs: 5000, pooled: true },
  );
  cleanups.push(() => new Promise((resolve) => server.close(resolve)), close);
  return db;
}

const closedForNow = () =>
  createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => socket.end(fatal("server login has been failing, try again later")));
  });

/** The types of the whole messages in these bytes, and what follows them. */
function* messagesIn(bytes: Buffer): Generator<{ type: string; end: number }> {
  for (let at = 0; at + 5 <= bytes.length;) {
    const end = at + 1 + bytes.readInt32BE(at + 1);
    if (end > bytes.length) return;
    yield { type: bytes.toString("latin1", at, at + 1), end };
    at = end;
  }
}

/** Reads the messages of one direction as they come; `untyped` bytes at the beginning have no type. */
function createReader(onMessage: (type: string) => void, hasUntyped: boolean) {
  let rest = Buffer.alloc(0);
  let isUntyped = hasUntyped;
  return (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    if (isUntyped) {
      rest = rest.subarray(rest.readInt32BE(0));
      isUntyped = false;
    }
    let read = 0;
    for (const { type, end } of messagesIn(rest)) {
      onMessage(type);
      read = end;
    }
    rest = rest.subarray(read);
  };
}

/** Leads to Postgres, and notes each message that is sent while the statement before is not answered. */
function watchOrder(early: string[], seen: { statements: number }): Server {
  const to = new URL(test.url);
  return createServer((client) => {
    const server = connect(Number(to.port), to.hostname);
    let awaited = 0;
    const ofClient = createReader((type) => {
      if (awaited > 0 && type !== "X") early.push(type);
      if (type === "Q" || type === "S") {
        awaited += 1;
        seen.statements += 1;
      }
    }, true);
    const ofServer = createReader((type) => {
      if (type === "Z" && awaited > 0) awaited -= 1;
    }, false);
    for (const socket of [client, server]) socket.on("error", () => undefined);
    client.on("data", (chunk) => (ofClient(chunk), server.write(chunk)));
    server.on("data", (chunk) => (ofServer(chunk), client.write(chunk)));
    client.on("close", () => server.destroy());
    server.on("close", () => client.destroy());
  });
}

const failureOf = (query: Promise<unknown>) =>
  query.then(
    () => null,
    (error: unknown) => error,
  );

describe("what a connection pooler says", () => {
  it("while its server is away is an outage, not a refusal: an answer is kept until it can be stored", async () => {
    const failure = await failureOf((await openThrough(closedForNow())).execute(sql`select 1`));
    expect(databaseErrorCode(failure)).toBe("08P01");
    expect(isOutage(failure)).toBe(true);
    expect(isRefusal(failure)).toBe(false);
  });

  it("is answered as 503, with the time to come back", async () => {
    const answer = await createTestApi(await openThrough(closedForNow())).get("/v1/products/1");
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

describe("statements through a pooler", () => {
  it("each wait for the answer to the one before: the pooler then gives its server to others", async () => {
    const early: string[] = [];
    const seen = { statements: 0 };
    const db = await openThrough(watchOrder(early, seen));
    const numbers = Array.from({ length: 30 }, (_, i) => i);
    const inTransaction = (n: number) =>
      db.transaction(async (tx) => {
        const both = [tx.execute(sql`select ${n}::int as n`), tx.execute(sql`select 1`)] as const;
        return (await Promise.all(both))[0];
      });
    const kinds = [
      inTransaction,
      (n: number) => db.execute<{ n: number }>(sql`select ${n}::int as n`),
      (n: number) => db.execute<{ n: number }>(sql.raw(`select ${n} as n`)),
    ];
    const rows = await Promise.all(
      numbers.map((n) => must(kinds[n % 3], "a kind of statement")(n)),
    );
    expect(rows.map(([row]) => row?.n)).toEqual(numbers);
    expect(seen.statements).toBe(20 + 10 * 4);
    expect(early).toEqual([]);
  });
});
