import { sql, type SQL } from "drizzle-orm";
import { idList, rowsOf } from "../../db/rows.ts";
import type { Db, Tx } from "../../db/open.ts";
import { unlessHeld } from "../../db/transact.ts";
import type { Clock } from "../../lib/clock.ts";
import { inParts } from "../../lib/async.ts";
import { createZeroResultCounter, writeZeroResults } from "./zero-results.ts";

/** Counts what users look at. These functions never wait or throw, and store nothing about the user. */
export interface Demand {
  /** Products shown in a list, best first; `offset`: how many were on the pages before. */
  shown(itemIds: readonly number[], offset?: number): void;
  /** The page of one product was opened; `interest` counts in opens. */
  opened(itemId: number, interest?: number): void;
  /**
   * A search by words, without filters, found nothing. `visitor`: any text that tells visitors apart,
   * such as their address; only a hash of it is kept, until the end of the day.
   */
  foundNothing(q: string, visitor: string): void;
}

/** The half-life of a score, in days. */
export const halfLifeDays = 7;
/** The first place in a list counts a tenth of an open; lower places count less. */
const shownFirst = 0.1;
const maxProducts = 50_000;
/** Products of one statement. */
const partSize = 250;

/**
 * Counts demand in bounded memory and writes it in bulk. A search only costs some additions; a crash
 * loses a few seconds of counts.
 */
export function createDemandBuffer(db: Db, clock: Clock) {
  let scores = new Map<number, number>();
  const zeroResults = createZeroResultCounter(clock);

  function add(itemId: number, score: number): void {
    const known = scores.get(itemId);
    if (known === undefined && scores.size >= maxProducts) return;
    scores.set(itemId, (known ?? 0) + score);
  }

  const demand: Demand = {
    shown(itemIds, offset = 0) {
      for (const [i, itemId] of itemIds.entries()) {
        add(itemId, shownFirst / Math.log2(2 + offset + i));
      }
    },
    opened: (itemId, interest = 1) => add(itemId, interest),
    foundNothing: (q, visitor) => zeroResults.add(q, visitor),
  };
  return {
    ...demand,
    /** Writes what was counted since the last flush. If the write fails, the counts are lost. */
    async flush(): Promise<void> {
      const gathered = { scores, zeroResults: zeroResults.take() };
      scores = new Map();
      await writeScores(db, gathered.scores, clock.now());
      await writeZeroResults(db, gathered.zeroResults, clock.now());
    },
  };
}

/** The score of the row `d` as it has faded until then. */
const fadedUntil = (at: SQL) => sql`d.score * power(0.5,
  greatest(0, extract(epoch from ${at} - d.updated_at)) / ${halfLifeDays * 86_400}::float8)`;

async function writeScores(db: Db, scores: ReadonlyMap<number, number>, at: Date): Promise<void> {
  const rows = [...scores].map(([item_id, score]) => ({ item_id, score }));
  // All processes write in the same order, so that they cannot deadlock.
  const writePart = (part: readonly (typeof rows)[number][]) =>
    db.execute(sql`
    insert into demand as d (item_id, score, updated_at)
    select item_id, score, ${at.toISOString()} from ${rowsOf("demand", part)} order by item_id
    on conflict (item_id) do update set score = ${fadedUntil(sql`excluded.updated_at`)} + excluded.score,
      updated_at = greatest(d.updated_at, excluded.updated_at)`);
  await inParts(rows, partSize, writePart);
}

/** The present score of each product, in opens. Products without a score are left out; all are while the table is locked. */
export async function readDemand(
  db: Db | Tx,
  itemIds: readonly number[],
  now: Date,
): Promise<Map<number, number>> {
  if (itemIds.length === 0) return new Map();
  let rows: { item_id: number; score: number }[] = [];
  await unlessHeld(db, async (part) => {
    rows = await part.execute<(typeof rows)[number]>(sql`
      select item_id, ${fadedUntil(sql`${now.toISOString()}::timestamptz`)} as score
      from demand d where item_id in ${idList(itemIds)}`);
  });
  return new Map(rows.map((row) => [row.item_id, row.score]));
}

/** Scores looked at in one statement. */
const forgetSlice = 10_000;

/** Drops scores that have faded below a hundredth of an open. */
export async function forgetDemand(db: Db, now: Date, signal?: AbortSignal): Promise<void> {
  const before = new Date(now.getTime() - halfLifeDays * 86_400_000).toISOString();
  const faded = sql`d.updated_at < ${before}
    and ${fadedUntil(sql`${now.toISOString()}::timestamptz`)} < 0.01`;
  let after: number | null = -1;
  while (after !== null && !signal?.aborted) {
    const [row]: { last: number | null; seen: number }[] = await db.execute(sql`
      with slice as materialized (
        select item_id, ${faded} as is_faded from demand d where item_id > ${after}
        order by item_id limit ${forgetSlice}
      ), dropped as (
        delete from demand d where item_id = any (array(select item_id from slice where is_faded)) and ${faded}
      )
      select max(item_id) as last, count(*) as seen from slice`);
    after = row && row.seen === forgetSlice ? row.last : null;
  }
}
