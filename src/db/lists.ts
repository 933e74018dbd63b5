import { sql, type SQL } from "drizzle-orm";

/** A subquery of these ids, as in `item_id in ${idList(ids)}`: one parameter, whatever their number. */
export function idList(ids: readonly number[]): SQL {
  return sql`(select x::bigint from json_array_elements_text(${JSON.stringify(ids)}::text::json) as t(x))`;
}

/**
 * These ids for `item_id = ${anyId(ids)}`: each id is looked up in an index, whatever the planner thinks of the sizes
 * of the list and of a table that grows while it is read.
 */
export function anyId(ids: readonly number[]): SQL {
  return sql`any (array${idList(ids)})`;
}

/** `idList` for texts. */
export function textList(texts: readonly (string | number)[]): SQL {
  return sql`(select json_array_elements_text(${JSON.stringify(texts)}::text::json))`;
}

/** `anyId` for texts: a table of many rows is not read whole for a few of them. */
export function anyText(texts: readonly string[]): SQL {
  return sql`any (array${textList(texts)})`;
}
