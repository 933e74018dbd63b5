import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { z } from "zod";

export interface LabelledProduct {
  itemId: string;
  title: string;
}

export interface LabelledQuery {
  queryId: string;
  query: string;
  /** What makes the query hard; by default, the number of its words. */
  kind: string;
}

/** A product that is not labelled for a query is wrong for it. */
export interface LabelledSet {
  products: LabelledProduct[];
  queries: LabelledQuery[];
  /** By query, then by product of the set; above 0 is right, the more the better. */
  grades: Map<string, Map<string, number>>;
}

type Row = Record<string, unknown>;

const id = z.union([z.string().min(1), z.int()]).transform(String);
const product = z.object({ item_id: id, title: z.string() });
const query = z.object({ query_id: id, query: z.string(), kind: z.string().optional() });
const label = z.object({ query_id: id, item_id: id, grade: z.coerce.number().min(0) });

/** Reads JSON lines, a JSON array, CSV or tab-separated files, gzip by the name's ending; other columns are left out. */
export async function readLabelledSet(files: {
  products: string;
  queries: string;
  labels: string;
}): Promise<LabelledSet> {
  const products = await readTable(files.products, (row) =>
    product.parse({ item_id: row.id, ...row }),
  );
  const queries = await readTable(files.queries, (row) =>
    query.parse({ query_id: row.id, ...row }),
  );
  const labels = await readTable(files.labels, (row) => label.parse(row));
  const known = new Set(products.map(({ item_id }) => item_id));
  const grades = new Map<string, Map<string, number>>();
  for (const { query_id, item_id, grade } of labels) {
    if (!known.has(item_id)) continue;
    const ofQuery = grades.get(query_id) ?? new Map<string, number>();
    grades.set(query_id, ofQuery.set(item_id, Math.max(grade, ofQuery.get(item_id) ?? 0)));
  }
  return {
    products: products.map(({ item_id, title }) => ({ itemId: item_id, title })),
    queries: queries.map(({ query_id, query: text, kind }) => ({
      queryId: query_id,
      query: text,
      kind: kind ?? kindByLength(text),
    })),
    grades,
  };
}

function kindByLength(text: string): string {
  const words = text.trim().split(/\s+/).length;
  if (words === 1) return "1 word";
  return words < 5 ? `${words} words` : "5 words or more";
}

async function readTable<T>(file: string, toRow: (row: Row) => T): Promise<T[]> {
  return readRows(await readText(file)).map((row, i) => {
    try {
      return toRow(row);
    } catch (error) {
      throw new Error(`${file}, row ${i + 1}: ${JSON.stringify(row).slice(0, 200)}`, {
        cause: error,
      });
    }
  });
}

export async function readText(file: string): Promise<string> {
  const bytes = await readFile(file);
  return (file.endsWith(".gz") ? await promisify(gunzip)(bytes) : bytes).toString("utf8");
}

/** Rows of JSON lines, a JSON array, or separated values below a header line; the text shows which. */
export function readRows(text: string): Row[] {
  if (text.trimStart().startsWith("[")) return JSON.parse(text) as Row[];
  if (text.trimStart().startsWith("{")) {
    return text
      .split("\n")
      .flatMap((line) => (line.trim() === "" ? [] : [JSON.parse(line) as Row]));
  }
  const header = text.slice(0, text.indexOf("\n"));
  const [names = [], ...rows] = separatedValues(text, header.includes("\t") ? "\t" : ",");
  return rows.map((values) =>
    Object.fromEntries(
      names.flatMap((name, i) => {
        const value = values[i] ?? "";
        return value === "" ? [] : [[name.replace("\uFEFF", "").trim(), value]];
      }),
    ),
  );
}

/** As RFC 4180: a value in quotes may hold separators, line ends and doubled quotes. */
function separatedValues(text: string, separator: string): string[][] {
  const value = new RegExp(
    String.raw`(?:"([^"]*(?:""[^"]*)*)"|([^${separator}\r\n]*))(${separator}|\r?\n|$)`,
    "y",
  );
  const rows: string[][] = [];
  let row: string[] = [];
  while (value.lastIndex < text.length) {
    const at = value.lastIndex;
    const match = value.exec(text);
    if (match === null) {
      throw new Error(`row ${rows.length + 1}: cannot read ${text.slice(at, at + 80)}`);
    }
    const [, quoted, plain = "", end] = match;
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === separator) continue;
    if (row.some((one) => one !== "")) rows.push(row);
    row = [];
  }
  return rows;
}
