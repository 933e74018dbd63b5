import type { Db } from "../db/open.ts";
import { calendarDay, minuteMs, nextDayStart } from "../lib/calendar.ts";
import type { Clock } from "../lib/clock.ts";
import { createMutex } from "../lib/async.ts";
import { type LiveKey, exchangeUse, type UseRow, type UseTotal } from "./stored-keys.ts";

/** The key of requests without a key, in the table of use. */
export const anonymousKey = 0;

export interface Allowance {
  name: "minute" | "day";
  limit: number;
  /** Without this request. */
  remaining: number;
  /** Until the count begins anew. */
  resetSeconds: number;
  windowSeconds: number;
}

/** A moment on the marketplace's calendar. */
interface Moment {
  day: string;
  dayEndsMs: number;
  minute: number;
  nowMs: number;
}

/**
 * Counts the requests of each key. A request costs no query: each process adds its own counts to what
 * Postgres told last. Counts are exchanged every second, and sooner when a tenth of a limit is not
 * sent yet. One process keeps a limit exactly; each further one can add about a fifth of it.
 */
export function createKeyUse(deps: { db: Db; clock: Clock; timezone: string }) {
  const { db, clock, timezone } = deps;
  let told = new Map<string, UseTotal>();
  let sending = new Map<string, UseRow>();
  let unsent = new Map<string, UseRow>();
  let hasFailed = false;
  const inTurn = createMutex();
  const moment = createMoments(clock, timezone);

  function rowOf(keyId: number, { day, minute }: Moment): UseRow {
    const known = unsent.get(nameOf(keyId, day));
    const row = known ?? emptyRow(keyId, day, minute);
    if (!known) unsent.set(nameOf(keyId, day), row);
    if (row.minute !== minute) Object.assign(row, { minute, minute_requests: 0 });
    return row;
  }

  function usedOf(keyId: number, { day, minute }: Moment) {
    const used = { minute: 0, day: 0 };
    for (const counts of [told, sending, unsent]) {
      const row = counts.get(nameOf(keyId, day));
      used.day += row?.requests ?? 0;
      if (row?.minute === minute) used.minute += row.minute_requests;
    }
    return used;
  }

  /** Writes what was counted and reads what all processes have counted. If that fails, nothing is lost. */
  const exchange = () =>
    inTurn(async () => {
      sending = unsent;
      unsent = new Map();
      try {
        const totals = await exchangeUse(db, [...sending.values()], moment());
        told = new Map(totals.map((total) => [nameOf(total.key_id, total.day), total]));
        hasFailed = false;
      } catch (error) {
        for (const row of sending.values()) addTo(unsent, row);
        hasFailed = true;
        throw error;
      } finally {
        sending = new Map();
      }
    });

  /** While the database fails, only the loop tries again, which also logs it. */
  function exchangeSoon(): void {
    if (sending.size > 0 || hasFailed) return;
    void Promise.allSettled([exchange()]);
  }

  return {
    /** Counts a request, if every limit of the key allows it. */
    take(key: LiveKey): { isAllowed: boolean; allowances: Allowance[] } {
      const now = moment();
      const used = usedOf(key.keyId, now);
      const allowances = allowancesOf(key, used, now);
      const isAllowed = allowances.every(({ remaining }) => remaining > 0);
      const row = rowOf(key.keyId, now);
      if (!isAllowed) row.limited += 1;
      else {
        row.requests += 1;
        row.minute_requests += 1;
      }
      const isMuch = (count: number, limit: number | null) => limit !== null && count * 10 >= limit;
      if (
        isAllowed &&
        (isMuch(row.minute_requests, key.perMinute) || isMuch(row.requests, key.perDay))
      ) {
        exchangeSoon();
      }
      return { isAllowed, allowances };
    },
    takeAnonymous(): void {
      const row = rowOf(anonymousKey, moment());
      row.requests += 1;
    },
    note(keyId: number, what: "errors" | "other_origin"): void {
      rowOf(keyId, moment())[what] += 1;
    },
    exchange,
    isSent: () => unsent.size === 0,
  };
}

/** The end of a day takes 50 µs to find, so it is kept until then. */
function createMoments(clock: Clock, timezone: string): () => Moment {
  let today = { day: "", beganMs: 0, dayEndsMs: 0 };
  return () => {
    const now = clock.now();
    const nowMs = now.getTime();
    if (nowMs >= today.dayEndsMs || nowMs < today.beganMs) {
      const dayEndsMs = nextDayStart(now, timezone).getTime();
      today = { day: calendarDay(now, timezone), beganMs: nowMs, dayEndsMs };
    }
    const { day, dayEndsMs } = today;
    return { day, dayEndsMs, nowMs, minute: Math.floor(nowMs / minuteMs) };
  };
}

function allowancesOf(
  { perMinute, perDay }: LiveKey,
  used: { minute: number; day: number },
  { minute, dayEndsMs, nowMs }: Moment,
): Allowance[] {
  const limits = [
    { name: "minute", limit: perMinute, endsMs: (minute + 1) * minuteMs, windowSeconds: 60 },
    { name: "day", limit: perDay, endsMs: dayEndsMs, windowSeconds: 86_400 },
  ] as const;
  return limits.flatMap(({ name, limit, endsMs, windowSeconds }) => {
    if (limit === null) return [];
    const remaining = Math.max(0, limit - used[name]);
    const resetSeconds = Math.max(1, Math.ceil((endsMs - nowMs) / 1000));
    return [{ name, limit, remaining, resetSeconds, windowSeconds }];
  });
}

function nameOf(keyId: number, day: string): string {
  return `${keyId}/${day}`;
}

function emptyRow(keyId: number, day: string, minute: number): UseRow {
  const counts = { requests: 0, errors: 0, limited: 0, other_origin: 0, minute_requests: 0 };
  return { key_id: keyId, day, minute, ...counts };
}

/** Puts back what could not be sent. */
function addTo(rows: Map<string, UseRow>, old: UseRow): void {
  const row = rows.get(nameOf(old.key_id, old.day));
  if (!row) {
    rows.set(nameOf(old.key_id, old.day), old);
    return;
  }
  for (const name of ["requests", "errors", "limited", "other_origin"] as const)
    row[name] += old[name];
  if (row.minute === old.minute) row.minute_requests += old.minute_requests;
}
