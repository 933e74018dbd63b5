import { LRUCache } from "lru-cache";
import { sql } from "drizzle-orm";
import { anyId } from "../../../db/rows.ts";
import type { Tx } from "../../../db/open.ts";
import { prepare, type Prepared } from "../../titles/prepare.ts";

export interface ProductText {
  item_id: number;
  shop_id: string;
  title: string;
  detail: string;
  /** See `match_price_step`; null: no price is known. */
  price_step: number | null;
  categories: string[];
}

/** A description that is longer than this says nothing of quantities and models. */
const mostDetail = 500;

/** What matching reads of living products. */
export async function readTexts(tx: Tx, itemIds: readonly number[]): Promise<ProductText[]> {
  return tx.execute<{ [Column in keyof ProductText]: ProductText[Column] }>(sql`
    select item_id, shop_id, title, left(detail, ${mostDetail}) as detail, match_price_step(price) as price_step,
      categories
    from product where item_id = ${anyId(itemIds)} and state <> 'gone' order by item_id`);
}

export type PreparedTexts = ReturnType<typeof createPreparedTexts>;

const mostKept = 5000;

/** Prepares texts, and keeps the last 5,000: neighbours of one product are neighbours of the next. */
export function createPreparedTexts() {
  const kept = new LRUCache<string, Prepared>({ max: mostKept });
  return {
    prepare({ item_id, title, detail, price_step, categories }: ProductText): Prepared {
      const key = JSON.stringify([item_id, title, detail, price_step, categories]);
      const known = kept.get(key);
      if (known) return known;
      const price = price_step === null ? null : (4 / 3) ** (price_step + 0.5);
      const whole = withShortDetail(title, detail);
      const prepared = prepare({ title: whole, detail, price, categories });
      kept.set(key, prepared);
      return prepared;
    },
  };
}

/** Characters of a description that is rather a part of the title: "400 g". */
const shortDetail = 30;

function withShortDetail(title: string, detail: string): string {
  return detail !== "" && detail.length <= shortDetail ? `${title} ${detail}` : title;
}
