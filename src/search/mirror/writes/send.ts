import { readStoredProducts, type StoredProduct } from "../../../catalog/products.ts";
import type { Tx } from "../../../db/open.ts";
import { bucketOf } from "../../index/bucket.ts";
import type { DocumentBuilder } from "../../index/document.ts";
import { defaultWriteTimeoutMs, EngineRefused, type TaskTicket } from "../../engine/engine.ts";
import {
  insertBatch,
  markSent,
  deadLetterRows,
  markDirty,
  findDueRows,
  readDueRows,
  type Batch,
  type BatchRow,
  type DueRow,
} from "./batch.ts";
import { readPlacedBuckets } from "../indexes/hosts.ts";
import { LeaseLost } from "./writer.ts";
import { batchSizeOf, settleFault, type SettleOptions } from "./settle.ts";

export interface SendOptions extends SettleOptions {
  toDocument: DocumentBuilder;
  maxBytes: number;
}

/**
 * Batches sent or running at once. The engine takes all that wait in one go, which is what makes it fast on
 * a large index; it does nothing for other indexes meanwhile, about 16 s for so many full batches.
 */
const maxInFlight = 32;
/** Batches of one step: what was sent before is settled between steps. */
const maxSentAtOnce = 8;

interface Prepared extends Batch {
  rows: BatchRow[];
  /** Newline-delimited documents; empty for deletions. */
  payload: string;
}

export interface Sent {
  batches: number;
  /** The only one of them was small. */
  isSmall: boolean;
}

/**
 * Sends the rows that have waited longest. Full batches are pipelined.
 * A small batch waits for the running task, and rests after the last one, so that batches grow. Suspects are
 * sent alone, because the engine fails all documents that it groups with a bad one.
 */
export async function sendDue(
  options: SendOptions,
  indexUid: string,
  { inFlight, isResting }: { inFlight: readonly Batch[]; isResting: boolean },
): Promise<Sent> {
  const { db, maxRows } = options;
  const sent: Sent = { batches: 0, isSmall: false };
  const room = Math.min(maxInFlight - inFlight.length, maxSentAtOnce);
  if (room <= 0 || inFlight.some((batch) => batch.suspect)) return sent;
  const due = await findDueRows(db, indexUid, room * maxRows);
  for (let from = 0; from < due.length && sent.batches < room; from += maxRows) {
    const itemIds = due.slice(from, from + maxRows);
    const isAlone = inFlight.length + sent.batches === 0;
    const batches = await prepare(options, indexUid, itemIds, { isAlone, isResting });
    for (const batch of batches) await send(options, indexUid, batch);
    sent.batches += batches.length;
    sent.isSmall = isAlone && batches.every(({ size }) => size < maxRows);
    if (batches.length === 0 || batches.some((batch) => batch.suspect)) break;
  }
  return sent;
}

async function prepare(
  options: SendOptions,
  indexUid: string,
  itemIds: readonly number[],
  { isAlone, isResting }: { isAlone: boolean; isResting: boolean },
): Promise<Prepared[]> {
  return options.writer.transactSnapshot(async (tx, epoch) => {
    const due = await readDueRows(tx, indexUid, itemIds);
    const suspicious = due.some((row) => row.attempts > 0);
    const isFull = !suspicious && due.length >= options.maxRows;
    const mayBeSmall = isAlone && (suspicious || !isResting);
    if (due.length === 0 || (!isFull && !mayBeSmall)) return [];
    const rows = sameBatchSize(due, options.maxRows);
    const suspect = rows.some((row) => row.attempts > 0);
    const { deletions, replacements, documents } = await build(options, tx, indexUid, rows);
    const prepared: Prepared[] = [];
    const add = async (operation: Batch["operation"], batchRows: BatchRow[], payload: string) => {
      if (batchRows.length === 0) return;
      const id = await insertBatch(tx, { indexUid, epoch, operation, rows: batchRows });
      const size = batchRows.length;
      prepared.push({ id, operation, size, rows: batchRows, suspect, ticket: null, payload });
    };
    await add("delete", deletions, "");
    // The engine may group two open tasks, so suspects wait until no task is open.
    if (!suspect || deletions.length === 0) await add("replace", replacements, documents);
    return prepared;
  });
}

/** The rows to send together with the one that has waited longest: all suspects or none. */
function sameBatchSize(due: readonly DueRow[], maxRows: number): DueRow[] {
  const attempts = due[0]?.attempts ?? 0;
  return due.filter((row) => row.attempts === attempts).slice(0, batchSizeOf(attempts, maxRows));
}

async function build(options: SendOptions, tx: Tx, indexUid: string, rows: readonly DueRow[]) {
  const itemIds = rows.map((row) => row.itemId);
  const products = await readStoredProducts(tx, itemIds);
  const placed = await readPlacedBuckets(tx, indexUid);
  const deletions: BatchRow[] = [];
  const replacements: BatchRow[] = [];
  const lines: string[] = [];
  let bytes = 0;
  for (const { itemId, desiredVersion } of rows) {
    const product = products.get(itemId);
    const isHere = placed === null || placed.has(bucketOf(itemId));
    if (!product || product.state === "gone" || !isHere) {
      deletions.push([itemId, desiredVersion]);
      continue;
    }
    const line = toLine(options, product, desiredVersion);
    if (typeof line !== "string") {
      const fault = `not a document: ${line.message}`;
      await deadLetterRows(tx, indexUid, [[itemId, desiredVersion]], fault);
      continue;
    }
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > options.maxBytes && lines.length > 0) break;
    lines.push(line);
    replacements.push([itemId, desiredVersion]);
  }
  return { deletions, replacements, documents: lines.join("\n") };
}

/** The builder should never throw. If it does, one product is dead-lettered and the mirror goes on. */
function toLine(
  options: SendOptions,
  product: StoredProduct,
  desiredVersion: number,
): string | Error {
  try {
    return JSON.stringify(options.toDocument(product, desiredVersion));
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

async function send(options: SendOptions, indexUid: string, batch: Prepared): Promise<void> {
  const { engine, writer } = options;
  // A busy engine may have taken seconds to accept the batches before.
  await writer.keep();
  writer.requireTrust(defaultWriteTimeoutMs);
  let ticket: TaskTicket;
  try {
    ticket =
      batch.operation === "delete"
        ? await engine.deleteDocuments(indexUid, idsOf(batch))
        : await engine.addDocuments(indexUid, batch.payload);
  } catch (error) {
    if (!(error instanceof EngineRefused)) throw error;
    await settleFault(options, indexUid, batch, error);
    return;
  }
  try {
    await writer.transact((tx) => markSent(tx, batch.id, ticket));
  } catch (error) {
    // This process paused beyond its lease and may have overwritten newer documents, so they are sent
    // again.
    if (error instanceof LeaseLost) await markDirty(options.db, indexUid, idsOf(batch));
    throw error;
  }
}

function idsOf(batch: Prepared): number[] {
  return batch.rows.map(([itemId]) => itemId);
}
