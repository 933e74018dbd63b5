import { toSubjectText } from "../../../crawl/backoff-list.ts";
import type { backoffsJa } from "./backoffs-ja.ts";

export const backoffsEn: typeof backoffsJa = {
  lead: "A subject whose calls fail is tried again later, after a longer wait each time. All other calls continue.",
  empty: "Nothing is in backoff.",
  kinds: { keyword: "Keyword lists", page: "Positions", shop: "Shops", product: "Products" },
  all: "All",
  kindsLabel: "Kinds",
  count: (kind, count) => `${kind} ${count}`,
  waiting: (parts) => `Backing off after failed calls: ${parts}`,
  look: "Show them",
  what: "What",
  since: "Since",
  failures: "In a row",
  why: "Why",
  next: "Next try",
  soon: "at once",
  isolated: "requested alone",
  halving: (next, rest) => `halving: ${next} next, then ${rest}`,
  call: (id) => `call ${id}`,
  action: "Action",
  retry: "Retry now",
  more: "Next",
  subject: toSubjectText,
};
