import type { Evidence, Finding } from "./evidence.ts";
import { violation } from "./evidence.ts";

interface Document {
  id: number;
  _ver: number;
  price: number;
  stock: number;
}

/** What changed is in the index soon, and nothing is set aside without being counted. */
export async function checkLag({ sql }: Evidence): Promise<Finding> {
  const late = await sql`
    select item_id, desired_version, indexed_version, dirty_since from mirror join mirror_index using (index_uid)
    where desired_version > indexed_version and dead_lettered_at is null and state <> 'retired'
      and dirty_since < now() - interval '60 s'`;
  const [sums] = await sql<{ dirty: string; dead_lettered: string; rows: string }[]>`
    select count(*) filter (where desired_version > indexed_version and dead_lettered_at is null) as dirty,
      count(*) filter (where dead_lettered_at is not null) as dead_lettered, count(*) as rows
    from mirror join mirror_index using (index_uid) where state <> 'retired'`;
  return {
    violations: [
      ...violation("changes not in the index after 60 s", late),
      ...(Number(sums?.dead_lettered) > 0 ? [`${sums?.dead_lettered} rows dead-lettered`] : []),
    ],
    seen: `${sums?.rows} rows, ${sums?.dirty} on their way, ${sums?.dead_lettered} dead-lettered`,
  };
}

type Row = {
  item_id: string;
  price: string;
  stock: string;
  desired_version: string;
  indexed_version: string;
};

/** The index holds exactly the products there are, as they are: compared row by row, never by count. */
export async function checkContent(evidence: Evidence): Promise<Finding> {
  const { sql, engine } = evidence;
  const uid = await servingIndex(evidence);
  if (uid === null) return { violations: ["no index is serving"], seen: "" };
  const missing: unknown[] = [];
  const wrong: unknown[] = [];
  const stray: unknown[] = [];
  const rows = await sql<Row[]>`
    select p.item_id, p.price, p.stock, m.desired_version, m.indexed_version from product p
    left join mirror m on m.index_uid = ${uid} and m.item_id = p.item_id
    where p.state <> 'gone'`;
  const { results } = await engine<{ results: Document[] }>(`/indexes/${uid}/documents/fetch`, {
    fields: ["id", "_ver", "price", "stock"],
    limit: 100_000,
  });
  const found = new Map(results.map((document) => [document.id, document]));
  for (const row of rows) {
    const document = found.get(Number(row.item_id));
    found.delete(Number(row.item_id));
    if (!document) missing.push(row);
    else if (!isSame(row, document)) wrong.push({ row, document });
  }
  stray.push(...found.keys());
  return {
    violations: [
      ...violation("products missing in the index", missing),
      ...violation("documents with another version or content", wrong),
      ...violation("documents of no product", stray),
    ],
    seen: `${results.length} documents`,
  };
}

function isSame(row: Row, document: Document): boolean {
  return (
    row.desired_version === row.indexed_version &&
    Number(row.indexed_version) === document._ver &&
    Number(row.price) === document.price &&
    Number(row.stock) === document.stock
  );
}

/** What is gone is neither found nor shown. */
export async function checkTombstones(evidence: Evidence): Promise<Finding> {
  const { sql, engine, page } = evidence;
  const uid = await servingIndex(evidence);
  const gone = await sql<{ item_id: string }[]>`
    select item_id from product where state = 'gone' order by random() limit 500`;
  const ids = gone.map((row) => Number(row.item_id));
  if (uid === null || ids.length === 0) return { violations: [], seen: "none gone yet" };
  const { results } = await engine<{ results: { id: number }[] }>(
    `/indexes/${uid}/documents/fetch`,
    { filter: `id IN [${ids.join(", ")}]`, fields: ["id"], limit: 1000 },
  );
  const shown: unknown[] = [];
  for (const id of ids.slice(0, 5)) {
    const { status } = await page(`/v1/products/${id}`);
    if (status !== 410) shown.push({ id, status });
  }
  return {
    violations: [
      ...violation("gone products in the index", results),
      ...violation("gone products that the API does not call gone", shown),
    ],
    seen: `${ids.length} of the gone looked for`,
  };
}

export async function servingIndex({ sql }: Pick<Evidence, "sql">): Promise<string | null> {
  const [row] = await sql<{ index_uid: string }[]>`
    select index_uid from mirror_index where state = 'serving'`;
  return row?.index_uid ?? null;
}
