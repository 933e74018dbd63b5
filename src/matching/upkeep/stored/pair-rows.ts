import { getTableColumns, sql, type SQL } from "drizzle-orm";
import { anyId, assignments, idList, recordset, type RowOf, rowsOf } from "../../../db/rows.ts";
import type { Tx } from "../../../db/open.ts";
import { matchPair } from "../../../db/schema/matching.ts";

/** Pairs of the model in use, and of the one that follows. */
export type PairTable = "match_pair" | "match_pair_next";

/** A row of `match_pair`. */
export type PairRow = RowOf<typeof matchPair.$inferSelect>;

const names = Object.values(getTableColumns(matchPair)).map(({ name }) => name);
const listed = sql.raw(names.join(", "));
const columns = sql.raw(
  names.map((name) => (name === "vetoes" ? "to_json(p.vetoes) as vetoes" : `p.${name}`)).join(", "),
);

export const keyOfPair = ({ a, b }: { a: number; b: number }): string => `${a} ${b}`;

export async function readPairsOf(
  tx: Tx,
  table: PairTable,
  itemIds: readonly number[],
): Promise<PairRow[]> {
  const ids = anyId(itemIds);
  const pairs = sql.identifier(table);
  return readRows(
    tx,
    sql`
    select ${columns} from ${pairs} p where p.a = ${ids}
    union all
    select ${columns} from ${pairs} p where p.b = ${ids} and p.a not in ${idList(itemIds)}`,
  );
}

/** A product and the shop in which its best partner may have changed. */
export interface Place {
  itemId: number;
  shopId: string;
}

/** The pairs of these products with products of those shops, without the pairs of `except`. */
export async function readPairsAt(
  tx: Tx,
  table: PairTable,
  places: readonly Place[],
  except: readonly number[],
): Promise<PairRow[]> {
  const rows = places.map(({ itemId, shopId }) => ({ item_id: itemId, shop_id: shopId }));
  const ids = idList(except);
  // Not flattened into a join: each place is looked up in an index, however large the planner thinks the table is.
  const pairsAt = (where: SQL) => sql`
    select ${columns} from place x cross join lateral (
      select * from ${sql.identifier(table)} p where ${where} offset 0) p
    where p.a not in ${ids} and p.b not in ${ids}`;
  const pairs = await readRows(
    tx,
    sql`
    with place as materialized (
      select * from ${recordset(rows, "x(item_id bigint, shop_id text)")}
    )
    ${pairsAt(sql`p.a = x.item_id and p.shop_b = x.shop_id`)}
    union all
    ${pairsAt(sql`p.b = x.item_id and p.shop_a = x.shop_id`)}`,
  );
  return [...new Map(pairs.map((pair) => [keyOfPair(pair), pair])).values()];
}

/** Postgres has these figures in single precision: calculated ones are rounded likewise, or else they would differ from stored ones. */
async function readRows(tx: Tx, query: SQL): Promise<PairRow[]> {
  const rows = await tx.execute<PairRow>(query);
  return rows.map((row) => Object.assign(row, rounded(row)));
}

export function rounded<Row extends Partial<PairRow>>(row: Row): Row {
  const figures = ["base", "soft_min", "cosine", "best_a", "best_b", "score"] as const;
  const values = figures.flatMap((name) => {
    const value = row[name];
    return value === undefined ? [] : [[name, Math.fround(value)] as const];
  });
  return { ...row, ...Object.fromEntries(values) };
}

export async function storePairs(
  tx: Tx,
  table: PairTable,
  rows: readonly PairRow[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx.execute(sql`
    insert into ${sql.identifier(table)} as p (${listed})
    select ${listed} from ${rowsOf(table, rows)} order by a, b
    on conflict (a, b) do update set ${assignments(names)}`);
}

export async function dropPairs(
  tx: Tx,
  table: PairTable,
  pairs: readonly PairRow[],
): Promise<void> {
  if (pairs.length === 0) return;
  await tx.execute(sql`
    delete from ${sql.identifier(table)} p using ${rowsOf(table, pairs)} x where p.a = x.a and p.b = x.b`);
}

export type Decided = { a: number; b: number; decision: "same" | "different" };

/** What people say of pairs of these products: their newest decision, unless it is unsure or undone. */
export async function readDecisions(tx: Tx, itemIds: readonly number[]): Promise<Decided[]> {
  const ids = idList(itemIds);
  return tx.execute<Decided>(sql`
    select a, b, decision from (
      select distinct on (a, b) a, b, decision from (
        select * from match_decision where a in ${ids} union all select * from match_decision where b in ${ids}
      ) concerned order by a, b, id desc
    ) newest where decision in ('same', 'different')`);
}
