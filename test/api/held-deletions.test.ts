import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { settleAbsences } from "../../src/catalog/observing/deletions.ts";
import { defaultLossBounds } from "../../src/catalog/observing/loss-guard.ts";
import { enterConsole } from "../support/console-sign-in.ts";
import { storeItems } from "../support/catalog.ts";
import { clock, opsApiForAll } from "../support/ops-api.ts";
import { searchItem } from "../support/products.ts";
import { itLong } from "../support/it-long.ts";

const test = opsApiForAll();
const { ops } = test;

interface Held {
  held: number;
  guard: { tripped_at: string | null; deleted: number };
  shops: { shop_id: string; held: number }[];
  items: { item_id: number }[];
  next: number | null;
}

const pot = (id: number) => searchItem(id, { shopId: "shop-2", shopName: "<b>器</b>" });
const secondsAgo = (seconds: number) => new Date(clock.now().getTime() - seconds * 1000);
const idsOf = (body: Held) => body.items.map((item) => item.item_id);
const status = async (id: number) => (await test.api.get(`/v1/products/${id}`)).status;

/** Products 1 to 3 of shop-1 and 11 to 12 of shop-2 are not found any more, which is too much at once. */
beforeEach(async () => {
  await test.db.execute(sql`delete from held_deletion`);
  await test.db.execute(sql`update loss_guard set tripped_at = null`);
  await test.db.execute(sql`delete from deletion_count`);
  await test.db.execute(
    sql`update product set state = 'live', deleted_at = null, deleted_call_id = null where state <> 'live'`,
  );
  await storeItems(test.db, secondsAgo(7200).toISOString(), [
    ...[1, 2, 3, 4].map((id) => searchItem(id)),
    ...[11, 12].map(pot),
  ]);
  await test.db.execute(
    sql`update product set checked_at = ${secondsAgo(7200).toISOString()} where item_id < 100`,
  );
  const bounds = { ...defaultLossBounds, count: 0, share: 0 };
  for (const [shopId, asked, callId] of [
    ["shop-1", [1, 2, 3, 4], 101],
    ["shop-2", [4, 11, 12], 102],
  ] as const) {
    const sighting = { callId, sentAt: secondsAgo(60) };
    const answer = { shopId, asked, returned: [4], anonymous: false, confirmsEmpty: true };
    await test.db.transaction((tx) => settleAbsences(tx, sighting, answer, bounds));
  }
});

