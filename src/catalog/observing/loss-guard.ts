import { sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/open.ts";
import { dayMs, hourMs } from "../../lib/calendar.ts";
import { countLiving } from "../counts.ts";
import type { Sighting } from "../sighting.ts";

/**
 * How many deletions take effect without ops. Beyond either bound the deletions of all shops are held
 * until ops decide. Neither time nor good answers reset the guard.
 *
 * - More than `count` products and more than `share` of the catalogue within a week. A week, because a
 *   fault that removes a little from every answer is as harmful as a sudden one, and because an hour
 *   of calls with 50 ids covers only a small part of a big catalogue. A real marketplace loses 0.1 to
 *   2% a day.
 * - More than `burstCount` products and more than `burstShare` of the products that refreshes decided
 *   about within an hour. That is a fault of the upstream, for every size of catalogue.
 *
 * A deletion counts from the time of its call until ops decide, even if the product came back.
 */
export interface LossBounds {
  count: number;
  share: number;
  burstCount: number;
  burstShare: number;
}

export const defaultLossBounds: LossBounds = {
  count: 200,
  share: 0.2,
  burstCount: 1000,
  burstShare: 0.5,
};

/** The built-in sandbox plays sixty weeks in one, so only a sudden loss is unusual there. */
export const sandboxLossBounds: LossBounds = { ...defaultLossBounds, share: Infinity };

const weekMs = 7 * dayMs;
/** Deletions are counted per time slice. A slice belongs to every window that it overlaps. */
const sliceMs = hourMs / 6;

/**
 * Counts the losses of one answer and says whether they may take effect. Keeps the guard's row locked
 * until the answer is committed. Only answers with losses call this.
 */
export async function admitLosses(
  tx: Tx,
  sighting: Sighting,
  answer: { losses: number; shown: number },
  bounds: LossBounds,
): Promise<boolean> {
  const { losses, shown } = answer;
  const [guard] = await tx.execute<{ is_up: boolean }>(sql`
    select tripped_at is not null as is_up from loss_guard for update`);
  if (guard?.is_up) return false;
  const sentMs = sighting.sentAt.getTime();
  const hourBefore = new Date(sentMs - hourMs).toISOString();
  const deleted = await readDeleted(tx, sighting.sentAt);
  const inWeek = deleted.week + losses;
  const inHour = deleted.hour + losses;
  const isTooMuch =
    (inWeek > bounds.count && inWeek > bounds.share * ((await countLiving(tx)) + deleted.week)) ||
    (inHour > bounds.burstCount &&
      inHour > bounds.burstShare * ((await readDecided(tx, hourBefore)) + losses + shown));
  const at = sighting.sentAt.toISOString();
  if (isTooMuch) {
    await tx.execute(sql`update loss_guard set tripped_at = ${at}`);
    return false;
  }
  await tx.execute(sql`
    delete from deletion_count where since < ${new Date(sentMs - 2 * weekMs).toISOString()}`);
  await count(tx, sighting, { deleted: losses });
  return true;
}

/**
 * Refreshes leave out living products once so many absences of a day were refuted, and so large a share of
 * its deletions.
 */
const leastRefuted = 3;
const refutedShare = 0.1;
/** After so many deletions of a day, and whenever they are ten times as many, one answer is looked at a second time. */
const sampledFrom = 20;

/**
 * Counts products that an answer has shown after another one lacked them, as they were before; few of one answer, so
 * that one that was empty once does not make all others doubted.
 */
export async function noteRefuted(tx: Tx, sighting: Sighting, refuted: number): Promise<void> {
  if (refuted > 0) await count(tx, sighting, { refuted: Math.min(leastRefuted, refuted) });
}

/**
 * Whether products that a refresh lacks must be asked for a second time: because refreshes leave out living products
 * now, or to find out whether they do, which takes a call or two a day.
 */
export async function needSecondLook(tx: Tx, sighting: Sighting, losses: number): Promise<boolean> {
  const { deleted, sampled, isDoubted } = await readDay(tx, sighting.sentAt);
  if (isDoubted) return true;
  if (deleted + losses < sampledFrom * 10 ** sampled) return false;
  await count(tx, sighting, { sampled: 1 });
  return true;
}

/** Whether refreshes of the last day leave out living products. */
export async function isDoubted(tx: Tx, at: Date): Promise<boolean> {
  return (await readDay(tx, at)).isDoubted;
}

/** The counts of the last day, and whether by these refreshes leave out living products. */
async function readDay(db: Db | Tx, at: Date) {
  const since = new Date(at.getTime() - dayMs).toISOString();
  const [day] = await db.execute<{ deleted: number; refuted: number; sampled: number }>(sql`
    select coalesce(sum(deleted), 0)::int as deleted, coalesce(sum(refuted), 0)::int as refuted,
      coalesce(sum(sampled), 0)::int as sampled
    from deletion_count where since > ${since}`);
  const { deleted = 0, refuted = 0, sampled = 0 } = day ?? {};
  const isDoubted = refuted >= Math.max(leastRefuted, refutedShare * deleted);
  return { deleted, refuted, sampled, isDoubted };
}

/** Adds to the counts of the ten minutes. */
async function count(
  tx: Tx,
  { sentAt }: Sighting,
  { deleted = 0, refuted = 0, sampled = 0 },
): Promise<void> {
  const since = new Date(Math.floor(sentAt.getTime() / sliceMs) * sliceMs).toISOString();
  await tx.execute(sql`
    insert into deletion_count as c (since, deleted, refuted, sampled)
    values (${since}, ${deleted}, ${refuted}, ${sampled})
    on conflict (since) do update set deleted = c.deleted + excluded.deleted,
      refuted = c.refuted + excluded.refuted, sampled = c.sampled + excluded.sampled`);
}

async function readDeleted(db: Db | Tx, at: Date): Promise<{ week: number; hour: number }> {
  const from = (spanMs: number) => new Date(at.getTime() - spanMs - sliceMs).toISOString();
  const [row] = await db.execute<{ week: number; hour: number }>(sql`
    select coalesce(sum(deleted), 0)::bigint as week,
      coalesce(sum(deleted) filter (where since > ${from(hourMs)}), 0)::bigint as hour
    from deletion_count where since > ${from(weekMs)}`);
  return row ?? { week: 0, hour: 0 };
}

/** How many products the ledger's refreshes showed or deleted since `from`, and since ops decided. */
async function readDecided(tx: Tx, since: string): Promise<number> {
  const [row] = await tx.execute<{ decided: number }>(sql`
    select coalesce(sum(returned + gone), 0)::bigint as decided from api_call
    where operation = 'refresh' and reserved_at > greatest(${since}, (select decided_at from loss_guard))`);
  return row?.decided ?? 0;
}

export interface GuardState {
  /** Since when losses are held; null while they take effect. */
  trippedAt: Date | null;
  /** Products deleted within the week, since ops last decided. */
  deleted: number;
  /** Living products that refreshes of the last day left out, as far as other answers have shown them. */
  refuted: number;
  /** These are so many that a deletion needs more than one answer. */
  isDoubted: boolean;
}

export async function readGuard(db: Db | Tx, now: Date): Promise<GuardState> {
  const [guard] = await db.execute<{ tripped_at: string | null }>(sql`
    select tripped_at from loss_guard`);
  const trippedAt = guard?.tripped_at ?? null;
  const { week } = await readDeleted(db, now);
  const { refuted, isDoubted } = await readDay(db, now);
  return {
    trippedAt: trippedAt === null ? null : new Date(trippedAt),
    deleted: week,
    refuted,
    isDoubted,
  };
}

/** Resets the guard once ops have decided about all held deletions. */
export async function endGuard(tx: Tx, now: Date): Promise<boolean> {
  // Take the lock first: then an answer that is being stored has committed what it holds, and the
  // guard stays.
  await tx.execute(sql`select from loss_guard for update`);
  const rows = await tx.execute(sql`
    update loss_guard set tripped_at = null, decided_at = ${now.toISOString()}
    where tripped_at is not null and not exists (select from held_deletion) returning singleton`);
  if (rows.length > 0) await tx.execute(sql`delete from deletion_count`);
  return rows.length > 0;
}
