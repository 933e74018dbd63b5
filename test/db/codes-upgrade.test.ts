import { expect, it } from "vitest";
import { migrateDb } from "../../src/db/migrate.ts";
import { connect, databaseBefore } from "../support/database-before.ts";

it("barcodes that shops give to goods of their own are no GTINs any more, and their products are matched again", async () => {
  const url = await databaseBefore("shops_own_codes");
  const client = connect(url);
  const gtins = [
    "00000049012347",
    "00000020123451",
    "00000001234565",
    "00036000291452",
    "00200000000004",
    "00412345678903",
  ];
  const rows = [
    ...gtins,
    "01920979004603",
    "02000000000015",
    "04901234567894",
    "09784088831237",
  ].map((gtin, i) => ({
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
  expect(kept.map((row) => String(row.gtin))).toEqual([
    "00000049012347",
    "00036000291452",
    "04901234567894",
    "09784088831237",
  ]);
  const due = await client`select item_id::int as id from match_due order by item_id`;
  expect(due.map(({ id }) => Number(id))).toEqual([2, 3, 5, 6, 7, 8]);
});
