import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { databaseIdentity } from "../../db/identity.ts";
import type { Db, Tx } from "../../db/open.ts";
import { databaseErrorCode } from "../../db/transact.ts";
import { dayMs } from "../../lib/calendar.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Logger } from "../../lib/logger.ts";
import { createBackoff, type Backoff } from "../../lib/backoff.ts";
import type { DocumentBuilder } from "../index/document.ts";
import { type Engine, EngineRefused, EngineUnavailable } from "../engine/engine.ts";
import type { Embedder } from "../index/embedder.ts";
import { settingsHash } from "../index/settings.ts";
import { createIndexKeeper } from "./settings-keeper.ts";
import { defaultIndexPrefix, type MirrorIndex } from "./indexes/indexes.ts";
import { createWriter, LeaseLost } from "./writes/writer.ts";
import { documentBuilderOf, hostOf } from "./indexes/hosts.ts";
import { createLossWatch } from "./proof/loss.ts";
import { createPatience } from "./patience.ts";
import { createPlacedIndex } from "./placed.ts";
import { createProver } from "./proof/prove.ts";
import { createReadiness } from "./readiness.ts";
import { resetSlice } from "./writes/reset.ts";
import { createRest } from "./writes/rest.ts";
import { sendDue, type SendOptions } from "./writes/send.ts";
import { settleBatches } from "./writes/settle.ts";
import { createRebuilder } from "./rebuild.ts";

export interface MirrorOptions {
  db: Db;
  clock: Clock;
  logger: Logger;
  engine: Engine;
  /** A uuid of this process; random by default. */
  holder?: string;
  /** Index names are this prefix and a version number. Each Kurabe on a shared engine has its own prefix. */
  indexPrefix?: string;
  toDocument?: DocumentBuilder;
  /** null, as by default: documents get no vectors. */
  embedder?: Embedder | null;
  /** How often to check that the engine still has the index with its settings. */
  checkEveryMs?: number;
  /** With several hosts: see `createPlacedIndex`. */
  leaveAfterMs?: number;
  maxRows?: number;
  maxBytes?: number;
}

export interface Mirror {
  /** One step for `runLoop`; returns the pause in milliseconds before the next. */
  step(signal: AbortSignal): Promise<number>;
  /** Lets another process take over at once. Call it after the last step. */
  release(): Promise<void>;
}

const idleMs = 250;
const standbyMs = 1000;

/**
 * Keeps the search engine's indexes equal to the catalogue. All state is in Postgres. Each step asks
 * for the outcome of open tasks, acknowledges only success, and sends the rows that have waited
 * longest. The process may be killed at any time; the next holder of the lease continues.
 */
export function createMirror(options: MirrorOptions): Mirror {
  const { db, clock, logger, engine } = options;
  const prefix = options.indexPrefix ?? defaultIndexPrefix;
  const kind = { embedder: options.embedder ?? null, isPlaced: hostOf(prefix) > 0 };
  const writer = createWriter({
    db,
    clock,
    name: `mirror:${prefix}`,
    holder: options.holder ?? randomUUID(),
  });
  const sending: SendOptions = {
    db,
    logger,
    engine,
    writer,
    toDocument: options.toDocument ?? documentBuilderOf(prefix),
    maxRows: options.maxRows ?? 2000,
    maxBytes: options.maxBytes ?? 10_000_000,
  };
  const patience = createPatience(clock, logger);
  const keeper = createIndexKeeper({ engine, clock, logger, patience, kind });
  const prover = createProver({ db, engine, logger, writer });
  const readiness = createReadiness({
    clock,
    logger,
    writer,
    keeper,
    losses: createLossWatch({ db, engine }),
    prover,
    prefix,
    checkEveryMs: options.checkEveryMs ?? 15_000,
  });
  const rebuilder = createRebuilder({
    ...sending,
    clock,
    prover,
    prefix,
    settingsHash: settingsHash(kind),
  });
  const leaveAfterMs = options.leaveAfterMs ?? 10_000;
  const placedIndex = createPlacedIndex({ ...sending, prover, leaveAfterMs });
  const rest = createRest(clock);
  // The engine may have lost an index at which it fails, so that is checked before the next write.
  const inTurn = createTurns({ clock, logger, onFailure: readiness.doubt });
  let prunedAtMs = -dayMs;
  let isOriginal = false;

  /** Returns the pause before the next step of this index. */
  async function advance(index: MirrorIndex, signal: AbortSignal): Promise<number> {
    const uid = index.indexUid;
    if (!(await readiness.check(index))) return patience.pauseMs(uid);
    if (index.isResetting) {
      await writer.transact((tx) => resetSlice(tx, uid, sending.maxRows));
      return 0;
    }
    const { inFlight, ended, doubtful } = await settleBatches(sending, uid);
    // A write to an index that the engine has just lost makes it anew, almost empty and without settings.
    if (doubtful || ended > 0) readiness.doubt(uid);
    if (doubtful) return 0;
    if (ended > 0 && inFlight.length === 0) rest.done(uid);
    const [oldest] = inFlight;
    if (oldest?.ticket) patience.waits(uid, oldest.ticket.taskUid);
    const due = { inFlight, isResting: rest.isResting(uid) };
    const sent = signal.aborted ? null : await sendDue(sending, uid, due);
    const isSent = sent !== null && sent.batches > 0;
    if (isSent) rest.sent(uid, sent.isSmall);
    if (isSent || ended > 0) return 0;
    return inFlight.length > 0 ? patience.pauseMs(uid) : idleMs;
  }

  async function turn(index: MirrorIndex, signal: AbortSignal): Promise<number> {
    if (signal.aborted) return idleMs;
    if (index.state === "retired") {
      await rebuilder.retire(index);
      return idleMs;
    }
    const pauseMs = await advance(index, signal);
    if (!readiness.isReady(index.indexUid)) return pauseMs;
    return Math.min(pauseMs, await rebuilder.advance(index), await placedIndex.advance(index));
  }

  /** Deletes finished tasks older than a day. */
  async function prune(): Promise<void> {
    if (clock.monotonicMs() - prunedAtMs < dayMs) return;
    prunedAtMs = clock.monotonicMs();
    await engine.forgetTasks(new Date(clock.now().getTime() - dayMs));
  }

  async function round(signal: AbortSignal): Promise<number> {
    if (!isOriginal) await disownCopied(writer.transact, logger);
    isOriginal = true;
    const pauses = await inTurn(await rebuilder.openIndexes(), (index) => turn(index, signal));
    await prune();
    return Math.min(idleMs, ...pauses);
  }

  return {
    async step(signal) {
      if (!(await writer.renew())) return standbyMs;
      try {
        return await round(signal);
      } catch (error) {
        // The engine may have lost its index, so check that before the next write.
        readiness.doubtAll();
        if (!(error instanceof LeaseLost)) throw error;
        logger.warn({ prefix }, "the mirror's lease ended during a step; its next holder goes on");
        return standbyMs;
      }
    },
    release: () => writer.release(),
  };
}

