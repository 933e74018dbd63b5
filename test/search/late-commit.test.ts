import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { drain, fillProducts, createTestMirror } from "../support/mirror.ts";
import { openTransaction } from "../support/open-transaction.ts";
import { openedForEach } from "../support/opened.ts";

const test = openedForEach(createTestMirror);

describe("a transaction that stays open for long", () => {
  it("D11: is mirrored when it commits, although many later ones were mirrored before it", async () => {
    const mirror = test.start();
    await fillProducts(test.db, 1, 10);
    await drain(test.db, mirror, test.indexPrefix);
    const commit = await openTransaction(test.db, (tx) => fillProducts(tx, 11, 11));
    // More than the rows of the product counter: none waits for the one of the open transaction.
    for (let id = 20; id < 40; id += 1) {
      await fillProducts(test.db, id, id);
    }
    await drain(test.db, mirror, test.indexPrefix);
    expect((await test.documents()).has(39)).toBe(true);
    expect((await test.documents()).has(11)).toBe(false);
    await commit();
    await drain(test.db, mirror, test.indexPrefix);
    expect((await test.documents()).has(11)).toBe(true);
  });

  it("D11: is ended by the server when it stays idle", async () => {
    const [row] = await test.db.execute<{ ms: string }>(
      sql`select setting as ms from pg_settings where name = 'idle_in_transaction_session_timeout'`,
    );
    expect(Number(row?.ms)).toBe(10_000);
  });
});
