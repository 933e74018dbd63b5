import { sql, type SQL } from "drizzle-orm";
import { assignments, mostCount, oneMore, textList } from "../../db/rows.ts";
import type { Db, Tx } from "../../db/open.ts";
import type { backoff } from "../../db/schema.ts";
import { dayMs, hourMs } from "../../lib/calendar.ts";
import { toDays } from "../scoring/days.ts";

/**
 * The subject of a call, which its failure is blamed on: a keyword's list in one order (`keyword`), one
 * position in it (`page`), a shop, or a product.
 */
export interface Subject {
  kind: (typeof backoff.$inferSelect)["kind"];
  /** `query:order`, `query:order:position`, or the id of the shop or product. */
  key: string;
}

/** A failed call, as its subject records it. */
export interface CallFailure {
  /** As in the ledger. */
  code: string;
  /** For people. */
  message: string;
  callId: number;
  at: Date;
  /**
   * `refused`: the upstream rejects these parameters. `doubted`: the answer contradicts what is known.
   * `broken`: there is no usable answer, or it could not be stored. `account`: the failure concerns our
   * credentials or limits.
   */
  kind: "refused" | "doubted" | "broken" | "account";
  /** The count that a doubted search answered. */
  found: number | null;
  /** The calls of a day: a failing subject gets a small part of them. */
  callsPerDay: number;
  /** No failed subject is tried again before: another one finds out whether calls succeed. */
  notBefore: Date | null;
}

/** What the latest failure replaces. */
const ofFailure = ["code", "reason", "call_id", "failed_at"];

/** The code of products whose data cannot be read. */
export const unreadable = "unreadable";

const secondMs = 1000;

/** Halving takes so many calls, each with other ids: they may follow soon. */
const halvings = 6;
/** While no other call succeeds, the upstream may be at fault: its recovery must be noticed soon. */
const longestWithoutSuccessMs = 10 * 60 * secondMs;
const failuresWithoutSuccess = 11;

/** A single product or position is tried again soon, in case it fails no more. */
const soon = [2 * secondMs, 60 * secondMs];

/** Once it is known what fails, other subjects make so many calls between two tries of it. */
const callsBetween = 100;

export function triesApartMs(callsPerDay: number): number {
  return Math.max(60 * secondMs, (callsBetween * dayMs) / callsPerDay);
}

/**
 * Milliseconds until a subject is tried again after so many failures in a row: at once while halving
 * finds what is at fault; then it gets at most 1% of the day's calls, and half as many with every
 * further failure.
 */
export function retryDelayMs(kind: Subject["kind"], failures: number, callsPerDay: number): number {
  const apartMs = triesApartMs(callsPerDay);
  const grown = (firstMs: number, times: number) => firstMs * 2 ** Math.min(30, times);
  if (kind === "product" || kind === "page") {
    const times = failures - 1 - soon.length;
    return soon[failures - 1] ?? Math.min(16 * dayMs, grown(Math.max(hourMs, apartMs), times));
  }
  if (failures <= halvings) return secondMs;
  return Math.min(Math.max(dayMs, apartMs), grown(apartMs, failures - halvings - 1));
}

/** A half is a new call, but a refused or doubted call would be repeated as it was: it waits longer. */
function failureDelayMs(
  kind: Subject["kind"],
  { kind: failure, callsPerDay }: CallFailure,
  failures: number,
): number {
  if (failure === "refused") return retryDelayMs("page", failures + 2, callsPerDay);
  // A doubted answer is often a real change: the second one decides.
  if (failure === "doubted")
    return Math.min(dayMs, 60 * secondMs * 2 ** Math.min(30, failures - 1));
  return retryDelayMs(kind, failures, callsPerDay);
}

/**
 * Records a failure with its subject, which then waits: longer with every failure in a row, quickly up
 * to a day if calls about other subjects succeed. `halving`: the ids or positions of the call, which
 * are requested in halves next; `together`: those that wait together; without both, the call is repeated whole.
 * Returns whether the failure is the subject's own: it failed in the same way before, and calls about other
 * subjects have succeeded since.
 */
