import type { ObserveResult } from "../../catalog/observing/observe.ts";
import type { Sighting } from "../../catalog/sighting.ts";
import type { Tx } from "../../db/open.ts";
import type { SearchParams } from "../../storefront/request.ts";
import type { RefreshPage, SearchPage } from "../../storefront/product.ts";
import type { CallFailure } from "./backoff.ts";
import type { Purpose } from "../budget/call-log.ts";
import type { CrawlJob } from "../budget/jobs.ts";
import type { Reason } from "../scoring/reason.ts";

export interface Settled {
  /** Products that the answer proved deleted. */
  gone: number;
  /** Products that it did not show, which a second call has to confirm. */
  doubtful?: readonly number[];
}

interface Planned {
  job: CrawlJob;
  purpose: Purpose;
  /** Expected gain of freshness in weight-days; Infinity for a call that is due whatever it gains. */
  value: number;
  why: Reason;
  /** Its subject has failed and has not succeeded since. */
  isRetry: boolean;
  /** Records the failure with the subject of the call, which then backs off; returns what `noteFailure` does. */
  failed(tx: Tx, failure: CallFailure): Promise<boolean>;
  /** The call will be made: its subject is not planned again until `release`. */
  take(): void;
  /** The call has ended, whatever its outcome: its subject may be planned again. */
  release(): void;
}

export interface SearchCall extends Planned {
  operation: "search";
  params: SearchParams;
  /** What the same keyword found last time; null: it was never searched. */
  expectedFound: number | null;
  /** The rank of the first item by order count, from 0; null if the call sorts by something else. */
  firstRank: number | null;
  settle(tx: Tx, sighting: Sighting, page: SearchPage, result: ObserveResult): Promise<Settled>;
}

export interface RefreshCall extends Planned {
  operation: "refresh";
  shopId: string;
  itemIds: readonly number[];
  settle(tx: Tx, sighting: Sighting, page: RefreshPage, result: ObserveResult): Promise<Settled>;
}

/** The next call. `settle` and `failed` write in the transaction of its outcome. */
export type PlannedCall = SearchCall | RefreshCall;

/** Whether an answer that shows no products contradicts what is known of the whole keyword. */
export function showsFound(call: PlannedCall): boolean {
  return (
    call.operation === "search" && (call.expectedFound ?? 0) > 0 && (call.params.start ?? 0) === 0
  );
}

/** Calls that could be made now. */
export interface Offers<Call extends PlannedCall> {
  calls: Call[];
  /** Stores when subjects of too little value are due again. A preview does not call it. */
  postpone(): Promise<void>;
}

/** Its parameters, as the ledger and the plan show them. */
export function toParams(call: PlannedCall): Record<string, unknown> {
  if (call.operation === "search") return { ...call.params };
  return { shop_id: call.shopId, item_id: call.itemIds };
}

/** A call to be made now. */
export type RunCall = PlannedCall & {
  /** The active run of its job, which counts the call; null: users asked for it. */
  runId: number | null;
};
