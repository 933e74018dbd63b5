/** The call that showed some items. Its send time is when they were verified. */
export interface Sighting {
  callId: number;
  sentAt: Date;
}

/** What of a product its change rate is expected by. */
export interface Described {
  price: number;
  stock: number;
  categories: readonly string[];
}

/** One stored item and how it compares with what was known; change rates are learned from it. */
export interface Observed extends Described {
  itemId: number;
  shopId: string;
  fate: "created" | "changed" | "unchanged";
  modified: number;
  /** null for a created item. */
  before: (Described & { checkedAt: Date; modified: number }) | null;
  /** Its rank by order count, from 0, when last seen; null: never seen. */
  orderRank: number | null;
}
