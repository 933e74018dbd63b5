/** The call that showed these items, and when it was sent: the moment up to which they are verified. */
export interface Sighting {
  callId: number;
  sentAt: Date;
}

/** One stored item and what the sighting told about it, for whoever learns change rates. */
export interface Observed {
  itemId: number;
  shopId: string;
  fate: "created" | "changed" | "unchanged";
  modified: number;
  /** null for a created item. */
  before: { checkedAt: Date; modified: number } | null;
  /** Its place in the order of order counts, from 0, now or when it was last shown in one; null: never. */
  orderRank: number | null;
}
