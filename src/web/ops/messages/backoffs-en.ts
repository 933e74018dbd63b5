import { toSubjectText } from "../../../crawl/backoff-list.ts";
import type { backoffsJa } from "./backoffs-ja.ts";

export const backoffsEn: typeof backoffsJa = {
  lead: "Only what calls keep failing about is left alone, longer every time. Everything else goes on.",
  empty: "Nothing is backing off.",
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
  isolated: "asked for alone",
  halving: (next, rest) => `being halved: ${next} next, ${rest} after them`,
  call: (id) => `call ${id}`,
  action: "Action",
  retry: "Retry now",
  more: "Next",
  subject: toSubjectText,
};
