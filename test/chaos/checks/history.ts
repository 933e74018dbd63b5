import { violation, type Evidence, type Finding } from "./evidence.ts";

/** History is one unbroken chain a product, ends in the present value, and was never rewritten. */
export async function checkHistory({ sql }: Evidence): Promise<Finding> {
  const current = await sql`
    select p.item_id from product p left join lateral (
      select price, proper_price, stock, first_seen from price_interval i
      where i.item_id = p.item_id order by first_seen desc limit 1) i on true
    where (i.price, i.proper_price, i.stock, i.first_seen)
      is distinct from (p.price, p.proper_price, p.stock, p.price_since)`;
  const broken = await sql`
    select item_id, first_seen from (
      select item_id, first_seen, prev_price, prev_stock, prev_confirmed_at,
        lag(price) over w as price_before, lag(stock) over w as stock_before,
        lag(first_seen) over w as seen_before
      from price_interval window w as (partition by item_id order by first_seen)) i
    where (prev_price, prev_stock) is distinct from (price_before, stock_before)
      or prev_confirmed_at < seen_before`;
  const [written] = await sql<{ rewritten: string; rows: string }[]>`
    select sum(n_tup_upd + n_tup_del) as rewritten, (select count(*) from price_interval) as rows
    from pg_stat_user_tables where relname like 'price\_interval%'`;
  return {
    violations: [
      ...violation("products whose newest interval is not their present value", current),
      ...violation("gaps in the chain of intervals", broken),
      ...(Number(written?.rewritten) > 0 ? [`${written?.rewritten} intervals rewritten`] : []),
    ],
    seen: `${written?.rows} intervals`,
  };
}

/** Everything was looked at in the last full pass, and the catalogue then says what the upstream says. */
export async function checkFreshness(evidence: Evidence): Promise<Finding> {
  const { sql, passBeganAt, isSettled, upstream } = evidence;
  const [oldest] = await sql<{ age: string | null; products: string }[]>`
    select extract(epoch from now() - min(checked_at))::int as age, count(*) as products
    from product where state <> 'gone'`;
  const seen = `${oldest?.products} products, the oldest look ${oldest?.age ?? 0} s ago`;
  if (passBeganAt === null) return { violations: [], seen };
  const starved = await sql`
    select shop_id, count(*) from product
    where state <> 'gone' and checked_at < ${passBeganAt.toISOString()}
      and first_seen_at < ${passBeganAt.toISOString()} group by 1`;
  const differences = isSettled ? await compareWithUpstream(sql, upstream.items) : [];
  return {
    violations: [...violation("shops not looked at in a full pass", starved), ...differences],
    seen: isSettled ? `${seen}; equal to the upstream` : seen,
  };
}

type Product = { item_id: string; price: string; stock: string; state: string };

async function compareWithUpstream(
  sql: Evidence["sql"],
  items: Evidence["upstream"]["items"],
): Promise<string[]> {
  const rows = await sql<Product[]>`select item_id, price, stock, state from product`;
  const products = new Map(rows.map((row) => [Number(row.item_id), row]));
  const isKnown = (id: number) => (products.get(id)?.state ?? "gone") !== "gone";
  const sold = new Set(items.map((item) => item.item_id));
  return [
    ...violation(
      "visible items that were never stored, or lost",
      items.filter((item) => item.visible === 1 && !isKnown(item.item_id)).map((i) => i.item_id),
    ),
    ...violation(
      "items stored with another price or stock",
      items
        .filter((item) => {
          const row = products.get(item.item_id);
          return row && (Number(row.price) !== item.price || Number(row.stock) !== item.stock);
        })
        .map((item) => [item.item_id, item.price, products.get(item.item_id)?.price]),
    ),
    ...violation(
      "products kept although the upstream has dropped them",
      rows.filter((row) => row.state !== "gone" && !sold.has(Number(row.item_id))),
    ),
  ];
}
