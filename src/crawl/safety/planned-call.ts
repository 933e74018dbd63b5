import type { ObserveResult } from "../../catalog/observe.ts";
import type { Sighting } from "../../catalog/sighting.ts";
import type { Tx } from "../../db/open.ts";
import type { SearchParams } from "../../storefront/client.ts";
import type { RefreshPage, SearchPage } from "../../storefront/product.ts";
import type { Blame, CallFailure } from "./backoff.ts";
import type { Purpose } from "../budget/call-log.ts";
import type { CrawlJob } from "../budget/jobs.ts";
import type { Reason } from "../scoring/reason.ts";

export interface Settled {
  /** Products the answer proved deleted. */
  gone: number;
}

interface Planned {
  job: CrawlJob;
  purpose: Purpose;
  /** Expected gain of freshness in weight-days; Infinity for what is not weighed but simply due. */
  value: number;
  why: Reason;
  /** Its subject has failed and not succeeded since. */
  isRetry: boolean;
  /** Blames the failure on what the call is about, which is left alone for a while. */
  failed(tx: Tx, failure: CallFailure): Promise<Blame>;
  /** The call will be made: its subject is not to be planned again until released. */
  take(): void;
  /** Whatever happened: the subject of the call may be planned again. */
  release(): void;
}

export interface SearchCall extends Planned {
  operation: "search";
  params: SearchParams;
  /** What the same keyword found last time; null: not asked before. */
  expectedFound: number | null;
  /** The place of the first item in the order of order counts, from 0; null when asked in another order. */
  firstRank: number | null;
  settle(tx: Tx, sighting: Sighting, page: SearchPage, result: ObserveResult): Promise<Settled>;
}

export interface RefreshCall extends Planned {
  operation: "refresh";
  shopId: string;
  itemIds: readonly number[];
  settle(tx: Tx, sighting: Sighting, page: RefreshPage, result: ObserveResult): Promise<Settled>;
}

/** The next call, with what is to be written in the same transaction as its answer. */
export type PlannedCall = SearchCall | RefreshCall;

/** A call as it is given out: to be made now. */
export type RunCall = PlannedCall & {
  /** The active run of its job, which counts it; null: asked for by users. */
  runId: number | null;
  /** Goes out at the politeness ceiling instead of the day's pace. */
  urgent: boolean;
};
