import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { orderChanges } from "../../src/catalog/changes/change-order.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { readMatchingStatus } from "../../src/matching/upkeep/stored/due.ts";
import type { SearchItem } from "../../src/storefront/product.ts";
import { storeItems } from "../support/catalog.ts";
import {
  createStep,
  decide,
  groupOf,
  matchAll,
  offer,
  readGroups,
  withCode,
} from "../support/matching.ts";
import { openedForEach } from "../support/opened.ts";
import { createTestDb } from "../support/postgres.ts";

const JAN = "4901234567894";

const test = openedForEach(createTestDb);
let hour = 0;

async function store(...items: SearchItem[]): Promise<void> {
  hour += 1;
  const at = new Date(Date.UTC(2026, 0, 1, hour)).toISOString();
  await storeItems(test.db, at, items);
}

async function match(...items: SearchItem[]): Promise<number[][]> {
  if (items.length > 0) await store(...items);
  await matchAll(test.db);
  return readGroups(test.db);
}

const sony = (itemId: number, over?: Partial<SearchItem>) =>
  offer(itemId, "Sony WH-1000XM4 wireless headphones", over);
const bose = (itemId: number, over?: Partial<SearchItem>) =>
  offer(itemId, "Bose QC45-8669 comfort headphones", over);

async function dueNow(): Promise<number[]> {
  const rows = await test.db.execute<{ item_id: number }>(sql`
    select item_id from match_due order by item_id`);
  return rows.map(({ item_id }) => item_id);
}

describe("the products that are due", () => {
  it("are those whose title, price step, category, codes or life changed", async () => {
    const item = sony(1, { price: 1000 });
    await match(item);
    const changes: Partial<SearchItem>[] = [
      { title: "Sony WH-1000XM5" },
      { price: 1400 },
      { categories: ["audio"] },
      withCode(JAN),
    ];
    for (const change of changes) {
      await store({ ...item, ...change });
      expect(await dueNow()).toEqual([1]);
      await matchAll(test.db);
      expect(await dueNow()).toEqual([]);
      await match(item);
    }
    await test.db.execute(sql`
      update product set state = 'gone', ver = ver + 1, deleted_at = now(), deleted_call_id = 1`);
    expect(await dueNow()).toEqual([1]);
  });

  it("are none after a change of stock or a small change of price", async () => {
    await match(sony(1, { ...withCode(JAN), price: 1000 }));
    await store(sony(1, { ...withCode(JAN), price: 1010, stock: 77 }));
    expect(await dueNow()).toEqual([]);
  });

  it("stay due when they change while they are matched", async () => {
    await store(sony(1), sony(2));
    const step = createStep(test.db);
    await step();
    await step();
    await test.db.execute(sql`
      create function change_while_matched() returns trigger language plpgsql as $$
      begin perform match_mark_due(array[new.item_id]); return null; end $$`);
    await test.db.execute(sql`
      create trigger change_while_matched after insert on group_member for each row execute function change_while_matched()`);
    await step();
    expect(await dueNow()).toEqual([1, 2]);
    await test.db.execute(sql`drop trigger change_while_matched on group_member`);
    await matchAll(test.db, step);
    expect(await dueNow()).toEqual([]);
  });
});

