import { sql } from "drizzle-orm";
import { must } from "../../../src/lib/must.ts";
import type { FaultSubject } from "../../../src/sandbox/search/faults.ts";
import type { SandboxItem } from "../../../src/sandbox/catalogue/item.ts";
import {
  isHidden,
  type ArrivedCall,
  type CrawlCase,
  type CrawlSetting,
  type Market,
  type Subject,
} from "./crawl-case.ts";

const bothPaces = ["found", "fresh"] as const;
const fewCalls = 0.02;
/** More calls than are needed to refresh everything in time: nothing is passed over for want of them. */
const refreshes = { refreshesOnly: true, products: 500, dailyLimit: 2400, maxAgeDays: 0.1 };
/** Pages overlap by one item, so the second begins at 49. */
const secondPage = { startFrom: 40, startTo: 60 };

const largestKeyword = ({ keywordsBySize }: Market) => must(keywordsBySize[0], "a keyword");
const middleKeyword = ({ keywordsBySize }: Market) => must(keywordsBySize[5], "a keyword");
const largestShop = ({ shopsBySize }: Market) => must(shopsBySize[0], "a shop");
const idsOf = (items: readonly SandboxItem[]) => new Set(items.map((item) => item.item_id));
/** What these keywords find and no other does. */
const onlyFoundBy = (market: Market, keywords: readonly string[]) => {
  const others = market.keywords.filter((q) => !keywords.includes(q));
  const elsewhere = new Set(others.flatMap((q) => [...idsOf(market.found(q))]));
  const items = keywords.flatMap((q) => market.found(q));
  return new Set([...idsOf(items)].filter((id) => !elsewhere.has(id)));
};
const isOfKeyword = (q: string) => (call: ArrivedCall) => call.params["q"] === q;
const isOfShop = (shopId: string) => (call: ArrivedCall) =>
  call.operation === "refresh" && call.params["shop_id"] === shopId;

function pageOf(market: Market): Subject {
  const q = largestKeyword(market);
  return {
    name: `page 2 of the keyword ${q}`,
    itemIds: idsOf(market.found(q).slice(40, 110)),
    isAbout: ({ params }) =>
      params["q"] === q &&
      Number(params["start"] ?? 0) >= secondPage.startFrom &&
      Number(params["start"] ?? 0) <= secondPage.startTo,
  };
}

function keywordOf(market: Market): Subject {
  const q = middleKeyword(market);
  return { name: `the keyword ${q}`, itemIds: onlyFoundBy(market, [q]), isAbout: isOfKeyword(q) };
}

function shopOf(market: Market): Subject {
  const shopId = largestShop(market);
  return {
    name: `refreshes of ${shopId}`,
    itemIds: idsOf(market.ofShop(shopId)),
    isAbout: isOfShop(shopId),
  };
}

/** Refreshed, because no search shows it, with others of its shop, which are the rest. */
function itemOf(market: Market): Subject {
  const hidden = market.ofShop(largestShop(market)).filter((item) => isHidden(item.item_id));
  const item = must(hidden[Math.floor(hidden.length / 2)], "a product");
  return {
    name: `product ${item.item_id} of ${item.shop_id}`,
    itemIds: new Set([item.item_id]),
    isAbout: ({ asked }) => asked.includes(item.item_id),
  };
}

function failing(
  ids: readonly string[],
  what: string,
  fault: string,
  choose: (market: Market) => Subject,
  subjectOf: (market: Market, subject: Subject) => FaultSubject,
  setting: Partial<CrawlSetting> = {},
): CrawlCase {
  return {
    ids,
    what,
    setting,
    choose,
    start: "before the first call",
    apply: ({ sandbox }, subject, market) =>
      sandbox.control.faults.stay(fault, subjectOf(market, subject)),
    measures: bothPaces,
    mostCalls: fewCalls,
  };
}

const pageFault = (market: Market) => ({
  operation: "search" as const,
  q: largestKeyword(market),
  ...secondPage,
});
const keywordFault = (market: Market) => ({
  operation: "search" as const,
  q: middleKeyword(market),
});
const shopFault = (market: Market) => ({
  operation: "refresh" as const,
  shopId: largestShop(market),
});
const itemFault = (_: Market, { itemIds }: Subject) => ({
  operation: "refresh" as const,
  itemIds: [...itemIds],
});

