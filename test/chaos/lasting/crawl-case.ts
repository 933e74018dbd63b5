import type { SandboxItem } from "../../../src/sandbox/catalogue/item.ts";
import type { SandboxControl } from "../../../src/sandbox/control.ts";
import type { SimulatedCrawl } from "../../support/simulated-crawl.ts";

export type ArrivedCall = ReturnType<SandboxControl["calls"]["all"]>[number];

/** The marketplace as it is before the first call: the same for the same seed. */
export interface Market {
  keywords: readonly string[];
  /** What a keyword finds, by ascending id. */
  found(q: string): readonly SandboxItem[];
  /** Most products first. */
  keywordsBySize: readonly string[];
  shopsBySize: readonly string[];
  ofShop(shopId: string): readonly SandboxItem[];
}

/** The one bad thing. */
export interface Subject {
  name: string;
  /** Products that are its own affair: everything else is the rest. */
  itemIds: ReadonlySet<number>;
  /** Calls that are spent on it; their share after the first hour has to stay below `mostCalls`. */
  isAbout?(call: ArrivedCall): boolean;
}

/** What the marketplace and its budget are like. */
export interface CrawlSetting {
  products: number;
  dailyLimit: number;
  hours: number;
  maxAgeDays: number | null;
  /** Ops want no more news after the first hour, so that every call is a refresh. */
  refreshesOnly: boolean;
}

export type CrawlMeasure = "found" | "fresh" | "newcomers" | "within age";

/** A fault of the crawl that lasts from its `start` to the end of a simulated day. */
export interface CrawlCase {
  ids: readonly string[];
  what: string;
  setting?: Partial<CrawlSetting>;
  choose(market: Market): Subject;
  /** The catch-up is over after one hour. */
  start: "before the first call" | "after the first hour";
  apply(crawl: SimulatedCrawl, subject: Subject, market: Market): void | Promise<void>;
  measures: readonly CrawlMeasure[];
  /** The most that the subject may take of all calls after the first hour. */
  mostCalls?: number;
}

/** Two products of five are shown by no search after the first hour, as shops hide what rests. */
export function isHidden(itemId: number): boolean {
  return itemId % 5 < 2;
}
