import { sql } from "drizzle-orm";
import { must } from "../../../src/lib/must.ts";
import { isHidden, type CrawlCase, type Market, type Subject } from "./crawl-case.ts";
import { failingSubjects } from "./failing-subjects.ts";

const refreshes = { refreshesOnly: true, products: 500, dailyLimit: 2400, maxAgeDays: 0.1 };

/** More than are read at once to find the best batch. */
const closedShops = 50;

/** Shops of one or two products. */
const smallShops = ({ shopsBySize, ofShop }: Market, most: number) =>
  shopsBySize.filter((shopId) => ofShop(shopId).length <= 2).slice(0, most);
const productsOf = (market: Market, shopIds: readonly string[]) =>
  new Set(shopIds.flatMap((shopId) => market.ofShop(shopId).map((item) => item.item_id)));

const oneOfEach = (market: Market, most: number): Subject => {
  const shops = market.shopsBySize.slice(5, 5 + most);
  const itemIds = new Set(
    shops.map(
      (shopId) =>
        (
          market.ofShop(shopId).find((item) => isHidden(item.item_id)) ??
          must(market.ofShop(shopId)[0], "a product")
        ).item_id,
    ),
  );
  return {
    name: `${itemIds.size} products of as many shops`,
    itemIds,
    // Those that ask for nothing else.
    isAbout: ({ operation, asked }) =>
      operation === "refresh" && asked.length > 0 && asked.every((id) => itemIds.has(id)),
  };
};

const standing: readonly CrawlCase[] = [
  {
    ids: ["B3"],
    // To find out takes two calls a shop, once.
    setting: { ...refreshes, hours: 13 },
    what: "shops without a live product",
    choose: (market) => {
      const shops = smallShops(market, closedShops);
      return { name: `${shops.length} closed shops`, itemIds: productsOf(market, shops) };
    },
    start: "after the first hour",
    apply({ sandbox }, _, market) {
      for (const shopId of smallShops(market, closedShops)) sandbox.control.removeShop(shopId);
    },
    measures: ["fresh"],
  },
  {
    ids: ["B4", "U19"],
    setting: refreshes,
    what: "one shop's refreshes are always empty",
    choose: (market) => {
      const shopId = must(market.shopsBySize[0], "a shop");
      return {
        name: `refreshes of ${shopId}`,
        itemIds: productsOf(market, [shopId]),
        isAbout: ({ operation, params }) => operation === "refresh" && params["shop_id"] === shopId,
      };
    },
    start: "after the first hour",
    apply({ sandbox }, _, { shopsBySize }) {
      sandbox.control.faults.stay("empty_refresh", {
        operation: "refresh",
        shopId: must(shopsBySize[0], "a shop"),
      });
    },
    measures: ["fresh"],
    mostCalls: 0.05,
  },
  {
    ids: ["B9"],
    // Enough calls that first scans are over after the first hour.
    setting: { products: 500, dailyLimit: 2400 },
    what: "ops start a pass over everything by hand every two hours",
    choose: () => ({ name: "a revalidate run started by hand", itemIds: new Set() }),
    start: "after the first hour",
    async apply(crawl) {
      const { pass } = crawl;
      let hours = 0;
      crawl.pass = async (length, each) => {
        if (hours % 2 === 0) await crawl.runNow("revalidate");
        hours += length;
        await pass(length, each);
      };
    },
    measures: ["fresh", "newcomers"],
  },
  {
    ids: ["B10", "U8", "U13"],
    setting: refreshes,
    what: "products that can no longer be read",
    choose: (market) => oneOfEach(market, 60),
    start: "after the first hour",
    apply({ sandbox }, { itemIds }) {
      sandbox.control.faults.stay("unreadable_items", { itemIds: [...itemIds] });
    },
    measures: ["fresh"],
    mostCalls: 0.05,
  },
  {
    ids: ["B10", "U21"],
    setting: refreshes,
    what: "products that moved to another shop, where no search finds them",
    choose: (market) => oneOfEach(market, 60),
    start: "after the first hour",
    apply({ sandbox }, { itemIds }) {
      for (const id of itemIds) {
        sandbox.control.edit(id, { shop_id: "shop-elsewhere", visible: 0 }, { silent: true });
      }
    },
    measures: ["fresh"],
    mostCalls: 0.05,
  },
  {
    ids: ["U8", "U10", "U11"],
    what: "one unreadable product on the first page of every keyword",
    choose: (market) => {
      const first = market.keywords.flatMap((q) => market.found(q).slice(0, 1));
      return {
        name: "the first product of every keyword",
        itemIds: new Set(first.map((item) => item.item_id)),
      };
    },
    start: "before the first call",
    apply({ sandbox }, { itemIds }) {
      sandbox.control.faults.stay("unreadable_items", { itemIds: [...itemIds] });
    },
    measures: ["found", "fresh"],
  },
  {
    ids: ["U9", "U20"],
    setting: refreshes,
    what: "one shop sends fields nobody knows and half of what is asked",
    choose: (market) => {
      const shopId = must(market.shopsBySize[0], "a shop");
      return { name: shopId, itemIds: productsOf(market, [shopId]) };
    },
    start: "after the first hour",
    apply({ sandbox }, _, { shopsBySize }) {
      const shopId = must(shopsBySize[0], "a shop");
      sandbox.control.faults.stay("half_of_the_items", { operation: "refresh", shopId });
    },
    measures: ["fresh"],
  },
  {
    ids: ["B11"],
    what: "ops add 1,200 keywords at once, whose first scans take more than a day's calls",
    // So many calls that a quarter of them, the share of the maximum age, can keep it.
    setting: { products: 300, dailyLimit: 960, hours: 15, maxAgeDays: 0.5 },
    choose: () => ({ name: "1,200 keywords", itemIds: new Set() }),
    start: "after the first hour",
    async apply(crawl) {
      const titles = crawl.sandbox.control.items().map((item) => String(item["title"]));
      for (const title of titles) {
        for (const cut of [0, 1, 2, 3]) await crawl.addKeyword(title.slice(0, title.length - cut));
      }
    },
    measures: ["within age"],
  },
  {
    ids: ["B14"],
    what: "5,200 keywords that find nothing, and one that does",
    choose: () => ({
      name: "5,200 keywords",
      itemIds: new Set(),
      isAbout: ({ params }) => (params["q"] ?? "").startsWith("空振り"),
    }),
    start: "before the first call",
    async apply(crawl) {
      const at = crawl.clock.now().toISOString();
      await crawl.db.execute(sql`update crawl_query set id = id + 1000000`);
      await crawl.db.execute(sql`
        insert into crawl_query (id, q, source, created_at, scanned_at, newest_checked_at, feed_checked_at, found, enabled)
        select n, '空振り' || n, 'ops', ${at}, ${at}, ${at}, ${at}, 0, true
        from generate_series(1, 5200) n`);
    },
    measures: ["found", "fresh"],
  },
];

export const crawlCases: readonly CrawlCase[] = [...failingSubjects, ...standing];
