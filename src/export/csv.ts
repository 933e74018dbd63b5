import type { Snapshot } from "../db/backup/snapshot.ts";

/** OID of pg_type. */
const TEXT = 25;

/**
 * Writes the result as CSV. Spreadsheets execute a cell that begins like a formula, so such a text gets a
 * leading apostrophe, which marks it as text. Numbers, and texts that are plain numbers, are not changed.
 */
export async function writeCsv(
  snapshot: Snapshot,
  query: string,
  open: () => NodeJS.WritableStream,
): Promise<void> {
  const columns = await snapshot.columns(query);
  const cells = columns.map(({ name, type }) => {
    const column = `"${name.replaceAll('"', '""')}"`;
    return type === TEXT ? `${neutralised(column)} as ${column}` : column;
  });
  await snapshot.csv(`select ${cells.join(", ")} from (${query}) q`, open);
}

const formula = String.raw`'^[=+\-@\t\r\n＝＋－＠]'`;
const plainNumber = String.raw`'^[+-]?\d+([.,]\d+)*$'`;

function neutralised(column: string): string {
  return `case when ${column} ~ ${formula} and ${column} !~ ${plainNumber} then chr(39) || ${column} else ${column} end`;
}
