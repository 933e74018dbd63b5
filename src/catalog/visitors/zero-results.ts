import { sql } from "drizzle-orm";
import type { Db } from "../../db/open.ts";
import { type RowOf, rowsOf, toRecords } from "../../db/rows.ts";
import type { Clock } from "../../lib/clock.ts";
import { createDailyVisitors } from "./daily-visitors.ts";

const maxQueries = 1000;
const maxRows = 20_000;
const maxChars = 60;

/** `visitors` is the sum of the different visitors of each day. */
type Counts = { times: number; visitors: number };

/** Counts searches without results in bounded memory: how often and by how many, never by whom. */
export function createZeroResultCounter(clock: Clock) {
  const isNewToday = createDailyVisitors(clock);
  let counts = new Map<string, Counts>();
  return {
    add(q: string, visitor: string): void {
      const words = toWords(q);
      if (words === null || (!counts.has(words) && counts.size >= maxQueries)) return;
      const { times, visitors } = counts.get(words) ?? { times: 0, visitors: 0 };
      const more = isNewToday(visitor, words) ? 1 : 0;
      counts.set(words, { times: times + 1, visitors: visitors + more });
    },
    /** What was counted since the last call. */
    take(): ReadonlyMap<string, Counts> {
      const taken = counts;
      counts = new Map();
      return taken;
    },
  };
}

/** The typed words in one case, width and spacing; null if they cannot be a keyword. */
function toWords(q: string): string | null {
  const words = q.normalize("NFKC").toLowerCase().replaceAll(/\s+/g, " ").trim();
  const isUsable =
    words !== "" && Array.from(words).length <= maxChars && !/[\p{Cc}\p{Cs}]/u.test(words);
  return isUsable ? words : null;
}

/** Bounds the table: the words that fewest visitors missed are dropped first, then the oldest. */
export async function writeZeroResults(
  db: Db,
  counts: ReadonlyMap<string, Counts>,
  at: Date,
): Promise<void> {
  if (counts.size === 0) return;
  const rows = [...counts].map(([q, count]) => ({ q, ...count }));
  await db.execute(sql`
    delete from zero_result_query where q in (
      select q from zero_result_query order by visitors desc, times desc, last_at desc
      offset ${maxRows - rows.length})`);
  await db.execute(sql`
    insert into zero_result_query as v (q, times, visitors, last_at)
    select q, times, visitors, ${at.toISOString()} from ${rowsOf("zero_result_query", rows)} order by q
    on conflict (q) do update set times = v.times + excluded.times,
      visitors = v.visitors + excluded.visitors, last_at = excluded.last_at`);
}

export interface ZeroResultQuery {
  q: string;
  times: number;
  visitors: number;
  lastAt: Date;
  /** The keyword with these words, in all shops: proposed, or of ops, or removed by them. */
  keywordId: number | null;
}

/**
 * Words that fewer visitors missed are shown to nobody and not looked for: they may be private, and one
 * person can easily count as two, at home and on the way.
 */
export const zeroResultVisitors = 3;

/** Words searched for without results, those that most visitors missed first. */
export async function readZeroResultQueries(
  db: Db,
  { limit, without }: { limit: number; without?: "keyword" },
): Promise<ZeroResultQuery[]> {
  const rows = await db.execute<RowOf<ZeroResultQuery>>(sql`
    select q, times, visitors, last_at, keyword_id
    from zero_result_query left join (
      select lower(normalize(q, NFKC)) as q, (array_agg(id order by removed_at nulls first, id))[1] as keyword_id
      from crawl_query where shop_id is null group by 1) keyword using (q)
    where visitors >= ${zeroResultVisitors}
      ${without === "keyword" ? sql`and keyword_id is null` : sql``}
    order by visitors desc, times desc, q limit ${limit}`);
  return toRecords<ZeroResultQuery>(rows, { lastAt: true });
}

/** Drops words not typed for three months. */
export async function forgetZeroResultQueries(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - 90 * 86_400_000).toISOString();
  await db.execute(sql`delete from zero_result_query where last_at < ${before}`);
}
