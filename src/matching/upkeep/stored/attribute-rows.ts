import { sql } from "drizzle-orm";
import { idList } from "../../../db/lists.ts";
import { tellChanged } from "./tell-changed.ts";
import type { Tx } from "../../../db/open.ts";
import type { TitleAttributes } from "../../titles/attributes.ts";

/**
 * Stores what titles tell; of those of `itemIds` that have no row, nothing stays. Readers of changes and
 * the search index are told of the products whose attributes are others than before.
 */
export async function storeAttributes(
  tx: Tx,
  itemIds: readonly number[],
  rows: readonly { itemId: number; attributes: TitleAttributes }[],
): Promise<void> {
  const known = new Set(rows.map(({ itemId }) => itemId));
  const gone = itemIds.filter((itemId) => !known.has(itemId));
  if (gone.length > 0) {
    await tx.execute(sql`delete from product_attribute where item_id in ${idList(gone)}`);
  }
  const input = rows.map(({ itemId, attributes }) => ({ item_id: itemId, ...attributes }));
  const changed = await tx.execute<{ item_id: number }>(sql`
    insert into product_attribute as p (item_id, quantity, unit, pack, models, colours, size, condition, edition)
    select item_id, quantity, unit, pack, models, colours, size, condition, edition
    from json_to_recordset(${JSON.stringify(input)}::text::json) as x(item_id bigint, quantity float8, unit text,
      pack int, models text[], colours text[], size text, condition text, edition text)
    on conflict (item_id) do update set quantity = excluded.quantity, unit = excluded.unit, pack = excluded.pack,
      models = excluded.models, colours = excluded.colours, size = excluded.size, condition = excluded.condition,
      edition = excluded.edition
    where (p.quantity, p.unit, p.pack, p.models, p.colours, p.size, p.condition, p.edition) is distinct from
      (excluded.quantity, excluded.unit, excluded.pack, excluded.models, excluded.colours, excluded.size,
      excluded.condition, excluded.edition)
    returning item_id`);
  const changedIds = changed.map(({ item_id }) => item_id);
  await tellChanged(tx, changedIds);
}
