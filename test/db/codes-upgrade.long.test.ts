import { expect, it } from "vitest";
import { migrateDb } from "../../src/db/migrate.ts";
import { connect, databaseBefore } from "../support/database-before.ts";

it("barcodes that shops give to goods of their own are no GTINs any more, and their products are matched again", async () => {
  const own = [
    "00000020123451",
    "00000001234565",
    "00200000000004",
    "00412345678903",
    "01920979004603",
    "02000000000015",
  ];
  const others = ["00000049012347", "00036000291452", "04901234567894", "09784088831237"];
  await expectCleared("shops_own_codes", own, others);
});

it("barcodes that shops type for want of a number are no GTINs any more, and their products are matched again", async () => {
  const fillers = [
    "01234567890128",
    "12345678901231",
    "00012345678905",
    "00000012345670",
    "09876543210982",
    "01111111111116",
    "00000099999995",
    "09999999999994",
  ];
  const others = ["00000030123458", "04006381333931", "04111111111113", "07777777777789"];
  await expectCleared("filler_barcodes", fillers, others);
});

/** The migration of this name clears some barcodes, and the products that had them are matched again. */
async function expectCleared(migration: string, cleared: string[], others: string[]) {
  const url = await databaseBefore(migration);
  const client = connect(url);
  const rows = [...cleared, ...others].map((gtin, i) => ({
    item_id: i + 1,
    variation_id: 1,
    variation: "",
    variation_stock: 1,
    gtin,
  }));
  await client.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`insert into variation ${tx(rows)}`;
  });
  await migrateDb(url);
  const kept = await client`select gtin from variation where gtin is not null order by gtin`;
  expect(kept.map((row) => String(row.gtin))).toEqual(others);
  const due = await client`select item_id::int as id from match_due order by item_id`;
  expect(due.map(({ id }) => Number(id))).toEqual(cleared.map((_, i) => i + 1));
}