describe("held deletions", () => {
  it("B4: lists what is held, page by page, with title, shop, call and times", async () => {
    const first = await ops<Held>(200, "GET", "/deletions?limit=2");
    expect(first).toMatchObject({
      held: 5,
      guard: { tripped_at: "2026-01-01T00:59:00Z", deleted: 0 },
      shops: [
        { shop_id: "shop-1", held: 3 },
        { shop_id: "shop-2", held: 2 },
      ],
      next: 2,
    });
    expect(first.items[0]).toEqual({
      item_id: 1,
      title: "手作りの革財布 1",
      shop: { shop_id: "shop-1", shop_name: "革工房" },
      call_id: 101,
      proven_at: "2026-01-01T00:59:00Z",
      held_at: "2026-01-01T00:59:00Z",
      checked_at: "2025-12-31T23:00:00Z",
    });
    const second = await ops<Held>(200, "GET", "/deletions?limit=2&after=2");
    expect([idsOf(second), second.next]).toEqual([[3, 11], 11]);
    const last = await ops<Held>(200, "GET", "/deletions?limit=2&after=11");
    expect([idsOf(last), last.next]).toEqual([[12], null]);
    const ofShop = await ops<Held>(200, "GET", "/deletions?shop_id=shop-2&limit=2");
    expect([idsOf(ofShop), ofShop.next]).toEqual([[11, 12], null]);
    expect(await ops(400, "GET", "/deletions?after=x")).toMatchObject({
      errors: [{ parameter: "after" }],
    });
  });

  it("B4: release deletes as of the call that proved it, and ends the guard", async () => {
    expect(await ops(200, "POST", "/deletions/release")).toEqual({ released: 5 });
    const gone = await test.api.get("/v1/products/1");
    expect(gone.status).toBe(410);
    expect(await gone.json()).toMatchObject({ gone_at: "2026-01-01T00:59:00Z" });
    expect(await status(4)).toBe(200);
    const { held, guard } = await ops<Held>(200, "GET", "/deletions");
    expect([held, guard.tripped_at]).toEqual([0, null]);
  });

  it("B4: discard keeps the products and ends the guard", async () => {
    expect(await ops(200, "POST", "/deletions/discard")).toEqual({ discarded: 5 });
    expect([await status(1), await status(11)]).toEqual([200, 200]);
    const { held, guard } = await ops<Held>(200, "GET", "/deletions");
    expect([held, guard.tripped_at]).toEqual([0, null]);
  });

  it("B4: a shop or single products can be decided on; the guard stays up for the rest", async () => {
    const shop = { shop_id: "shop-2" };
    expect(await ops(200, "POST", "/deletions/release", shop)).toEqual({ released: 2 });
    const some = { item_ids: [1, 4] };
    expect(await ops(200, "POST", "/deletions/discard", some)).toEqual({ discarded: 1 });
    const left = await ops<Held>(200, "GET", "/deletions");
    expect([idsOf(left), left.guard.tripped_at]).toEqual([[2, 3], "2026-01-01T00:59:00Z"]);
    expect([await status(1), await status(2), await status(11)]).toEqual([200, 200, 410]);
    await ops(200, "POST", "/deletions/release", { item_ids: [2, 3] });
    expect((await ops<Held>(200, "GET", "/deletions")).guard.tripped_at).toBeNull();
    const { items } = await ops<{ items: object[] }>(200, "GET", "/audit");
    expect(items.slice(0, 3)).toMatchObject([
      { action: "release_deletions", outcome: "done", detail: { item_ids: [2, 3] } },
      { action: "discard_deletions", outcome: "done", detail: { item_ids: [1, 4] } },
      { action: "release_deletions", outcome: "done", detail: { shop_id: "shop-2" } },
    ]);
  });

  it("B4: a decision about a shop that was never seen is refused, and about one without held deletions is none", async () => {
    const unknown = { shop_id: "shop-9" };
    for (const decision of ["release", "discard"]) {
      expect(await ops(404, "POST", `/deletions/${decision}`, unknown)).toMatchObject({
        code: "shop_not_found",
        detail: "no shop with this shop_id has ever been seen",
      });
    }
    expect((await ops<Held>(200, "GET", "/deletions")).held).toBe(5);
    await ops(200, "POST", "/deletions/release", { shop_id: "shop-2" });
    expect(await ops(200, "POST", "/deletions/release", { shop_id: "shop-2" })).toEqual({
      released: 0,
    });
  });

  it("B4: a decision about nothing that is held leaves the guard up", async () => {
    await storeItems(
      test.db,
      clock.now().toISOString(),
      [1, 2, 3].map((id) => searchItem(id)),
    );
    await storeItems(test.db, clock.now().toISOString(), [11, 12].map(pot));
    expect(await ops(200, "POST", "/deletions/release", { item_ids: [1] })).toEqual({
      released: 0,
    });
    const { held, guard } = await ops<Held>(200, "GET", "/deletions");
    expect([held, guard.tripped_at]).toEqual([0, "2026-01-01T00:59:00Z"]);
    await ops(200, "POST", "/deletions/discard");
    expect((await ops<Held>(200, "GET", "/deletions")).guard.tripped_at).toBeNull();
  });

  itLong("B4: decides about more than one transaction takes, as one action", async () => {
    const items = Array.from({ length: 2300 }, (_, i) => searchItem(2000 + i));
    await storeItems(test.db, secondsAgo(7200).toISOString(), items);
    const sighting = { callId: 104, sentAt: secondsAgo(30) };
    const asked = [4, ...items.map((item) => item.itemId)];
    const answer = { shopId: "shop-1", asked, returned: [4], anonymous: false };
    await test.db.transaction((tx) =>
      settleAbsences(tx, sighting, { ...answer, confirmsEmpty: true }),
    );
    const audited = async () => (await test.db.execute(sql`select from ops_audit`)).length;
    const before = await audited();
    expect(await ops(200, "POST", "/deletions/discard", { shop_id: "shop-1" })).toEqual({
      discarded: 2303,
    });
    expect(await audited()).toBe(before + 1);
    const { held, guard } = await ops<Held>(200, "GET", "/deletions");
    expect([held, guard.tripped_at]).toEqual([2, "2026-01-01T00:59:00Z"]);
  });

  it.each([{ item_ids: [] }, { item_ids: ["1"] }, { item_ids: [0] }, { shop: "shop-1" }])(
    "B4: refuses %o and decides nothing",
    async (body) => {
      expect(await ops(400, "POST", "/deletions/release", body)).toMatchObject({
        code: "invalid_parameters",
      });
      expect(await ops(200, "GET", "/deletions")).toMatchObject({ held: 5 });
    },
  );
});