describe("groups", () => {
  it("join titles that say the same in two scripts", async () => {
    expect(
      await match(
        offer(1, "スタンレー クラシック ボトル 1L"),
        offer(2, "STANLEY Classic Bottle 1.0L"),
        offer(3, "ハイドロフラスク ワイド ボトル 1L"),
      ),
    ).toEqual([[1, 2]]);
  });

  it("hold offers of the same model in several shops, and what their titles tell is stored", async () => {
    expect(
      await match(sony(1), sony(2), sony(3), bose(4), bose(5), offer(6, "leather wallet")),
    ).toEqual([
      [1, 2, 3],
      [4, 5],
    ]);
    const [row] = await test.db.execute(sql`
      select to_json(models) as models from product_attribute where item_id = 1`);
    expect(row).toEqual({ models: ["wh1000xm4"] });
  });

  it("never hold two offers of one shop by likeness", async () => {
    expect(await match(sony(1), sony(2), sony(3, { shopId: "shop-1" }))).toHaveLength(1);
    expect((await readGroups(test.db))[0]).toHaveLength(2);
  });

  it("never hold two variants, also where a third product says nothing of it", async () => {
    const black = sony(1, { title: "Sony WH-1000XM4 wireless headphones black" });
    const silver = sony(3, { title: "Sony WH-1000XM4 wireless headphones silver" });
    await match(black, sony(2), silver);
    const apart = async () => (await groupOf(test.db, 1)) !== (await groupOf(test.db, 3));
    expect(await readGroups(test.db)).toHaveLength(1);
    expect(await apart()).toBe(true);
    // People and codes know better.
    await decide(test.db, [1, 3], "same");
    expect(await match()).toEqual([[1, 2, 3]]);
    await decide(test.db, [1, 3], "undone");
    await match();
    expect(await apart()).toBe(true);
    await match(sony(3, { title: "Sony WH-1000XM4 wireless headphones Black" }));
    expect(await readGroups(test.db)).toEqual([[1, 2, 3]]);
  });

  it("hold the next likeliest offer of a shop when people refuse the likeliest one", async () => {
    const shop = { shopId: "shop-b", shopName: "shop-b" };
    const other = sony(3, { ...shop, title: "Sony headphones WH-1000XM4 wireless, over-ear" });
    expect(await match(sony(1), sony(2, shop), other)).toEqual([[1, 2]]);
    await decide(test.db, [1, 2], "different");
    expect(await match()).toEqual([[1, 3]]);
    await decide(test.db, [1, 2], "undone");
    expect(await match()).toEqual([[1, 2]]);
  });

  it("hold offers without a model if their titles say the same, content included", async () => {
    const juice = (itemId: number, title: string) => offer(itemId, title, { price: 300 });
    const items = [
      juice(1, "Rauch Happy Day Orangensaft 1l"),
      juice(2, "RAUCH Happy Day Orangensaft 1000 ml"),
      juice(3, "Rauch Happy Day Orangensaft 0,5 l"),
      juice(4, "Rauch Happy Day Marillensaft 1 l"),
      // Nothing says how much: names of things made by hand are alike.
      juice(5, "Happy cat key ring"),
      juice(6, "Happy cat key ring"),
    ];
    expect(await match(...items)).toEqual([[1, 2]]);
    const kinds = await test.db.execute(sql`select distinct kind from group_member`);
    expect([...kinds]).toEqual([{ kind: "text" }]);
  });

  it("lose deleted products, and end with their last pair", async () => {
    await match(sony(1), sony(2), sony(3));
    const groupId = await groupOf(test.db, 1);
    const remove = (id: number) =>
      test.db.execute(sql`
        update product set state = 'gone', ver = ver + 1, deleted_at = '2026-01-01', deleted_call_id = 1 where item_id = ${id}`);
    await remove(2);
    expect(await match()).toEqual([[1, 3]]);
    expect(await groupOf(test.db, 1)).toBe(groupId);
    await remove(3);
    expect(await match()).toEqual([]);
    const [group] = await test.db.execute(sql`
      select members, merged_into, ended_at is not null as has_ended from product_group`);
    expect(group).toEqual({ members: 0, merged_into: null, has_ended: true });
    // A product that was away for a while, and another offer of the same, find the group under its address again.
    expect(await match(sony(2))).toEqual([[1, 2]]);
    expect(await groupOf(test.db, 1)).toBe(groupId);
    await remove(2);
    await match();
    expect(await match(sony(4), bose(5), bose(6))).toEqual([
      [1, 4],
      [5, 6],
    ]);
    expect(await groupOf(test.db, 1)).toBe(groupId);
    expect(await groupOf(test.db, 5)).not.toBe(groupId);
    const [alive] = await test.db.execute(sql`
      select members, ended_at from product_group where group_id = ${groupId}`);
    expect(alive).toEqual({ members: 2, ended_at: null });
  });

  it("keep the larger part's id when they merge, and the other leads there", async () => {
    await match(sony(1), sony(2), sony(3), bose(4), bose(5));
    const [large, small] = [await groupOf(test.db, 1), await groupOf(test.db, 4)];
    await decide(test.db, [3, 4], "same");
    expect(await match()).toEqual([[1, 2, 3, 4, 5]]);
    expect(await groupOf(test.db, 5)).toBe(large);
    const [merged] = await test.db.execute(sql`
      select merged_into, members from product_group where group_id = ${small}`);
    expect(merged).toEqual({ merged_into: large, members: 0 });
    await decide(test.db, [3, 4], "undone");
    expect(await match()).toEqual([
      [1, 2, 3],
      [4, 5],
    ]);
    expect(await groupOf(test.db, 1)).toBe(large);
  });

  it("link nothing by likeness in a refused category, and again when it is allowed", async () => {
    const goods = { categories: ["audio"] };
    await match(sony(1, goods), sony(2, goods));
    const set = (isLinked: boolean) =>
      test.db.execute(sql`
        insert into match_category (category, threshold, is_linked, reason, labelled_pairs, model_version, estimated_at)
        values ('audio', 0.8, ${isLinked}, 'test', 0, 1, now())
        on conflict (category) do update set is_linked = excluded.is_linked`);
    await set(false);
    expect(await match()).toEqual([]);
    await set(true);
    expect(await match()).toEqual([[1, 2]]);
  });
});

