import { sql, type SQL } from "drizzle-orm";
import type { RowOf } from "../db/rows.ts";
import type { VariationRow } from "../db/schema.ts";

/** The call that showed some items. Its send time is when they were verified. */
export interface Sighting {
  callId: number;
  sentAt: Date;
}

/** An earlier call has written the product `p` by a clock that ran ahead: the order of the calls decides. */
export function isAhead({ callId, sentAt }: Sighting): SQL {
  return sql`(p.last_call_id < ${callId}
    and greatest(p.checked_at, p.deleted_at) > ${sentAt.toISOString()}::timestamptz + interval '1 minute')`;
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
  /** Something besides `modified` differs from what was known. */
  differs: boolean;
  modified: number;
  /** null for a created item. */
  before: (Described & { checkedAt: Date; modified: number }) | null;
  /** Its rank by order count, from 0, when last seen; null: never seen. */
  orderRank: number | null;
  /** How often it was deleted before. */
  deletions: number;
}

/** The text of a product that is new or was changed; else null. */
export type WrittenText = { title: string; variations: VariationRow[] };

export function isWritten(row: WrittenRow): row is WrittenRow & WrittenText {
  return row.title !== null && row.variations !== null;
}

export function toObserved(row: WrittenRow): Observed {
  return {
    itemId: row.item_id,
    shopId: row.shop_id,
    fate: row.created ? "created" : row.changed ? "changed" : "unchanged",
    differs: row.differs,
    modified: row.modified,
    price: row.price,
    stock: row.stock,
    categories: row.categories,
    before: row.before && { ...row.before, checkedAt: new Date(row.before.checkedAt) },
    orderRank: row.order_rank,
    deletions: row.deletions,
  };
}

/** A product that had been proven deleted and is shown again. */
export interface Returned {
  itemId: number;
  /** The shop that shows it now. */
  shopId: string;
  /** The shop that it was deleted from. */
  formerShopId: string;
  deletedAt: string;
}

/** A product as an answer has just written it; `before`: its row before, null if there was none. */
export type WrittenRow = RowOf<Omit<Observed, "fate" | "before">> & {
  created: boolean;
  changed: boolean;
  variations_changed: boolean;
  /** It was taken for deleted and was not. */
  refuted: boolean;
  /** It had been proven deleted. */
  returned: Returned | null;
  before: (Described & { checkedAt: string; modified: number }) | null;
} & { [Column in keyof WrittenText]: WrittenText[Column] | null };