describe("held deletions in the console", () => {
  it("B4: lists them with titles and links, and decides on the ticked ones", async () => {
    const visit = await enterConsole(test.api);
    const html = await (await visit.get("/ops/mirror")).text();
    expect(html).toContain('<a href="/products/1"><bdi>手作りの革財布 1</bdi></a>');
    expect(html).toContain("&lt;b&gt;器&lt;/b&gt;");
    expect(html).toContain("Every deletion has been held since");
    const ticked = { chosen: "true", item_id: "2" };
    expect((await visit.post("/ops/deletions/release", ticked)).headers.get("Location")).toContain(
      "done=deletions_released",
    );
    expect([await status(1), await status(2)]).toEqual([200, 410]);
    await visit.post("/ops/deletions/discard", { shop_id: "shop-1" });
    expect(idsOf(await ops<Held>(200, "GET", "/deletions"))).toEqual([11, 12]);
    await visit.post("/ops/deletions/release");
    expect(await status(12)).toBe(410);
    expect(await (await visit.get("/ops/mirror")).text()).toContain("None are held.");
  });

  it("B4: decides about all that the page showed, and not about what was held since", async () => {
    const visit = await enterConsole(test.api);
    const html = await (await visit.get("/ops/mirror")).text();
    expect(html).toContain(`name="seen" value="${clock.now().getTime()}"`);
    const seen = String(secondsAgo(30).getTime());
    await test.db.execute(sql`
      update held_deletion set held_at = ${secondsAgo(10).toISOString()} where item_id in (3, 12)`);
    await visit.post("/ops/deletions/release", { seen, shop_id: "shop-1" });
    await visit.post("/ops/deletions/discard", { seen });
    expect(idsOf(await ops<Held>(200, "GET", "/deletions"))).toEqual([3, 12]);
    expect([await status(1), await status(3), await status(11)]).toEqual([410, 200, 200]);
    const again = await visit.post("/ops/deletions/release", { seen });
    expect([again.status, await again.text()]).toEqual([
      409,
      expect.stringContaining("not there any more"),
    ]);
  });

  it("B4: says that it is done when only what comes later is let through again, and not twice", async () => {
    const visit = await enterConsole(test.api);
    await test.db.execute(sql`delete from held_deletion`);
    const discard = async () => (await visit.post("/ops/deletions/discard")).status;
    expect([await discard(), await discard()]).toEqual([303, 409]);
    expect(await ops(200, "GET", "/deletions")).toMatchObject({ guard: { tripped_at: null } });
  });

  it("B4: says that it is done when all of what was decided about is shown again", async () => {
    const visit = await enterConsole(test.api);
    await test.db.execute(
      sql`update held_deletion set proven_at = ${secondsAgo(86_400).toISOString()}`,
    );
    await test.db.execute(sql`update product set checked_at = ${clock.now().toISOString()}`);
    const answer = await visit.post("/ops/deletions/release");
    expect([answer.status, await status(1)]).toEqual([303, 200]);
  });

  it("B4: with nothing ticked it decides nothing and says so", async () => {
    const visit = await enterConsole(test.api);
    const refused = await visit.post("/ops/deletions/release", { chosen: "true" });
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain("select at least one product");
    expect(await ops(200, "GET", "/deletions")).toMatchObject({ held: 5 });
  });

  it("are told with what refreshes leave out of the living products", async () => {
    const visit = await enterConsole(test.api);
    const console = async () => (await visit.get("/ops/mirror")).text();
    expect(await console()).not.toContain("Refreshes of the upstream leave out");
    const guard = { refuted: 0, doubted: false };
    expect(await ops(200, "GET", "/deletions")).toMatchObject({ guard });
    await test.db.execute(sql`
      insert into deletion_count (since, deleted, refuted) values (${secondsAgo(3600).toISOString()}, 20, 4)`);
    expect(await ops(200, "GET", "/deletions")).toMatchObject({
      guard: { refuted: 4, doubted: true },
    });
    expect(await console()).toContain("Refreshes of the upstream leave out living products: 4 in");
  });

  it("B4: pages through a long list", async () => {
    const items = Array.from({ length: 120 }, (_, i) => searchItem(1000 + i));
    await storeItems(test.db, secondsAgo(7200).toISOString(), items);
    const sighting = { callId: 103, sentAt: secondsAgo(30) };
    const vanished = items.map((item) => item.itemId);
    const answer = { shopId: "shop-1", asked: [4, ...vanished], returned: [4] };
    await test.db.transaction((tx) =>
      settleAbsences(tx, sighting, { ...answer, anonymous: false, confirmsEmpty: true }),
    );
    const visit = await enterConsole(test.api);
    const shown: number[] = [];
    for (let path: string | undefined = "/ops/mirror"; path;) {
      const html = await (await visit.get(path)).text();
      shown.push(
        ...[...html.matchAll(/type="checkbox" name="item_id" value="(\d+)"/g)].map(([, id]) =>
          Number(id),
        ),
      );
      path = /href="(\/ops\/mirror\?after=\d+)#/.exec(html)?.[1];
    }
    expect(shown).toEqual([1, 2, 3, 11, 12, ...vanished]);
  });
});
