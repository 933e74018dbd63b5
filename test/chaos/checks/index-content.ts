import type postgres from "postgres";
import { violation, type Evidence, type Finding } from "./evidence.ts";

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

/**
 * Each index holds exactly the products that belong into it, as they are: compared row by row, never by
 * count. With several hosts these are the products of the buckets that are placed on its host.
 */
export async function checkContent(evidence: Evidence): Promise<Finding> {
  const indexes = await servingIndexes(evidence);
  if (indexes.length === 0) return { violations: ["no index is serving"], seen: "" };
  const findings = await Promise.all(indexes.map((index) => checkIndex(evidence, index)));
  return {
    violations: [
      ...findings.flatMap(({ violations }) => violations),
      ...violation("buckets with a copy that is not searched", await copiesMissing(evidence)),
    ],
    seen: findings.map(({ seen }) => seen).join(", "),
  };
}

/** With several hosts each product is on two. */
async function copiesMissing({ sql, hosts }: Evidence): Promise<readonly unknown[]> {
  if (hosts.length === 1) return [];
  return sql`
    select b as bucket, count(p.host) as copies from generate_series(0, 1023) b
    left join search_placement p on p.bucket = b and p.state = 'serving' group by b having count(p.host) <> 2`;
}

async function checkIndex({ sql, engine }: Evidence, { uid, url, host }: Index): Promise<Finding> {
  const missing: unknown[] = [];
  const wrong: unknown[] = [];
  const stray: unknown[] = [];
  const rows = await sql<Row[]>`
    select p.item_id, p.price, p.stock, m.desired_version, m.indexed_version from product p
    left join mirror m on m.index_uid = ${uid} and m.item_id = p.item_id
    where p.state <> 'gone' and ${belongs(sql, host)}`;
  const { results } = await engine<{ results: Document[] }>(
    url,
    `/indexes/${uid}/documents/fetch`,
    {
      fields: ["id", "_ver", "price", "stock"],
      limit: 100_000,
    },
  );
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
      ...violation(`products missing in ${uid}`, missing),
      ...violation(`documents with another version or content in ${uid}`, wrong),
      ...violation(`documents of no product in ${uid}`, stray),
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
  const indexes = await servingIndexes(evidence);
  const gone = await sql<{ item_id: string }[]>`
    select item_id from product where state = 'gone' order by random() limit 500`;
  const ids = gone.map((row) => Number(row.item_id));
  if (indexes.length === 0 || ids.length === 0) return { violations: [], seen: "none gone yet" };
  const found: unknown[] = [];
  for (const { uid, url } of indexes) {
    const { results } = await engine<{ results: { id: number }[] }>(
      url,
      `/indexes/${uid}/documents/fetch`,
      { filter: `id IN [${ids.join(", ")}]`, fields: ["id"], limit: 1000 },
    );
    found.push(...results);
  }
  const shown: unknown[] = [];
  for (const id of ids.slice(0, 5)) {
    const { status } = await page(`/v1/products/${id}`);
    if (status !== 410) shown.push({ id, status });
  }
  return {
    violations: [
      ...violation("gone products in an index", found),
      ...violation("gone products that the API does not call gone", shown),
    ],
    seen: `${ids.length} of the gone looked for`,
  };
}

/** An index that answers searches; `host`: its number, 0 for the only host. */
export interface Index {
  uid: string;
  url: string;
  host: number;
}

export async function servingIndexes({
  sql,
  hosts,
}: Pick<Evidence, "sql" | "hosts">): Promise<readonly Index[]> {
  return sql<Index[]>`
    select index_uid as uid, coalesce(h.url, ${hosts[0] ?? ""}) as url, host
    from mirror_index left join search_host h using (host) where state = 'serving'`;
}

/** A condition on product `p`: it is to be found on this host. */
export function belongs(sql: postgres.Sql, host: number): postgres.PendingQuery<postgres.Row[]> {
  return host === 0
    ? sql`true`
    : sql`exists (select from search_placement s
        where s.host = ${host} and s.bucket = search_bucket(p.item_id) and s.state <> 'leaving')`;
}
