import { sql } from "drizzle-orm";
import { idList } from "../db/lists.ts";
import type { Db, Tx } from "../db/open.ts";
import type { VariationRow } from "../db/schema.ts";
import { rankOf, toUnitPrice } from "./unit-price.ts";

/** Raised whenever titles are read differently: all products are then read again. */
const readingVersion = 2;

const settingKey = "unit_prices";
/** Products per transaction. Other writers of these products wait for at most one such transaction. */
const SLICE = 500;

interface Product {
  item_id: number;
  title: string;
  price: number;
  variations: VariationRow[];
}

/** Writes what the products cost by the unit. Call it in the transaction that writes or locks them. */
export async function storeUnitPrices(tx: Tx, products: readonly Product[]): Promise<void> {
  if (products.length === 0) return;
  const rows = products.flatMap((product) => {
    const quantity = toUnitPrice(product)?.quantity;
    if (!quantity) return [];
    const amount = rankOf(product.price, quantity);
    return [{ item_id: product.item_id, content: quantity.value, unit: quantity.unit, amount }];
  });
  const known = new Set(rows.map((row) => row.item_id));
  const unknown = products.map((product) => product.item_id).filter((id) => !known.has(id));
  if (unknown.length > 0) {
    await tx.execute(sql`delete from unit_price where item_id in ${idList(unknown)}`);
  }
  if (rows.length === 0) return;
  await tx.execute(sql`
    insert into unit_price as u (item_id, content, unit, amount)
    select item_id, content, unit, amount from json_to_recordset(${JSON.stringify(rows)}::text::json)
      as x(item_id bigint, content float8, unit text, amount float8)
    on conflict (item_id) do update set
      content = excluded.content, unit = excluded.unit, amount = excluded.amount
    where (u.content, u.unit, u.amount) is distinct from (excluded.content, excluded.unit, excluded.amount)`);
}

/**
 * Reads the products that were stored before the present version, in slices by id. Its position commits
 * with each slice, so that a stopped task continues the next time. Once it is at the end it costs one read.
 */
export async function fillUnitPrices(db: Db, signal: AbortSignal, limit = SLICE): Promise<void> {
  let isDone = false;
  while (!isDone && !signal.aborted) {
    isDone = await db.transaction((tx) => fillSlice(tx, limit));
  }
}

async function fillSlice(tx: Tx, limit: number): Promise<boolean> {
  const [row] = await tx.execute<{ after_id: number | null }>(sql`
    select (value ->> 'after_id')::bigint as after_id from setting
    where key = ${settingKey} and (value ->> 'version')::int = ${readingVersion} for update`);
  if (row?.after_id === null) return true;
  await tx.execute(sql`set local lock_timeout = '2s'`);
  const products = await tx.execute<{ [Column in keyof Product]: Product[Column] }>(sql`
    select item_id, title, price, variations from product
    where item_id > ${row?.after_id ?? 0} order by item_id limit ${limit} for share`);
  await storeUnitPrices(tx, products);
  const afterId = products.length < limit ? null : products.at(-1)?.item_id;
  await tx.execute(sql`
    insert into setting (key, value, updated_at)
    values (${settingKey}, ${JSON.stringify({ version: readingVersion, after_id: afterId })}::text::jsonb, now())
    on conflict (key) do update set value = excluded.value, updated_at = excluded.updated_at`);
  return afterId === null;
}
