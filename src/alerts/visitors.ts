import { sql } from "drizzle-orm";
import type { Db, Tx } from "../db/open.ts";
import { must } from "../lib/must.ts";
import { createSecret, toSecretHash } from "./secrets.ts";

/** Saved searches of one visitor. */
export const mostOfVisitor = 50;
/** Days after which a visitor's saved search ends, unless its page is opened before. */
export const visitorDays = 365;

/** A new owner for whoever has the secret, of which only a hash is stored. */
export async function createVisitor(
  tx: Tx,
  lang: "ja" | "en",
  now: Date,
): Promise<{ ownerId: number; secret: string }> {
  const secret = createSecret();
  const [owner] = await tx.execute<{ owner_id: number }>(sql`
    insert into alert_owner (secret_hash, lang, created_at)
    values (${toSecretHash(secret)}, ${lang}, ${now.toISOString()}) returning owner_id`);
  return { ownerId: must(owner, "the new owner").owner_id, secret };
}

/** null: nobody has this secret. */
export async function findVisitor(db: Db | Tx, secret: string): Promise<number | null> {
  const hash = toSecretHash(secret);
  if (hash === null) return null;
  const [owner] = await db.execute<{ owner_id: number }>(
    sql`select owner_id from alert_owner where secret_hash = ${hash}`,
  );
  return owner?.owner_id ?? null;
}

/** Whoever opens the page of alerts still wants them. */
export async function prolong(db: Db, ownerId: number, now: Date): Promise<void> {
  await db.execute(sql`
    update saved_search set expires_at = ${until(now).toISOString()}
    where owner_id = ${ownerId} and expires_at < ${until(now, visitorDays - 1).toISOString()}`);
}

export function until(now: Date, days = visitorDays): Date {
  return new Date(now.getTime() + days * 86_400_000);
}

/** Saved searches, what they remember and their events, at once and for good. */
export async function deleteVisitor(tx: Tx, ownerId: number): Promise<void> {
  await tx.execute(sql`delete from saved_search where owner_id = ${ownerId}`);
  await tx.execute(sql`delete from alert_event where owner_id = ${ownerId}`);
  await tx.execute(sql`delete from alert_owner where owner_id = ${ownerId}`);
}
