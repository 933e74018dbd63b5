import { createHash } from "node:crypto";
import { sql, type SQL } from "drizzle-orm";
import { type RowOf, rowsOf, textList, toRecords } from "../../db/rows.ts";
import type { Db, Tx } from "../../db/open.ts";
import type { Logger } from "../../lib/logger.ts";
import { allHostsPrefix, hostPrefix } from "../mirror/indexes/hosts.ts";
import { bucketCount } from "../index/bucket.ts";
import { forgetIndex, forgetRows } from "../mirror/indexes/indexes.ts";

/** An address without the credentials that it may contain. */
export function plainUrl(host: string): string {
  const url = new URL(host);
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}

const copiesKey = "search_copies";

/** As the worker that started last has it: two that each followed their own would undo each other's moves. */
export async function readCopies(db: Db | Tx): Promise<number> {
  const [row] = await db.execute<{ copies: number }>(sql`
    select (value #>> '{}')::int as copies from setting where key = ${copiesKey}`);
  return row?.copies ?? 1;
}

/** The hosts and copies of the settings; those of earlier settings are emptied. Called once at a start of a worker. */
export async function registerHosts(
  db: Db,
  { urls, copies }: { urls: readonly string[]; copies: number },
): Promise<void> {
  const wanted = textList(urls.map(plainUrl));
  await db.transaction(async (tx) => {
    await tx.execute(sql`
      insert into setting (key, value, updated_at)
      values (${copiesKey}, ${JSON.stringify(copies)}::text::jsonb, clock_timestamp())
      on conflict (key) do update set value = excluded.value, updated_at = excluded.updated_at`);
    await tx.execute(sql`
      insert into search_host (url, wanted, added_at)
      select url, true, clock_timestamp() from ${wanted} as t(url) order by url
      on conflict (url) do update set wanted = true`);
    await tx.execute(sql`update search_host set wanted = false where url not in ${wanted}`);
  });
}

export interface KnownHost extends PlannedHost {
  /** false: nobody searches it any more, and it is about to be forgotten. */
  isNeeded: boolean;
}

export async function readHosts(db: Db | Tx): Promise<KnownHost[]> {
  const rows = await db.execute<RowOf<KnownHost>>(sql`
    select host, url, wanted, wanted or exists (
      select from search_placement p where p.host = h.host and p.state <> 'leaving') as is_needed
    from search_host h order by host`);
  return toRecords<KnownHost>(rows, {});
}

export interface PlanOptions {
  db: Db;
  logger: Logger;
  indexPrefix: string;
  leaveAfterMs: number;
}

/** Brings the placement nearer to what the hosts and copies ask for. Any number of processes may call it. */
export async function advancePlacement(options: PlanOptions): Promise<void> {
  const { db, logger } = options;
  const moves = planMoves(await readHosts(db), await readRows(db), await readCopies(db));
  if (moves.fill.length + moves.leave.length > 0) {
    await db.transaction(async (tx) => {
      // Products wait meanwhile, as in `openMirrorIndex`: their triggers must see the new buckets.
      await tx.execute(sql`set local lock_timeout = '2s'`);
      await tx.execute(sql`lock table product in share row exclusive mode`);
      await write(tx, planMoves(await readHosts(tx), await readRows(tx), await readCopies(tx)));
    });
    logger.info(
      { fill: moves.fill.length, leave: moves.leave.length },
      "buckets move between search hosts",
    );
  }
  await forgetUnwanted(options);
}

async function readRows(db: Db | Tx): Promise<PlacementRow[]> {
  return db.execute<RowOf<PlacementRow>>(sql`select bucket, host, state from search_placement`);
}

async function write(tx: Tx, { fill, leave }: Moves): Promise<void> {
  if (fill.length > 0) {
    await tx.execute(sql`
      insert into search_placement (bucket, host, state, changed_at)
      select bucket, host, 'filling', clock_timestamp() from ${rowsOf("search_placement", fill)}`);
    await tx.execute(sql`
      update mirror_index set entered_to = 0
      where state <> 'retired' and host in (select host from ${rowsOf("search_placement", fill)})`);
  }
  if (leave.length > 0) {
    await tx.execute(sql`
      update search_placement p set state = 'leaving', changed_at = clock_timestamp()
      from ${rowsOf("search_placement", leave)} l where p.bucket = l.bucket and p.host = l.host`);
  }
}

const rowsAtOnce = 10_000;

/** Deletes the rows of indexes that nothing keeps up to date any more, some at a time; true once none is left. */
async function forgetIndexes(db: Db, indexes: readonly { index_uid: string }[]): Promise<boolean> {
  for (const { index_uid: indexUid } of indexes) {
    if (await forgetRows(db, indexUid, rowsAtOnce)) return false;
    await forgetIndex(db, indexUid);
  }
  return true;
}

/** Retires these indexes, which stay in their engines. Returns true once their rows are gone. */
async function retireIndexes(db: Db, where: SQL): Promise<boolean> {
  const indexes = await db.execute<{ index_uid: string }>(sql`
    update mirror_index set state = 'retired' where ${where} returning index_uid`);
  return forgetIndexes(db, indexes);
}

