import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { barcodes, rewriteInSlices } from "../../src/catalog/upkeep/slices.ts";
import { readOffersOfProducts } from "../../src/matching/group-offers.ts";
import { readReview } from "../../src/matching/review/review.ts";
import { regroup } from "../../src/matching/upkeep/stored/group-rows.ts";
import type { SearchItem } from "../../src/storefront/product.ts";
import { storeItems } from "../support/catalog.ts";
import { decide, matchAll, offer, readGroups, withCode } from "../support/matching.ts";
import { openedForEach } from "../support/opened.ts";
import { createTestDb } from "../support/postgres.ts";
import { variation } from "../support/products.ts";

const JAN = "4901234567894";
const OTHER_JAN = "4912345678904";

const test = openedForEach(createTestDb);
let hour = 0;

async function match(...items: SearchItem[]): Promise<number[][]> {
  hour += 1;
  await storeItems(test.db, new Date(Date.UTC(2026, 0, 1, hour)).toISOString(), items);
  await matchAll(test.db);
  return readGroups(test.db);
}

const sony = (itemId: number, over?: Partial<SearchItem>) =>
  offer(itemId, "Sony WH-1000XM4 wireless headphones", over);

async function offersOf(...itemIds: number[]): Promise<number[][]> {
  const covered = await readOffersOfProducts(test.db, itemIds, 20);
  return covered.map(({ offers }) => offers.map(({ itemId }) => itemId));
}

describe("groups", () => {
  it("follow codes whatever the titles, unless the code is a placeholder", async () => {
    const items = [1, 2].map((id) => offer(id, `thing ${id}`, withCode(JAN)));
    expect(await match(...items)).toEqual([[1, 2]]);
    const ofOneShop = [3, 4, 5, 6, 7].map((id) =>
      offer(id, `other ${id}`, { ...withCode(JAN), shopId: "shop-3" }),
    );
    expect(await match(...ofOneShop)).toEqual([]);
    expect(await offersOf(1, 3)).toEqual([[1], [3]]);
    expect(await match(offer(7, "other 7", { shopId: "shop-3" }))).toEqual([[1, 2, 3, 4, 5, 6]]);
    expect(await offersOf(1)).toEqual([[1, 2, 3, 4, 5, 6]]);
  });

  it("keep volumes apart that a listing of all volumes has the codes of", async () => {
    const barcodes = [JAN, OTHER_JAN];
    const volumes = barcodes.map((barcode, i) => variation({ variation_id: i, barcode }));
    const volume = (itemId: number, barcode: string, shopId: string) =>
      offer(itemId, `manga ${itemId}`, { ...withCode(barcode), shopId });
    const groups = await match(
      offer(1, "manga, all volumes", { variations: volumes }),
      volume(2, JAN, "shop-2"),
      volume(3, OTHER_JAN, "shop-2"),
      volume(4, OTHER_JAN, "shop-4"),
    );
    expect(groups).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(await offersOf(3)).toEqual([[1, 3, 4]]);
  });

  it("follow the ISBN of ten digits, also of books that were stored before it was read", async () => {
    expect(
      await match(
        offer(1, "a book", withCode("4-591-16663-5")),
        offer(2, "その本", withCode("9784591166635")),
      ),
    ).toEqual([[1, 2]]);
    await test.db.execute(sql`update variation set gtin = null where item_id = 1`);
    await test.db.execute(sql`select match_mark_due('{1}')`);
    await matchAll(test.db);
    expect(await readGroups(test.db)).toEqual([]);
    await rewriteInSlices(test.db, new AbortController().signal, barcodes);
    await matchAll(test.db);
    expect(await readGroups(test.db)).toEqual([[1, 2]]);
  });

  it("keep a bottle apart from the case that has its barcode, unless people join them", async () => {
    const tea = (itemId: number, title: string, price: number) =>
      offer(itemId, title, { ...withCode(JAN), price });
    const groups = await match(
      tea(1, "伊右衛門 緑茶 500ml", 140),
      tea(2, "伊右衛門 緑茶 500ml×24本", 2480),
      tea(3, "サントリー 伊右衛門 500ml", 120),
      tea(4, "伊右衛門 500ml 1ケース(24本)", 2580),
    );
    expect(groups).toEqual([
      [1, 3],
      [2, 4],
    ]);
    expect(await offersOf(1, 4)).toEqual([
      [3, 1],
      [2, 4],
    ]);
    await decide(test.db, [1, 2], "same");
    await matchAll(test.db);
    expect(await offersOf(1)).toEqual([[3, 1, 2]]);
  });

  it("with one barcode and prices far apart wait for people", async () => {
    await match(
      sony(1, withCode(JAN)),
      sony(2, { ...withCode(JAN), price: 90_000 }),
      sony(3, withCode(JAN)),
    );
    expect(await readGroups(test.db)).toEqual([[1, 2, 3]]);
    const { items } = await readReview(test.db, { limit: 10 });
    expect(items.map(({ a, b }) => [a.itemId, b.itemId])).toEqual([
      [2, 3],
      [1, 2],
    ]);
  });

  it("do not follow numbers that each shop gives to goods of its own", async () => {
    const items = [1, 2].map((id) => offer(id, `thing ${id}`, withCode("2000000000015")));
    expect(await match(...items)).toEqual([]);
  });

  it("are formed without a look at all the products that share a placeholder", async () => {
    const ofOneShop = [1, 2, 3, 4, 5].map((id) =>
      offer(id, `other ${id}`, { ...withCode(JAN), shopId: "shop-3" }),
    );
    await match(...ofOneShop);
    expect(await test.db.transaction((tx) => regroup(tx, [1], new Date(), 1))).toEqual([]);
  });

  it("stay as they are where more hang together than can be read, and the others are formed", async () => {
    const chain = [1, 2, 3, 4, 5].map((id) => offer(id, `thing ${id}`, withCode(JAN)));
    const groups = await match(...chain, sony(8), sony(9));
    expect(groups).toEqual([
      [1, 2, 3, 4, 5],
      [8, 9],
    ]);
    await test.db.execute(sql`delete from group_member where item_id in (5, 8, 9)`);
    const left = await test.db.transaction((tx) => regroup(tx, [1, 8, 5], new Date(), 2));
    expect(left).toEqual([1, 5]);
    expect(await readGroups(test.db)).toEqual([
      [1, 2, 3, 4],
      [8, 9],
    ]);
  });

  it("never hold two products with different codes by likeness", async () => {
    expect(await match(sony(1, withCode(JAN)), sony(2, withCode(OTHER_JAN)))).toEqual([]);
    expect(await match(sony(2))).toEqual([[1, 2]]);
  });
});
