/** Why a call is planned, with the figures for its text. */
export type Reason =
  | { code: "full_scan"; q: string; shopId: string | null; start: number }
  /** The first page of a proposed keyword. `reason`: what the rule `source` noted about it. */
  | { code: "trial"; q: string; shopId: string | null; source: string; reason: string | null }
  | { code: "newest_changes" | "newest_ids"; q: string; start: number }
  | { code: "most_ordered"; q: string; start: number; expected: number }
  | { code: "overdue"; shopId: string; overdue: number; days: number; others: number }
  | { code: "worthwhile"; shopId: string; products: number; value: number; first: Expected | null }
  | { code: "pass"; shopId: string; products: number }
  /** All of them seem deleted. */
  | { code: "second_check"; shopId: string; products: number }
  /** Deleted products of a shop others of which have returned, and `others` that live. */
  | { code: "returned"; shopId: string; products: number; others: number }
  /** Half of the products of a failed call, to find out which one is at fault. */
  | { code: "failed_together"; shopId: string; products: number }
  /** Every call with this product fails. */
  | { code: "failed_alone"; shopId: string; itemId: number }
  /** None of the shop's products can be read. */
  | { code: "unreadable"; shopId: string; itemId: number }
  | { code: "on_demand"; shopId: string; asked: number; others: number };

/** The product with the highest value: how often it is expected to change, and by what; `readPlan` adds its traits. */
export interface Expected {
  itemId: number;
  changesPerDay: number;
  traits: readonly string[];
}

const figures = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });

/** A value or a rate of any size, with three significant digits: small ones can be compared too. */
export const toFigure = (value: number): string => figures.format(value);

/** The reason in the words of the API and the command line. */
export function toReasonText(reason: Reason): string {
  switch (reason.code) {
    case "full_scan":
      return `full scan of "${reason.q}"${inShop(reason.shopId)} from ${reason.start}`;
    case "trial":
      return `first page of "${reason.q}"${inShop(reason.shopId)}: ${reason.reason ?? reason.source}`;
    case "newest_changes":
      return `newest changes of "${reason.q}" from ${reason.start}`;
    case "newest_ids":
      return `newest ids of "${reason.q}" from ${reason.start}`;
    case "most_ordered":
      return `most ordered of "${reason.q}" from ${reason.start}, ${reason.expected === 0 ? "no products" : products(reason.expected)} expected`;
    case "overdue":
      return `${products(reason.overdue)} of ${reason.shopId} not checked for ${reason.days.toFixed(1)} days, and ${reason.others} more`;
    case "worthwhile":
      return `${products(reason.products)} of ${reason.shopId}, value ${toFigure(reason.value)}${withFirst(reason.first)}`;
    case "pass":
      return `${products(reason.products)} of ${reason.shopId}, in a pass over all`;
    case "second_check":
      return `second check of ${products(reason.products)} of ${reason.shopId} that all seem deleted`;
    case "returned":
      return `${products(reason.products)} of ${reason.shopId} that may have returned with others, and ${reason.others} more`;
    case "failed_together":
      return `${products(reason.products)} of ${reason.shopId}, half of a failed call`;
    case "failed_alone":
      return `product ${reason.itemId} of ${reason.shopId} alone, because calls with it fail`;
    case "unreadable":
      return `product ${reason.itemId} of ${reason.shopId}, to see whether the shop's products can be read again`;
    case "on_demand":
      return `${products(reason.asked)} of ${reason.shopId} that users asked for, and ${reason.others} more`;
  }
}

function withFirst(first: Expected | null): string {
  if (first === null) return "";
  const traits = first.traits.length === 0 ? "" : ` (${first.traits.join(", ")})`;
  return `; product ${first.itemId}${traits}: ${toFigure(first.changesPerDay)} changes a day expected`;
}

function products(n: number): string {
  return n === 1 ? "1 product" : `${n} products`;
}

function inShop(shopId: string | null): string {
  return shopId === null ? "" : ` in ${shopId}`;
}
