import type { Logger } from "../../../lib/logger.ts";
import type { Db } from "../../../db/open.ts";
import {
  EngineRefused,
  EngineUnavailable,
  isSameTask,
  type Engine,
  type TaskTicket,
} from "../../engine/engine.ts";
import { systemCodes } from "../../engine/error-codes.ts";
import { embedderName } from "../../index/embedder.ts";
import {
  acknowledgeBatch,
  dropBatch,
  deadLetterBatch,
  readOpenBatches,
  suspectBatch,
  type Batch,
} from "./batch.ts";
import type { Writer } from "./writer.ts";

export interface SettleOptions {
  db: Db;
  logger: Logger;
  engine: Engine;
  writer: Writer;
  maxRows: number;
}

export interface Settled {
  inFlight: Batch[];
  /** Number of batches whose task ended. */
  ended: number;
  /** The engine did not know one of our tasks or the index, so it may have lost its data. */
  doubtful: boolean;
}

/** Reads the outcome of the open writes and acknowledges those whose task succeeded. */
export async function settleBatches(options: SettleOptions, indexUid: string): Promise<Settled> {
  const { db, engine, writer } = options;
  const settled: Settled = { inFlight: [], ended: 0, doubtful: false };
  const open = await readOpenBatches(db, indexUid);
  if (open.length === 0) return settled;
  const uids = open.flatMap(({ ticket }) => (ticket ? [ticket.taskUid] : []));
  const tasks = new Map((await engine.readTasks(uids)).map((task) => [task.taskUid, task]));
  const succeeded: Batch[] = [];
  const failed: { batch: Batch; code: string; message: string }[] = [];
  const dropped: { batch: Batch; reason: string }[] = [];
  for (const batch of open) {
    const task = batch.ticket && tasks.get(batch.ticket.taskUid);
    if (!batch.ticket) {
      dropped.push({ batch, reason: "never known to be accepted" });
    } else if (!task || !isSameTask(batch.ticket, task)) {
      settled.doubtful = true;
      dropped.push({ batch, reason: "the engine knows no such task" });
    } else if (task.status === "enqueued" || task.status === "processing") {
      settled.inFlight.push(batch);
    } else if (task.status === "succeeded") {
      succeeded.push(batch);
    } else {
      const code = task.error?.code ?? task.status;
      if (code === "index_not_found") settled.doubtful = true;
      failed.push({ batch, code, message: task.error?.message ?? code });
    }
  }
  settled.ended = open.length - settled.inFlight.length;
  if (succeeded.length + dropped.length > 0) {
    await writer.transact(async (tx) => {
      for (const { batch, reason } of dropped) await dropBatch(tx, batch.id, reason);
      for (const batch of succeeded) await acknowledgeBatch(tx, indexUid, batch.id);
    });
  }
  for (const { batch, ...fault } of failed) await settleFault(options, indexUid, batch, fault);
  return settled;
}

/**
 * Handles a refused write or a failed task. If the cause is not a document, the rows just stay dirty.
 * Otherwise the batch is split until one document fails alone. That one is dead-lettered, unless the
 * engine accepts no write at all now.
 */
export async function settleFault(
  options: SettleOptions,
  indexUid: string,
  batch: Batch,
  fault: { code: string; message: string },
): Promise<void> {
  const { logger, writer } = options;
  const { code } = fault;
  const error = `${code}: ${fault.message}`.slice(0, 500);
  const isOfDocument = code === embeddingFault && (await isEmbedding(options, indexUid));
  const isOfSystem = systemCodes.has(code) && !isOfDocument;
  if (isOfSystem || code === "canceled" || code === "index_not_found") {
    await writer.transact((tx) => dropBatch(tx, batch.id, error));
    if (isOfSystem) throw new EngineUnavailable(code);
    return;
  }
  if (batch.size > 1 || !batch.suspect) {
    const attempts = attemptsAfter(batch.size, options.maxRows);
    logger.warn({ index: indexUid, code, rows: batch.size }, "a write failed and is split");
    await writer.transact((tx) => suspectBatch(tx, indexUid, batch.id, { attempts, error }));
    return;
  }
  await proveEngineWrites(options, indexUid, batch);
  logger.error({ index: indexUid, batch: batch.id, error }, "a document is dead-lettered");
  await writer.transact((tx) => deadLetterBatch(tx, indexUid, batch.id, error));
}

/** Of the embedder, or of the one text that it refuses. */
const embeddingFault = "vector_embedding_error";

/** Whether the embedder takes a text that is certainly good. */
async function isEmbedding({ engine }: SettleOptions, indexUid: string): Promise<boolean> {
  const hybrid = { embedder: embedderName, semanticRatio: 1 };
  try {
    await engine.search(indexUid, { q: "a", hybrid, limit: 1 });
    return true;
  } catch (error) {
    if (error instanceof EngineUnavailable || error instanceof EngineRefused) return false;
    throw error;
  }
}

/** Deletes id 0, which no product has. This write must succeed on any healthy index. */
async function proveEngineWrites(
  options: SettleOptions,
  indexUid: string,
  batch: Batch,
): Promise<void> {
  try {
    await awaitWrite(options, await options.engine.deleteDocuments(indexUid, [0]));
  } catch (error) {
    await options.writer.transact((tx) => dropBatch(tx, batch.id, "the engine takes no writes"));
    throw error instanceof EngineUnavailable ? error : new EngineUnavailable("probe_failed", error);
  }
}

/** How many rows that failed `attempts` times may share a task: a quarter after each failure. */
export function batchSizeOf(attempts: number, maxRows: number): number {
  return Math.max(1, Math.ceil(maxRows / 4 ** attempts));
}

/** The number of attempts for which a batch is smaller than the `rows` that failed. */
export function attemptsAfter(rows: number, maxRows: number): number {
  let attempts = 1;
  while (batchSizeOf(attempts, maxRows) > Math.max(1, Math.ceil(rows / 4))) attempts += 1;
  return attempts;
}

const waitMs = 5000;
const longestWaits = 12;

/** Waits up to a minute for the success of a write, and keeps the lease meanwhile. */
export async function awaitWrite(
  { engine, writer }: { engine: Engine; writer: Writer },
  ticket: TaskTicket,
): Promise<void> {
  for (let waits = 1; ; waits += 1) {
    try {
      return await engine.awaitTask(ticket, waitMs);
    } catch (error) {
      const isLate = error instanceof EngineUnavailable && error.code === "task_timeout";
      if (!isLate || waits === longestWaits) throw error;
    }
    await writer.keep();
  }
}
