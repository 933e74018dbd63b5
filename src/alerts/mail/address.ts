import { sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/open.ts";
import { chooseDigest, type DigestChoice } from "./digests.ts";
import { sendConfirmation } from "./queue.ts";

export interface MailChoice {
  email: string | null;
  isConfirmed: boolean;
  digest: DigestChoice;
}

export async function readMailChoice(db: Db, ownerId: number): Promise<MailChoice> {
  const [row] = await db.execute<{
    email: string | null;
    confirmed: boolean;
    digest: DigestChoice;
  }>(sql`
    select email, email_confirmed_at is not null as confirmed, digest from alert_owner where owner_id = ${ownerId}`);
  return {
    email: row?.email ?? null,
    isConfirmed: row?.confirmed ?? false,
    digest: row?.digest ?? "none",
  };
}

/** Mails come in the language of the page where they were chosen. Digests begin when the link in the mail to this address was opened; one that is confirmed needs none. */
export async function chooseMail(
  tx: Tx,
  chosen: { ownerId: number; email: string; choice: "daily" | "weekly"; lang: "ja" | "en" },
  at: { now: Date; timezone: string },
): Promise<void> {
  const { ownerId, email, choice, lang } = chosen;
  const [owner] = await tx.execute<{ email: string | null; confirmed: boolean }>(sql`
    update alert_owner set lang = ${lang} where owner_id = ${ownerId}
    returning email, email_confirmed_at is not null as confirmed`);
  const isSame = owner?.email === email;
  if (isSame && owner?.confirmed) return chooseDigest(tx, { ownerId, choice }, at);
  if (!isSame) await dropConfirmations(tx, ownerId);
  await tx.execute(sql`
    update alert_owner set email = ${email}, email_confirmed_at = null, digest = ${choice}, digest_at = null
    where owner_id = ${ownerId}`);
  await sendConfirmation(tx, ownerId, at.now);
}

/** Links in mails to one address do not confirm another, which waits for no mail to the first. */
async function dropConfirmations(tx: Tx, ownerId: number): Promise<void> {
  await tx.execute(sql`
    delete from outgoing_mail where owner_id = ${ownerId} and kind = 'confirmation'`);
  await tx.execute(sql`delete from alert_link where owner_id = ${ownerId} and purpose = 'confirm'`);
}

/** What was chosen before begins. */
export async function confirmMail(
  tx: Tx,
  ownerId: number,
  at: { now: Date; timezone: string },
): Promise<void> {
  const [owner] = await tx.execute<{ digest: DigestChoice }>(sql`
    update alert_owner set email_confirmed_at = ${at.now.toISOString()}
    where owner_id = ${ownerId} and email is not null returning digest`);
  if (owner) await chooseDigest(tx, { ownerId, choice: owner.digest }, at);
}

/** No more mails, and the address is forgotten. */
export async function endMail(tx: Tx, ownerId: number): Promise<void> {
  await tx.execute(sql`
    update alert_owner set email = null, email_confirmed_at = null, digest = 'none', digest_at = null
    where owner_id = ${ownerId}`);
}
