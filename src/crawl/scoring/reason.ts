/** Why a call is planned: what it is for, with the figures, for whoever puts it into words. */
export type Reason =
  | { code: "walk"; q: string; shopId: string | null; start: number }
  /** The first page of a proposed keyword. `reason`: what the rule `source` noted about it. */
  | { code: "trial"; q: string; shopId: string | null; source: string; reason: string | null }
  | { code: "newest_changes" | "newest_ids"; q: string; start: number }
  | { code: "most_ordered"; q: string; start: number; expected: number }
  | { code: "overdue"; shopId: string; overdue: number; days: number; others: number }
  | { code: "worthwhile"; shopId: string; products: number; value: number }
  | { code: "pass"; shopId: string; products: number }
  /** All of them seem deleted. */
  | { code: "second_look"; shopId: string; products: number }
  /** Half of what made a call fail, to find out which product it was. */
  | { code: "failed_together"; shopId: string; products: number }
  /** It makes every call fail that asks for it. */
  | { code: "failed_alone"; shopId: string; itemId: number }
  | { code: "asked_for"; shopId: string; asked: number; others: number };

/** The reason as the API and the command line tell it. */
export function toReasonText(reason: Reason): string {
  switch (reason.code) {
    case "walk":
      return `walk of "${reason.q}"${inShop(reason.shopId)} from ${reason.start}`;
    case "trial":
      return `first page of "${reason.q}"${inShop(reason.shopId)}: ${reason.reason ?? reason.source}`;
    case "newest_changes":
      return `newest changes of "${reason.q}" from ${reason.start}`;
    case "newest_ids":
      return `newest ids of "${reason.q}" from ${reason.start}`;
    case "most_ordered":
      return `most ordered of "${reason.q}" from ${reason.start}, ${reason.expected || "no"} products expected`;
    case "overdue":
      return `${reason.overdue} products of ${reason.shopId} unchecked for ${reason.days.toFixed(1)} days, and ${reason.others} more`;
    case "worthwhile":
      return `${reason.products} products of ${reason.shopId}, worth ${reason.value.toPrecision(3)}`;
    case "pass":
      return `${reason.products} products of ${reason.shopId}, in a pass over all`;
    case "second_look":
      return `second look at ${reason.products} products of ${reason.shopId} that all seem deleted`;
    case "failed_together":
      return `${reason.products} products of ${reason.shopId}, half of a call that failed`;
    case "failed_alone":
      return `product ${reason.itemId} of ${reason.shopId} by itself, because calls that ask for it fail`;
    case "asked_for":
      return `${reason.asked} products of ${reason.shopId} that users asked for, and ${reason.others} more`;
  }
}

function inShop(shopId: string | null): string {
  return shopId === null ? "" : ` in ${shopId}`;
}