export async function noteFailure(
  tx: Tx,
  subject: Subject,
  failure: CallFailure,
  detail: {
    halving?: readonly number[];
    together?: number[];
    isolated?: boolean;
    /** See `readOthersSucceed`; read if left out. */
    othersSucceed?: boolean;
  } = {},
): Promise<boolean> {
  const { code, message, callId, at, notBefore } = failure;
  const [before] = await tx.execute<{
    failures: number;
    code: string;
    others_succeeded: boolean;
  }>(sql`
    select failures, code, exists (
      select from api_call c where c.id > b.call_id and c.outcome = 'ok') as others_succeeded
    from backoff b where kind = ${subject.kind} and key = ${subject.key} for update`);
  const othersSucceed = detail.othersSucceed ?? (await readOthersSucceed(tx, callId));
  const counted = Math.min((before?.failures ?? 0) + 1, mostCount);
  const failures = othersSucceed
    ? counted
    : Math.max(before?.failures ?? 0, Math.min(counted, failuresWithoutSuccess));
  const longestMs = othersSucceed ? Infinity : longestWithoutSuccessMs;
  // What is left out together stands below a position that was tried again.
  const tries = detail.together ? failures + soon.length : failures;
  const delayMs = Math.min(longestMs, failureDelayMs(subject.kind, failure, tries));
  const retryAt = new Date(Math.max(at.getTime() + delayMs, notBefore?.getTime() ?? 0));
  const { part, rest } = detail.together
    ? { part: detail.together, rest: null }
    : halve(detail.halving ?? []);
  await tx.execute(sql`
    insert into backoff as b (kind, key, failures, code, reason, call_id, first_failed_at, failed_at,
      retry_at, part, rest, isolated)
    values (${subject.kind}, ${subject.key}, ${failures}, ${code}, ${message}, ${callId},
      ${at.toISOString()}, ${at.toISOString()}, ${retryAt.toISOString()},
      ${toJson(part)}::text::jsonb, ${toJson(rest)}::text::jsonb, ${detail.isolated ?? false})
    on conflict (kind, key) do update set isolated = b.isolated or excluded.isolated,
      ${assignments(["failures", ...ofFailure, "retry_at", "part", "rest"])}`);
  return before?.code === code && before.others_succeeded;
}

/** Whether the latest answered call about another shop or keyword succeeded. */
export async function readOthersSucceed(tx: Tx, callId: number): Promise<boolean> {
  const about = (row: SQL) =>
    sql`(${row}.operation, ${row}.params ->> 'shop_id', ${row}.params ->> 'q')`;
  const [other] = await tx.execute<{ is_good: boolean }>(sql`
    select c.outcome = 'ok' as is_good
    from api_call c join api_call failed on failed.id = ${callId}
    where c.id < failed.id and c.outcome is not null and c.outcome not in ('aborted', 'not_sent')
      and ${about(sql`c`)} is distinct from ${about(sql`failed`)}
    order by c.id desc limit 1`);
  return other?.is_good ?? false;
}

/**
 * A call about a keyword or shop succeeded. If it was the first half of a failed call, the other half
 * is at fault and comes next; otherwise the subject is free again.
 */
export async function noteSuccess(
  tx: Tx,
  subject: Subject,
  asked: readonly number[],
): Promise<void> {
  const [row] = await tx.execute<{ part: number[] | null; rest: number[] | null }>(sql`
    select part, rest from backoff where kind = ${subject.kind} and key = ${subject.key} for update`);
  if (!row) return;
  const known = new Set(asked);
  const isHalf = row.part?.every((one) => known.has(one)) ?? false;
  const { part, rest } = halve(isHalf ? (row.rest ?? []) : []);
  if (part === null) return clearBackoffs(tx, subject.kind, [subject.key]);
  await tx.execute(sql`
    update backoff set failures = 1, part = ${toJson(part)}::text::jsonb, rest = ${toJson(rest)}::text::jsonb
    where kind = ${subject.kind} and key = ${subject.key}`);
}

export async function clearBackoffs(
  db: Db | Tx,
  kind: Subject["kind"],
  keys: readonly (string | number)[],
): Promise<void> {
  if (keys.length === 0) return;
  await db.execute(sql`
    delete from backoff where kind = ${kind}
      and key in ${textList(keys)}`);
}

/** Of six hours, to sixteen days. */
const mostDoublings = 6;

/**
 * Products that an answer said nothing usable about: each waits by itself, twice as long every time.
 * Returns when each is due again, in days.
 */
export async function noteUnanswered(
  tx: Tx,
  itemIds: readonly number[],
  note: { code: string; reason: string; callId: number; at: Date },
): Promise<{ itemId: number; dueAt: number }[]> {
  if (itemIds.length === 0) return [];
  const at = note.at.toISOString();
  const rows = await tx.execute<{ key: string; retry_at: string }>(sql`
    insert into backoff as b (kind, key, failures, code, reason, call_id, first_failed_at, failed_at, retry_at)
    select 'product', id, 1, ${note.code}, ${note.reason}, ${note.callId}, ${at}, ${at},
      ${at}::timestamptz + interval '6 h' from ${textList(itemIds)} as x(id)
    on conflict (kind, key) do update set failures = ${oneMore(sql`b.failures`)}, ${assignments(ofFailure)},
      retry_at = excluded.failed_at + interval '6 h' * power(2, least(b.failures, ${mostDoublings}::int))
    returning key, retry_at`);
  return rows.map((row) => ({ itemId: Number(row.key), dueAt: toDays(new Date(row.retry_at)) }));
}

/** The two halves of what failed together; a single one is not split, and nothing stays nothing. */
function halve(together: readonly number[]): { part: number[] | null; rest: number[] | null } {
  if (together.length === 0) return { part: null, rest: null };
  const middle = Math.ceil(together.length / 2);
  return { part: together.slice(0, middle), rest: together.slice(middle) };
}

function toJson(list: number[] | null): string | null {
  return list === null ? null : JSON.stringify(list);
}
