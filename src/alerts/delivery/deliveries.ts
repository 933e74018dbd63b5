import { dayMs, hourMs, minuteMs } from "../../lib/calendar.ts";
import { createMutex } from "../../lib/async.ts";
import { countEach } from "../../lib/collect.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Db } from "../../db/open.ts";
import type { Logger } from "../../lib/logger.ts";
import { chooseEndpoints, type Bounds } from "./choose.ts";
import { toMessage, signedHeaders } from "./message.ts";
import { timeoutMs, type SendOutgoing, type Sent } from "./outgoing.ts";
import { abandon, readDue, reserve, type Reserved } from "./queue.ts";
import {
  addCounts,
  disable,
  settleDelivered,
  settleFailed,
  settleInterrupted,
  settleMoved,
  settleUnsendable,
  type AttemptCounts,
} from "./settle.ts";

/** Before each attempt, counted from the failure before it. */
const pausesMs = [
  0,
  5000,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  dayMs,
];

/** After so many failed attempts a delivery is a dead letter. */
export const mostAttempts = pausesMs.length;
/** An endpoint that asks for a longer pause gets this one. */
export const longestRetryAfterMs = dayMs;
/** An endpoint that fails for so long, without one success, is disabled. */
const failingDisablesMs = 5 * dayMs;
/** ... and with a message of at least this age: where messages are rare, the failures of before may be months ago. */
const messageFailsMs = dayMs;

/**
 * Milliseconds from the failure of attempt number `attempts` (from 1) until the next one; null: there is
 * none. A tenth of jitter spreads what failed at one moment. What an endpoint asks for only makes it longer.
 */
export function pauseAfter(
  attempts: number,
  retryAfterMs: number | null,
  random: () => number,
): number | null {
  const pause = pausesMs[attempts];
  if (pause === undefined) return null;
  const askedMs = Math.min(retryAfterMs ?? 0, longestRetryAfterMs);
  return Math.max(Math.round(pause * (1 + 0.1 * random())), askedMs);
}

/** The value of a `Retry-After`: seconds or an HTTP date; null for anything else. */
export function toRetryAfterMs(value: string | undefined, now: Date): number | null {
  if (value === undefined) return null;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(value)) return null;
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime());
}

export interface DeliveryDeps {
  db: Db;
  clock: Clock;
  logger: Logger;
  send: SendOutgoing;
  random?: () => number;
}

/** A request that waits costs a socket, so there may be many. */
const bounds: Bounds = { all: 512, held: 256, perEndpoint: 4, spare: 128 };
/** An endpoint that takes longer to answer is slow until it answers sooner. */
const slowMs = 2000;
/** So many slow endpoints are remembered, the latest. */
const mostSlow = 10_000;
/** An attempt without an outcome after this time was lost with its process. */
const holdMs = timeoutMs + 10_000;
const idleMs = 250;
const busyMs = 25;
/** The pause after a search for what is due, in times that it took: it costs little however many endpoints wait. */
const restPerWork = 10;
/** Also after a search that a busy or absent database held up for long. */
const longestRestMs = 5000;
const userAgent = "Kurabe-Webhooks/1";
const mostErrorChars = 300;

interface Flight {
  webhookId: number;
  wasFailing: boolean;
  /** Since when it waits for an answer; null: it does not any more. */
  sinceMs: number | null;
}

/**
 * Sends the messages of webhooks. Several workers may: each reserves what it sends. No step waits for a
 * receiver, so one that never answers costs the others nothing.
 */
