import { createHash, randomBytes } from "node:crypto";
import { and, count, desc, eq, isNotNull, isNull, sql, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Db, Tx } from "../db/open.ts";
import { apiKey, type apiKeyDay } from "../db/schema.ts";
import { must } from "../lib/must.ts";
import { type RowOf, rowsOf } from "../db/rows.ts";

/** A process keeps all keys in memory, and metrics name each of them. */
export const mostKeys = 1000;
const revokedShown = 100;

export interface NewKey {
  name: string;
  perMinute: number | null;
  perDay: number | null;
  origins: string[];
}

type StoredKey = Omit<typeof apiKey.$inferSelect, "hash">;
export type ListedKey = StoredKey & {
  /** `YYYY-MM-DD`. */
  lastUsedDay: string | null;
};

export interface CreatedKey {
  stored: StoredKey;
  text: string;
}

/** What a request needs to know of its key. */
export type LiveKey = Pick<StoredKey, "keyId" | "perMinute" | "perDay" | "origins">;

/** All but the hash, and no column by default: answers have each of them. */
const shown = {
  keyId: apiKey.keyId,
  name: apiKey.name,
  lastFour: apiKey.lastFour,
  perMinute: apiKey.perMinute,
  perDay: apiKey.perDay,
  origins: sql`jsonb_build_array(${apiKey.origins})`.mapWith(toOrigins),
  createdAt: apiKey.createdAt,
  revokedAt: apiKey.revokedAt,
};

/** What somebody wrote into the database, and is none, is one that no page has: the key does not become one for everybody. */
function toOrigins(stored: unknown[]): string[] {
  return stored.flat().map((origin) => (typeof origin === "string" ? origin : "?"));
}

/** The key with this text; null: there was none yet. */
export async function findKey(db: Db | Tx, text: string): Promise<StoredKey | null> {
  const [found] = await db
    .select(shown)
    .from(apiKey)
    .where(eq(apiKey.hash, hashOf(text)));
  return found ?? null;
}

/** The only moment at which the text of a key is known; null if there are too many keys. Who sends the same text again gets the same key. */
export async function createKey(
  tx: Tx,
  { text, ...request }: NewKey & { text: string },
  now: Date,
): Promise<CreatedKey | null> {
  const [live] = await tx.select({ keys: count() }).from(apiKey).where(isNull(apiKey.revokedAt));
  if ((live?.keys ?? 0) >= mostKeys) return null;
  const values = { ...request, hash: hashOf(text), lastFour: text.slice(-4), createdAt: now };
  const [added] = await tx.insert(apiKey).values(values).onConflictDoNothing().returning(shown);
  return { stored: must(added ?? (await findKey(tx, text)), "the new key"), text };
}

/** Returns false if there is no such live key. */
export async function revokeKey(tx: Tx, keyId: number, now: Date): Promise<boolean> {
  const rows = await tx
    .update(apiKey)
    .set({ revokedAt: now })
    .where(and(eq(apiKey.keyId, keyId), isNull(apiKey.revokedAt)))
    .returning({ keyId: apiKey.keyId });
  return rows.length > 0;
}

/** All live keys, newest first, then those that were revoked last. */
export async function listKeys(db: Db): Promise<ListedKey[]> {
  const lastUsedDay = sql<string | null>`(
    select max(day)::text from api_key_day where api_key_day.key_id = ${apiKey}.key_id)`;
  const listed = { ...shown, lastUsedDay };
  const read = (which: SQL, newestBy: PgColumn, most: number) =>
    db.select(listed).from(apiKey).where(which).orderBy(desc(newestBy)).limit(most);
  const [live, revoked] = await Promise.all([
    read(isNull(apiKey.revokedAt), apiKey.keyId, mostKeys),
    read(isNotNull(apiKey.revokedAt), apiKey.revokedAt, revokedShown),
  ]);
  return [...live, ...revoked];
}

/**
 * Differs whenever a key was created or revoked, because rows are never deleted and a revocation is
 * never taken back.
 */