/** With several hosts: retires the index of the only host that there was before. Returns true once its rows are gone. */
export function forgetOnlyHost(db: Db, indexPrefix: string): Promise<boolean> {
  return retireIndexes(db, sql`host = 0 and starts_with(index_uid, ${indexPrefix})`);
}

/** With one host: forgets the hosts that there were before. Returns true once their rows are gone. */
export async function forgetAllHosts(db: Db, indexPrefix: string): Promise<boolean> {
  const known = await db.execute(sql`select from search_host limit 1`);
  if (known.length === 0) return true;
  await db.execute(sql`delete from search_placement`);
  const ofHosts = sql`host > 0 and starts_with(index_uid, ${allHostsPrefix(indexPrefix)})`;
  if (!(await retireIndexes(db, ofHosts))) return false;
  await db.execute(sql`delete from search_host`);
  return true;
}

/**
 * Retires the indexes of an earlier MEILI_INDEX_PREFIX, which stay in their engines, and excludes their hosts from
 * searches until these have theirs. Returns true once their rows are gone.
 */
export async function forgetOtherNames(db: Db, indexPrefix: string): Promise<boolean> {
  const isOther = sql`not starts_with(index_uid, ${indexPrefix})
    and not starts_with(index_uid, ${allHostsPrefix(indexPrefix)})`;
  await db.execute(sql`
    update search_placement set state = 'filling', changed_at = clock_timestamp()
    where state = 'serving' and host in (select host from mirror_index where ${isOther})`);
  return retireIndexes(db, isOther);
}

/** Whether every bucket is searched on as many hosts as it is to be. */
export async function isAllServing(db: Db): Promise<boolean> {
  const [row] = await db.execute<{ filling: boolean; n: number }>(sql`
    select coalesce(bool_or(state = 'filling'), true) as filling,
      count(distinct bucket) filter (where state = 'serving')::int as n from search_placement`);
  return row?.filling === false && row.n === bucketCount;
}

/** A host that nobody searches any more is forgotten, whether it still answers or not. Its index stays there. */
async function forgetUnwanted({
  db,
  logger,
  indexPrefix,
  leaveAfterMs,
}: PlanOptions): Promise<void> {
  for (const { host, url, wanted } of await readHosts(db)) {
    if (wanted) continue;
    const busy = await db.execute(sql`
      select from search_placement where host = ${host}
        and (state <> 'leaving' or changed_at > clock_timestamp() - ${leaveAfterMs} * interval '1 millisecond')
      limit 1`);
    if (busy.length > 0) continue;
    await db.execute(sql`update mirror_index set state = 'retired' where host = ${host}`);
    const indexes = await db.execute<{ index_uid: string }>(sql`
      select index_uid from mirror_index
      where host = ${host} and starts_with(index_uid, ${hostPrefix(indexPrefix, host)})`);
    if (!(await forgetIndexes(db, indexes))) return;
    await db.execute(sql`delete from search_placement where host = ${host}`);
    await db.execute(sql`delete from search_host where host = ${host} and not wanted`);
    logger.info({ url }, "the search host is forgotten");
  }
}

export interface PlannedHost {
  host: number;
  url: string;
  /** false: its buckets move to the others. */
  wanted: boolean;
}

export type PlacementState = "filling" | "serving" | "leaving";

export interface PlacementRow {
  bucket: number;
  host: number;
  state: PlacementState;
}

export interface Moves {
  fill: { bucket: number; host: number }[];
  leave: { bucket: number; host: number }[];
}

/**
 * The hosts for a bucket, first choice first, by rendezvous hashing: every host draws a number for the
 * bucket and the highest have it. So a host that comes or goes moves only its own share.
 */
export function rankHosts(bucket: number, urls: readonly string[]): string[] {
  return urls
    .map((url) => ({
      url,
      draw: createHash("sha256").update(`${bucket} ${url}`).digest().readUIntBE(0, 6),
    }))
    .toSorted((a, b) => b.draw - a.draw || (a.url < b.url ? -1 : 1))
    .map(({ url }) => url);
}

/**
 * What has to change so that every bucket is on `copies` wanted hosts. A bucket leaves a host only when
 * all hosts that should have it are searched.
 */
export function planMoves(
  hosts: readonly PlannedHost[],
  rows: readonly PlacementRow[],
  copies: number,
): Moves {
  const byUrl = new Map(hosts.map((host) => [host.url, host.host]));
  const urls = hosts.filter((host) => host.wanted).map((host) => host.url);
  const placed = Array.from({ length: bucketCount }, () => new Map<number, PlacementState>());
  for (const { bucket, host, state } of rows) placed[bucket]?.set(host, state);
  const moves: Moves = { fill: [], leave: [] };
  for (const [bucket, now] of placed.entries()) {
    const desired = rankHosts(bucket, urls)
      .slice(0, copies)
      .flatMap((url) => byUrl.get(url) ?? []);
    // A row that leaves has to be gone before it can come back.
    for (const host of desired) if (!now.has(host)) moves.fill.push({ bucket, host });
    const isReady = desired.length > 0 && desired.every((host) => now.get(host) === "serving");
    for (const [host, state] of now) {
      if (desired.includes(host) || state === "leaving") continue;
      if (isReady || state === "filling") moves.leave.push({ bucket, host });
    }
  }
  return moves;
}