const missingRight = "42501";

/**
 * A copy of a database knows the indexes of the original, which may still fill them. Gives them other epochs in the
 * copy: so they are another database's, and the copy fills its own.
 */
export async function disownCopied(
  transact: (work: (tx: Tx) => Promise<boolean>) => Promise<boolean>,
  logger: Logger,
): Promise<void> {
  try {
    const isCopy = await transact(renewEpochs);
    if (isCopy)
      logger.info("this database is a copy of another one, so its search index is filled anew");
  } catch (error) {
    if (databaseErrorCode(error) !== missingRight) throw error;
    logger.warn(
      "the role may not call pg_control_system(), so a copy of this database would write to the same search index",
    );
  }
}

async function renewEpochs(tx: Tx): Promise<boolean> {
  const renewed = await tx.execute(sql`
    with known as (
      insert into setting as s (key, value, updated_at)
      values ('database_identity', to_jsonb(${databaseIdentity}), clock_timestamp())
      on conflict (key) do update set value = excluded.value, updated_at = excluded.updated_at
        where s.value <> excluded.value
      returning old.value as former
    )
    update mirror_index set epoch = gen_random_uuid()
    where exists (select from known where former is not null)
    returning 1 as renewed`);
  return renewed.length > 0;
}

/** Lets each index have its turn by itself: one at which the engine fails waits longer each time, and holds up no other. */
export function createTurns({
  clock,
  logger,
  onFailure,
}: {
  clock: Clock;
  logger: Logger;
  onFailure: (indexUid: string) => void;
}) {
  const failing = new Map<string, { backoff: Backoff; untilMs: number }>();

  const isResting = ({ indexUid }: MirrorIndex) =>
    clock.monotonicMs() < (failing.get(indexUid)?.untilMs ?? -Infinity);

  function rest(indexUid: string, error: unknown): void {
    const { backoff } = failing.get(indexUid) ?? {
      backoff: createBackoff({ firstMs: 200, maxMs: 60_000 }),
    };
    const pauseMs = backoff.nextMs();
    failing.set(indexUid, { backoff, untilMs: clock.monotonicMs() + pauseMs });
    const level = backoff.attempts() > 3 ? "error" : "warn";
    logger[level](
      { err: error, index: indexUid, retryInMs: Math.round(pauseMs) },
      "the search engine fails at one index; the others go on",
    );
  }

  /** Throws if the engine fails at all indexes that are filled. Returns the pauses of those that had their turn. */
  return async (
    indexes: readonly MirrorIndex[],
    turn: (index: MirrorIndex) => Promise<number>,
  ): Promise<number[]> => {
    const pauses: number[] = [];
    const failures = new Map<string, unknown>();
    const able = indexes.filter((index) => !isResting(index));
    for (const index of able) {
      try {
        pauses.push(await turn(index));
        failing.delete(index.indexUid);
      } catch (error) {
        if (!(error instanceof EngineUnavailable || error instanceof EngineRefused)) throw error;
        onFailure(index.indexUid);
        failures.set(index.indexUid, error);
      }
    }
    const goesOn = able.some(
      ({ indexUid, state }) => state !== "retired" && !failures.has(indexUid),
    );
    for (const [indexUid, error] of failures) {
      if (!goesOn) throw error;
      rest(indexUid, error);
    }
    return pauses;
  };
}
