import type { heldJa } from "./held-ja.ts";

export const heldEn: typeof heldJa = {
  held: {
    title: "Held deletions",
    none: "None are held.",
    lead: (count) =>
      `Too many products vanished at once: ${count} deletions are held. The products stay visible until you delete or keep them.`,
    guard: (since, deleted) =>
      `Every deletion has been held since ${since}. In the week before, ${deleted} took effect. This ends when you have decided about all of them.`,
    discardAll: "Keep all and check again",
    releaseAll: "Delete all",
    releaseConfirm: (count) => `Really delete ${count}`,
    discard: "Keep and check again",
    release: "Delete",
    shops: "Shops with most held deletions",
    shop: "Shop",
    count: "Held",
    decision: "Decision",
    products: "Held products",
    noMore: "There are no more products.",
    chosen: "Selected",
    choose: "Select",
    product: "Product",
    call: "Call",
    provenAt: "Last found absent",
    heldAt: "Held since",
    seenAt: "Last found",
    discardChosen: "Keep the selected products",
    releaseChosen: "Delete the selected products",
    tick: "select at least one product",
    first: "First page",
    next: "Next page",
  },
};
