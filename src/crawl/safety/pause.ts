import { eq, sql } from "drizzle-orm";
import { z } from "zod";
import type { Db, Tx } from "../../db/open.ts";
import { putSetting } from "../../db/settings.ts";
import { setting } from "../../db/schema.ts";
import { stillLasts } from "../budget/accounts.ts";

/** Shared by all processes: whether ops have paused the crawler, and whether a failure has. */
export interface CrawlState {
  paused: boolean;
  /** The pause after a failure; null if calls may go out. */
  block: Block | null;
  /** Until then anomalous answers are accepted, as ops decided; null: they are not. */
  believedUntil: Date | null;
}

const blockSchema = z.object({
  /** When a worker in `failedWorkers` may make a call again. */
  until: z.coerce.date(),
  /** When any other worker may: perhaps only the failed ones are at fault. */
  othersFrom: z.coerce.date(),
  /** The workers that failed since the last success; empty if the failure concerns the account. */
  failedWorkers: z.array(z.string()),
  code: z.string(),
  /** Failures in a row; the pause grows with them. */
  failures: z.number(),
  /** What happened, for people. */
  reason: z.string(),
});
export type Block = z.infer<typeof blockSchema>;

/** For a block of every worker. */
export const forAll = (until: Date) => ({ until, othersFrom: until, failedWorkers: [] });

/** When this worker may make a call again. */
export function blockedUntil(block: Block, worker: string): Date {
  return block.failedWorkers.includes(worker) ? block.until : block.othersFrom;
}

/** Whether the upstream fails: also between a pause and the next try, for which the pace may let wait long. */
export function isBlocked({ paused, block }: CrawlState, now: Date): boolean {
  return !paused && block !== null && (block.failures > 1 || stillLasts(block.until, now));
}

/** The code of a block because the upstream's answers contradict what is known. */
export const anomalousAnswers = "anomalous_answers";
/** How long the decision of ops to accept anomalous answers holds. */
const believedMs = 24 * 3_600_000;

export async function readCrawlState(db: Db | Tx): Promise<CrawlState> {
  const rows = await db.execute<{ key: string; value: unknown }>(sql`
    select key, value from setting where key in ('crawl_paused', 'crawl_block', 'crawl_believed')`);
  const state: CrawlState = { paused: false, block: null, believedUntil: null };
  for (const { key, value } of rows) {
    if (key === "crawl_paused") state.paused = value === true;
    else if (key === "crawl_believed") state.believedUntil = new Date(String(value));
    else state.block = blockSchema.safeParse(value).data ?? null;
  }
  return state;
}

/** Ops stop the crawl. */
export async function pause(db: Db | Tx, now: Date): Promise<void> {
  await putSetting(db, "crawl_paused", true, now);
}

/**
 * Ops let the crawl go on. If anomalous answers had stopped it, the upstream's answers are accepted
 * without these checks for a day.
 */
export async function resume(db: Db | Tx, now: Date): Promise<void> {
  const { block } = await readCrawlState(db);
  await db.transaction(async (tx) => {
    await putSetting(tx, "crawl_paused", false, now);
    if (block?.code !== anomalousAnswers) return;
    const until = new Date(now.getTime() + believedMs).toISOString();
    await putSetting(tx, "crawl_believed", until, now);
    await clearBlock(tx);
    await tx.execute(sql`delete from backoff where code like 'anomalous%'`);
  });
}

export async function setBlock(tx: Db | Tx, block: Block, now: Date): Promise<void> {
  await putSetting(tx, "crawl_block", block, now);
}

export async function clearBlock(tx: Db | Tx): Promise<void> {
  await tx.delete(setting).where(eq(setting.key, "crawl_block"));
}
