import { sql } from "drizzle-orm";
import type { Db, Tx } from "../db/open.ts";
import { createSecret, toSecretHash } from "./secrets.ts";
import { until, visitorDays } from "./visitors.ts";

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