export async function readRevision(db: Db): Promise<string> {
  const [row] = await db.execute<{ revision: string }>(
    sql`select concat(count(*), '/', count(revoked_at)) as revision from api_key`,
  );
  return must(row, "a revision").revision;
}
export async function readLiveKeys(db: Db): Promise<Map<string, LiveKey>> {
  const { keyId, perMinute, perDay, origins } = shown;
  const rows = await db
    .select({ hash: apiKey.hash, keyId, perMinute, perDay, origins })
    .from(apiKey)
    .where(isNull(apiKey.revokedAt));
  return new Map(rows.map(({ hash: known, ...key }) => [known, key]));
}

/** The prefix lets people and programs that look for leaked secrets recognise a key. */
const prefix = "kurabe_";
const pattern = /^kurabe_[0-9a-f]{48}$/;

const keyBytes = 24;

/** A key with 192 random bits. */
export function createKeyText(random: Uint8Array = randomBytes(keyBytes)): string {
  return `${prefix}${Buffer.from(random.subarray(0, keyBytes)).toString("hex")}`;
}

const hashOf = (text: string) => must(toKeyHash(text), "the text of a key");

/**
 * What is stored of a key, and looked up by; null for a text that cannot be a key. Nobody can choose a
 * key for its hash, so the time of a look-up says nothing about the hashes of others.
 */
export function toKeyHash(text: string): string | null {
  return pattern.test(text) ? createHash("sha256").update(text).digest("hex") : null;
}

/** Counts of a key and a day that the database does not have yet. */
export type UseRow = RowOf<typeof apiKeyDay.$inferSelect>;

/** The requests of a key and day, of all processes. */
export type UseTotal = Pick<UseRow, "key_id" | "day" | "requests" | "minute" | "minute_requests">;

/** Clocks of processes differ by no more. A minute further ahead was stored while a clock was ahead. */
const mostAhead = 1;

/** Adds the counts and returns the totals of these and of all keys used today, in one statement. */
export async function exchangeUse(
  db: Db,
  rows: readonly UseRow[],
  now: { day: string; minute: number },
): Promise<UseTotal[]> {
  const today = now.day;
  const stored = sql`case when d.minute <= ${now.minute + mostAhead}::int then d.minute else 0 end`;
  // All processes write in the same order, so that they cannot deadlock.
  return db.execute<UseTotal>(sql`
    with sent as (
      insert into api_key_day as d
        (key_id, day, requests, errors, limited, other_origin, minute, minute_requests)
      select key_id, day, requests, errors, limited, other_origin, minute, minute_requests
      from ${rowsOf("api_key_day", rows)} order by key_id, day
      on conflict (key_id, day) do update set
        requests = d.requests + excluded.requests, errors = d.errors + excluded.errors,
        limited = d.limited + excluded.limited, other_origin = d.other_origin + excluded.other_origin,
        minute = greatest(${stored}, excluded.minute),
        minute_requests = case when ${stored} <= excluded.minute then excluded.minute_requests else 0 end
          + case when ${stored} >= excluded.minute then d.minute_requests else 0 end
      returning key_id, day, requests, minute, minute_requests
    )
    select key_id, day::text as day, requests, minute, minute_requests from sent
    union all
    select key_id, day::text, requests, minute, minute_requests from api_key_day
    where day = ${today} and key_id not in (select key_id from sent where day = ${today})`);
}

export type UseDay = Omit<UseRow, "minute" | "minute_requests">;

/** What the console and the ops API show; `analytics.api_usage` has all days. */
export const useDaysShown = 7;

/** Use of each key per day since a day, newest day first; key 0: requests without a key. */
export async function readUse(db: Db, since: string): Promise<UseDay[]> {
  return db.execute<UseDay>(sql`
    select key_id, day::text as day, requests, errors, limited, other_origin from api_key_day
    where day >= ${since} order by day desc, key_id`);
}