describe("those who follow", () => {
  /** Applies the log of groups as `infra` describes it. */
  async function replay(): Promise<number[][]> {
    const rows = await test.db.execute<{
      kind: string;
      group_id: number;
      other_group_id: number | null;
      item_ids: number[];
    }>(
      sql`select kind, group_id, other_group_id, to_json(item_ids) as item_ids from group_change order by id`,
    );
    const membership = new Map<number, number>();
    for (const { kind, group_id, other_group_id, item_ids } of rows) {
      for (const itemId of item_ids) {
        if (kind === "left" || kind === "dissolved") membership.delete(itemId);
        else membership.set(itemId, other_group_id ?? group_id);
      }
    }
    const groups = new Map<number, number[]>();
    for (const [itemId, groupId] of [...membership].toSorted(([a], [b]) => a - b)) {
      groups.set(groupId, [...(groups.get(groupId) ?? []), itemId]);
    }
    return [...groups.values()].toSorted((a, b) => (a[0] ?? 0) - (b[0] ?? 0));
  }

  it("the log of groups end with the same members", async () => {
    await match(sony(1), sony(2), bose(3), bose(4), sony(5), bose(6));
    expect(await replay()).toEqual(await readGroups(test.db));
    await decide(test.db, [2, 3], "same");
    await match(bose(1));
    expect(await replay()).toEqual(await readGroups(test.db));
    await decide(test.db, [2, 3], "different");
    await match(offer(6, "another thing"));
    expect(await replay()).toEqual(await readGroups(test.db));
  });

  it("changes of products hear of each product whose group changed", async () => {
    await match(sony(1), sony(2));
    await orderChanges(test.db, systemClock);
    const [head] = await test.db.execute<{ position: number }>(
      sql`select position from change_head`,
    );
    await match(sony(3));
    await orderChanges(test.db, systemClock);
    const told = await test.db.execute(sql`
      select item_id, kind from product_change where position > ${head?.position ?? 0} order by position`);
    expect(told.map(({ item_id, kind }) => `${String(item_id)} ${String(kind)}`)).toEqual([
      "3 added",
      // Its title was read.
      "3 changed",
      "1 changed",
      "2 changed",
      "3 changed",
    ]);
  });
});

describe("a product that cannot be matched", () => {
  it("is set aside, and the others are matched", async () => {
    await test.db.execute(sql`
      create function refuse() returns trigger language plpgsql as $$
      begin if new.item_id = 2 then raise 'poison'; end if; return new; end $$`);
    await test.db.execute(sql`
      create trigger refuse before insert on match_item for each row execute function refuse()`);
    expect(await match(sony(1), sony(2), sony(3))).toEqual([[1, 3]]);
    expect(await readMatchingStatus(test.db)).toEqual({ due: 1, failing: 1, lagSeconds: 0 });
    await test.db.execute(sql`drop trigger refuse on match_item`);
    expect(await match(sony(2, { detail: "new" }))).toEqual([[1, 2, 3]]);
  });
});
