import { sql, type SQL } from "drizzle-orm";
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
    before: isKnown(row)
      ? {
          checkedAt: new Date(row.prev_confirmed_at),
          modified: row.prev_modified,
          price: row.prev_price,
          stock: row.prev_stock,
          categories: row.prev_categories,
        }
      : null,
    orderRank: row.order_rank,
    deletions: row.deletions,
  };
}

/** The old row, which a product has that was known. */
type OldRow = {
  prev_confirmed_at: string;
  prev_modified: number;
  prev_price: number;
  prev_stock: number;
  prev_categories: string[];
};

function isKnown(row: WrittenRow): row is WrittenRow & OldRow {
  return row.prev_confirmed_at !== null;
}

/** A product as an answer has just written it, beside its row before; `prev_…` null: there was none. */
export type WrittenRow = {
  item_id: number;
  shop_id: string;
  created: boolean;
  changed: boolean;
  differs: boolean;
  variations_changed: boolean;
  /** It was taken for deleted and was not. */
  refuted: boolean;
  modified: number;
  order_rank: number | null;
  price: number;
  stock: number;
  categories: string[];
  deletions: number;
} & { [Column in keyof (OldRow & WrittenText)]: (OldRow & WrittenText)[Column] | null };