/** Every way in which an answer can be no answer, of one page. */
const replies = [
  ["U2", "reset", "is reset"],
  ["U3", "slow", "comes a byte at a time"],
  ["U4", "html", "is HTML with status 200"],
  ["U4", "http_502", "is status 502"],
  ["U5", "truncated", "is cut off"],
  ["U6", "gzip_bomb", "inflates to 64 MiB"],
  ["U7", "redirect", "leads elsewhere"],
  ["U26", "search_error", "is a fast refusal"],
] as const;

/** Postgres refuses every write of one product. */
async function refuseWrites(
  crawl: Parameters<CrawlCase["apply"]>[0],
  { itemIds }: Subject,
  code: string,
): Promise<void> {
  await crawl.db.execute(
    sql.raw(`
    create function refuse_one() returns trigger language plpgsql as $$
    begin raise exception 'refused for this case' using errcode = '${code}'; end $$`),
  );
  await crawl.db.execute(
    sql.raw(`
    create trigger a_refuse_one before insert or update of price on product for each row
    when (new.item_id in (${[...itemIds].join(", ")})) execute function refuse_one()`),
  );
}

function refusedByPostgres(code: string, meaning: string): CrawlCase {
  return {
    ids: ["B2", "D5"],
    setting: refreshes,
    what: `Postgres refuses one product for ever (${code}, ${meaning})`,
    choose(market) {
      const { name, itemIds } = itemOf(market);
      const [id = 0] = itemIds;
      // A search page is stored whole or not at all: its neighbours share its lot until a refresh shows them.
      const neighbours = market.keywords.flatMap((q) => {
        const found = market.found(q);
        const at = found.findIndex((item) => item.item_id === id);
        return at < 0 ? [] : found.slice(Math.max(0, at - 55), at + 56);
      });
      return { name, itemIds: idsOf(neighbours).add(id) };
    },
    start: "before the first call",
    async apply(crawl, _, market) {
      await refuseWrites(crawl, itemOf(market), code);
    },
    measures: bothPaces,
  };
}

/** B1, B2, B5 and the faults of the upstream's answers: subjects that never answer well. */
export const failingSubjects: readonly CrawlCase[] = [
  failing(["B1"], "one search page always answers 500", "http_500", pageOf, pageFault),
  failing(["B1", "U12"], "one keyword's answers are 9 MB", "oversized", keywordOf, keywordFault),
  failing(["B1", "U3"], "one keyword never answers", "hang", keywordOf, keywordFault),
  failing(
    ["B1"],
    "one shop's refreshes always answer 500",
    "http_500",
    shopOf,
    shopFault,
    refreshes,
  ),
  failing(
    ["B1"],
    "one product fails any batch it is in (500)",
    "http_500",
    itemOf,
    itemFault,
    refreshes,
  ),
  failing(
    ["U25"],
    "one product is refused in any batch",
    "bad_params",
    itemOf,
    itemFault,
    refreshes,
  ),
  {
    ids: ["B1"],
    what: "a page at 500, a shop at 500 and a keyword of 9 MB together",
    choose(market) {
      const all = [pageOf(market), keywordOf(market), shopOf(market)];
      return {
        name: all.map((one) => one.name).join(", "),
        itemIds: new Set(all.flatMap((one) => [...one.itemIds])),
        isAbout: (call) => all.some((one) => one.isAbout?.(call)),
      };
    },
    start: "before the first call",
    apply({ sandbox: { control } }, _, market) {
      control.faults.stay("http_500", pageFault(market));
      control.faults.stay("oversized", keywordFault(market));
      control.faults.stay("http_500", shopFault(market));
    },
    measures: bothPaces,
    mostCalls: fewCalls,
  },
  ...replies.map(([id, fault, says]) =>
    failing([id], `one search page ${says}`, fault, pageOf, pageFault),
  ),
  refusedByPostgres("57014", "cancelled"),
  refusedByPostgres("54000", "a limit is exceeded"),
  {
    ids: ["B5"],
    what: "the most ordered pages of five keywords are refused",
    choose: (market) => ({
      name: "five keywords by order count",
      itemIds: new Set(),
      isAbout: ({ params }) =>
        (params["sort"] ?? "").startsWith("order_count") &&
        market.keywordsBySize.slice(0, 5).includes(params["q"] ?? ""),
    }),
    start: "before the first call",
    apply({ sandbox }, _, { keywordsBySize }) {
      for (const q of keywordsBySize.slice(0, 5)) {
        sandbox.control.faults.stay("search_error", { q, sort: "order_count" });
      }
    },
    measures: bothPaces,
    mostCalls: fewCalls,
  },
];
