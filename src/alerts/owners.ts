import { eq, sql } from "drizzle-orm";
import { createHash, randomBytes } from "node:crypto";
import type { Tx, Db } from "../db/open.ts";
import { alertOwner } from "../db/schema.ts";
import type { Language } from "../lib/languages.ts";
import { must } from "../lib/must.ts";

/** The owner that stands for an API key; made when the key is first used for alerts. */
export async function ownerOfKey(tx: Tx, keyId: number, now: Date): Promise<number> {
  await tx
    .insert(alertOwner)
    .values({ keyId, lang: "en", createdAt: now })
    .onConflictDoNothing({ target: alertOwner.keyId });
  const [owner] = await tx
    .select({ ownerId: alertOwner.ownerId })
    .from(alertOwner)
    .where(eq(alertOwner.keyId, keyId));
  return must(owner, "the owner of a key").ownerId;
}

/** Makes others wait who count or add something of the same owner. */
export async function lockOwner(tx: Tx, ownerId: number): Promise<void> {
  await tx.execute(sql`select from alert_owner where owner_id = ${ownerId} for no key update`);
}

/** Saved searches of one visitor. */
export const mostOfVisitor = 50;
/** Days after which a visitor's saved search ends, unless its page is opened before. */
export const visitorDays = 365;

/** A new owner for whoever has the secret, of which only a hash is stored. */
export async function createVisitor(
  tx: Tx,
  lang: Language,
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
  const isOver = sql`expires_at <= ${now.toISOString()}::timestamptz`;
  // One that had ended begins anew.
  await db.execute(sql`
    with forgotten as (
      delete from saved_search_item where saved_search_id in (
        select saved_search_id from saved_search where owner_id = ${ownerId} and ${isOver})
    )
    update saved_search set expires_at = ${until(now).toISOString()},
      judges_after = case when ${isOver} then (select position from change_head) else judges_after end
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

/** A secret for an address, with 192 random bits. */
export function createSecret(): string {
  return randomBytes(24).toString("base64url");
}

/** What is stored of a secret, and looked up by; null: the text cannot be one. */
export function toSecretHash(text: string): string | null {
  return /^[A-Za-z0-9_-]{32}$/.test(text) ? createHash("sha256").update(text).digest("hex") : null;
}

/** What a link in a mail is for, and for how many days it works. */
const lifetimes = { confirm: 3, manage: 90, unsubscribe: 400 } as const;
export type LinkPurpose = keyof typeof lifetimes;

/** A fresh secret for an address in a mail; only its hash is stored. */
export async function createLink(
  tx: Tx,
  ownerId: number,
  purpose: LinkPurpose,
  now: Date,
): Promise<string> {
  const secret = createSecret();
  const expiresAt = new Date(now.getTime() + lifetimes[purpose] * 86_400_000);
  await tx.execute(sql`
    insert into alert_link (secret_hash, owner_id, purpose, expires_at)
    values (${toSecretHash(secret)}, ${ownerId}, ${purpose}, ${expiresAt.toISOString()})`);
  return secret;
}

/** A link to the alerts works for a year from the last time that somebody saw them by it. */
export async function prolongLink(db: Db, secret: string, now: Date): Promise<void> {
  const hash = toSecretHash(secret);
  await db.execute(sql`
    update alert_link set expires_at = ${until(now).toISOString()}
    where secret_hash = ${hash} and purpose = 'manage'
      and expires_at < ${until(now, visitorDays - 1).toISOString()}`);
}

/** null: there is no such link, or not for this, or not any more. */
export async function ownerOfLink(
  db: Db | Tx,
  secret: string,
  purpose: LinkPurpose,
  now: Date,
): Promise<number | null> {
  const hash = toSecretHash(secret);
  if (hash === null) return null;
  const [link] = await db.execute<{ owner_id: number }>(sql`
    select owner_id from alert_link
    where secret_hash = ${hash} and purpose = ${purpose} and expires_at > ${now.toISOString()}`);
  return link?.owner_id ?? null;
}
