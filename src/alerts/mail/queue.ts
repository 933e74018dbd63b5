import { sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/open.ts";
import { oneMore, toRecords, type RowOf } from "../../db/rows.ts";
import type { alertOwner, outgoingMail } from "../../db/schema.ts";

type Owner = typeof alertOwner.$inferSelect;

/** A mail whose attempt is begun and counted, with what its owner chooses now. */
export interface ReservedMail
  extends
    Omit<typeof outgoingMail.$inferSelect, "nextAt">,
    Pick<Owner, "email" | "digest" | "lang"> {
  isConfirmed: boolean;
}

/**
 * Mails the owner a link that confirms the address. Only notes it, so that no request waits for a mail
 * server; one that waits already is enough.
 */
export async function sendConfirmation(tx: Tx, ownerId: number, now: Date): Promise<void> {
  const at = now.toISOString();
  await tx.execute(sql`
    insert into outgoing_mail (owner_id, kind, next_at, created_at)
    values (${ownerId}, 'confirmation', ${at}, ${at}) on conflict do nothing`);
}

/**
 * Begins attempts: counts them and puts each mail off until `holdUntil`, in one committed statement.
 * So no other worker sends it meanwhile, and one that dies loses nothing: the mail is due again then.
 */
export async function reserveMails(
  db: Db,
  limit: number,
  now: Date,
  holdUntil: Date,
): Promise<ReservedMail[]> {
  const rows = await db.execute<RowOf<ReservedMail>>(sql`
    with due as (
      select mail_id from outgoing_mail where next_at <= ${now.toISOString()}
      order by next_at limit ${limit} for update skip locked
    )
    update outgoing_mail m
    set attempts = ${oneMore(sql`attempts`)}, unsettled = ${oneMore(sql`unsettled`)}, next_at = ${holdUntil.toISOString()}
    from due, alert_owner o
    where m.mail_id = due.mail_id and o.owner_id = m.owner_id
    returning m.mail_id, m.owner_id, m.kind, m.after_event, m.last_event, m.attempts, m.unsettled,
      m.created_at, o.email, o.email_confirmed_at is not null as is_confirmed, o.digest, o.lang`);
  return toRecords<ReservedMail>(rows, { createdAt: true });
}

/** No other worker has begun another attempt since. */
const own = (mail: ReservedMail) => sql`mail_id = ${mail.mailId} and attempts = ${mail.attempts}`;

/** Makes who changes the address wait; false: the mail is not wanted any more. */
export async function lockMail(tx: Tx, mail: ReservedMail): Promise<boolean> {
  const rows = await tx.execute(sql`select from outgoing_mail where ${own(mail)} for update`);
  return rows.length > 0;
}

/** Sent, given up, or not wanted any more. */
export async function removeMail(db: Db, mail: ReservedMail): Promise<void> {
  await db.execute(sql`delete from outgoing_mail where ${own(mail)}`);
}

export async function putOff(db: Db, mail: ReservedMail, until: Date): Promise<void> {
  await db.execute(sql`
    update outgoing_mail set unsettled = 0, next_at = ${until.toISOString()} where ${own(mail)}`);
}

/** The address does not exist: it gets nothing more until it is confirmed again. */
export async function stopAddress(db: Db, mail: ReservedMail): Promise<void> {
  await db.execute(sql`
    with refused as (delete from outgoing_mail where ${own(mail)})
    update alert_owner set email_confirmed_at = null, digest_at = null
    where owner_id = ${mail.ownerId} and email = ${mail.email}`);
}