export function createDeliveries(deps: DeliveryDeps) {
  const { db, clock, logger, send } = deps;
  const flights = new Map<Promise<void>, Flight>();
  const slow = new Set<number>();
  const servedAt = new Map<number, number>();
  let turns = 0;
  const settle = createGathering((delivered: Delivered[]) => settleDelivered(db, delivered));
  let counts: AttemptCounts = { delivered: 0, failed: 0 };

  /** Begins what is due and does not wait for answers; returns the pause before the next step. */
  async function step(signal: AbortSignal): Promise<number> {
    await writeCounts();
    const beganMs = clock.monotonicMs();
    const due = await readDue(db, clock.now());
    const restMs = Math.min((clock.monotonicMs() - beganMs) * restPerWork, longestRestMs);
    for (const { webhookId } of due.filter(({ isDisabled }) => isDisabled)) {
      await abandon(db, webhookId);
    }
    const active = due.filter(({ isDisabled }) => !isDisabled);
    forgetServed(active.map(({ webhookId }) => webhookId));
    noteSlow();
    const endpoints = active.map((one) => ({ ...one, isSlow: slow.has(one.webhookId) }));
    const choices = chooseEndpoints(endpoints, flying(), bounds, servedAt);
    const now = clock.now();
    const hold = new Date(now.getTime() + holdMs);
    const failing = new Set(active.flatMap((one) => (one.isFailing ? [one.webhookId] : [])));
    for (const reserved of await reserve(db, choices, now, hold)) {
      begin(reserved, failing.has(reserved.webhookId), signal);
    }
    turns += 1;
    for (const { webhookId } of choices) servedAt.set(webhookId, turns);
    return Math.max(active.some(({ isFailing }) => !isFailing) ? busyMs : idleMs, restMs);
  }

  function begin(reserved: Reserved, wasFailing: boolean, signal: AbortSignal): void {
    const { webhookId } = reserved;
    const flight: Flight = { webhookId, wasFailing, sinceMs: clock.monotonicMs() };
    const ended: Promise<void> = attempt(reserved, flight, signal)
      // The message stays reserved, and is due again after a while.
      .catch((error: unknown) => {
        const { deliveryId } = reserved;
        logger.warn({ err: error, deliveryId }, "the outcome of a delivery cannot be stored");
      })
      .finally(() => flights.delete(ended));
    flights.set(ended, flight);
  }

  async function attempt(reserved: Reserved, flight: Flight, signal: AbortSignal): Promise<void> {
    const { event, attempts } = reserved;
    if (event === "lost") return settleUnsendable(db, reserved, "the event is not kept any more");
    if (attempts > mostAttempts)
      return settleUnsendable(db, reserved, "the outcome of the last attempt was lost");
    const message = toMessage({ ...reserved, event });
    const headers = {
      "content-type": "application/json",
      "user-agent": userAgent,
      ...signedHeaders(message, reserved.secrets, clock.now()),
    };
    const sent = await send({ url: reserved.url, headers, body: message.body }, signal);
    noteAnswer(flight);
    if (sent.status === null && signal.aborted) return settleInterrupted(db, reserved, clock.now());
    if (isSuccess(sent)) {
      counts.delivered += 1;
      return settle({ attempt: reserved, status: sent.status });
    }
    counts.failed += 1;
    return settleFailure(deps, reserved, sent);
  }

  function flying() {
    const all = [...flights.values()];
    return {
      byEndpoint: countEach(all.map(({ webhookId }) => webhookId)),
      all: all.length,
      held: all.filter(({ webhookId, wasFailing }) => wasFailing || slow.has(webhookId)).length,
    };
  }

  const isLong = ({ sinceMs }: Flight) =>
    sinceMs !== null && clock.monotonicMs() - sinceMs >= slowMs;

  function noteSlow(): void {
    for (const flight of flights.values()) if (isLong(flight)) slow.add(flight.webhookId);
    for (const webhookId of slow) {
      if (slow.size <= mostSlow) break;
      slow.delete(webhookId);
    }
  }

  function noteAnswer(flight: Flight): void {
    if (isLong(flight)) slow.add(flight.webhookId);
    else slow.delete(flight.webhookId);
    flight.sinceMs = null;
  }

  /** Whoever has nothing to be sent needs no turn to be remembered. */
  function forgetServed(waiting: readonly number[]): void {
    const known = new Set(waiting);
    for (const webhookId of servedAt.keys()) if (!known.has(webhookId)) servedAt.delete(webhookId);
  }

  async function writeCounts(): Promise<void> {
    const { delivered, failed } = counts;
    if (delivered + failed === 0 || !(await addCounts(db, counts))) return;
    counts = { delivered: counts.delivered - delivered, failed: counts.failed - failed };
  }

  return {
    step,
    /** Resolves when no attempt is under way. */
    async ended(): Promise<void> {
      while (flights.size > 0) await Promise.allSettled(flights.keys());
    },
  };
}

/**
 * Stores when it is tried again, if ever; at once if the webhook has another URL by now. Disables one that
 * is gone or has failed for too long.
 */
async function settleFailure(
  { db, clock, logger, random = Math.random }: DeliveryDeps,
  reserved: Reserved,
  sent: Sent,
): Promise<void> {
  const { event, attempts, failingSince, webhookId, createdAt } = reserved;
  const now = clock.now();
  if (await settleMoved(db, reserved, now)) return;
  const isGone = sent.status === 410;
  const askedMs = sent.status === null ? null : toRetryAfterMs(sent.retryAfter, now);
  const isLast = isGone || event === null;
  const pauseMs = isLast ? null : pauseAfter(attempts, askedMs, random);
  const later = (ms: number) => new Date(now.getTime() + ms);
  await settleFailed(db, reserved, {
    status: sent.status,
    error: toError(sent),
    at: now,
    retryAt: pauseMs === null ? null : later(pauseMs),
    notBefore: askedMs === null ? null : later(Math.min(askedMs, longestRetryAfterMs)),
    isTest: event === null,
  });
  const failsTooLong =
    failingSince !== null &&
    now.getTime() - failingSince.getTime() >= failingDisablesMs &&
    now.getTime() - createdAt.getTime() >= messageFailsMs;
  if (!isGone && !failsTooLong) return;
  const reason = isGone ? "gone" : "failing";
  if (await disable(db, reserved, reason, now)) {
    logger.warn({ webhookId, reason }, "a webhook was disabled");
  }
}

interface Delivered {
  attempt: Reserved;
  status: number;
}

/** Gathers what comes while the last ones are written, and writes it together. Resolves when the item is written. */
function createGathering<T>(write: (items: T[]) => Promise<void>): (item: T) => Promise<void> {
  const inTurn = createMutex();
  let waiting: T[] = [];
  let next: Promise<void> | null = null;
  return (item) => {
    waiting.push(item);
    next ??= inTurn(() => {
      const items = waiting;
      waiting = [];
      next = null;
      return write(items);
    });
    return next;
  };
}

function isSuccess(sent: Sent): sent is Extract<Sent, { status: number }> {
  return sent.status !== null && sent.status >= 200 && sent.status < 300;
}

function toError(sent: Sent): string {
  if (sent.status === null) return sent.error;
  const text = sent.excerpt.replaceAll(/[\p{Cc}\s]+/gu, " ").trim();
  const said = text === "" ? "" : `: ${text}`;
  return `answered ${sent.status}${said}`.slice(0, mostErrorChars).toWellFormed();
}
