import { sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/open.ts";
import type { Language } from "../../lib/languages.ts";
import { sendConfirmation } from "./queue.ts";
import { calendarDay, dayStart, hourMs, nextDayStart } from "../../lib/calendar.ts";
import { toSecretHash } from "../owners.ts";

export interface MailChoice {
  email: string | null;
  isConfirmed: boolean;
  digest: DigestChoice;
}

export async function readMailChoice(db: Db, ownerId: number): Promise<MailChoice> {
  const [choice] = await db.execute<MailChoice & Record<string, unknown>>(sql`
    select email, email_confirmed_at is not null as "isConfirmed", digest
    from alert_owner where owner_id = ${ownerId}`);
  return choice ?? { email: null, isConfirmed: false, digest: "none" };
}

interface ChosenMail {
  ownerId: number;
  /** What the browser has now. It stays good, also where it came with a link in a mail. */
  secret: string;
  email: string;
  choice: "daily" | "weekly";
  lang: Language;
}

/** Mails come in the language of the page where they were chosen. Digests begin when the link in the mail to this address was opened; one that is confirmed needs none. */
export async function chooseMail(
  tx: Tx,
  { ownerId, secret, email, choice, lang }: ChosenMail,
  at: { now: Date; timezone: string },
): Promise<void> {
  const [owner] = await tx.execute<{ email: string | null; confirmed: boolean }>(sql`
    update alert_owner set lang = ${lang} where owner_id = ${ownerId}
    returning email, email_confirmed_at is not null as confirmed`);
  const isSame = owner?.email === email;
  if (isSame && owner?.confirmed) return chooseDigest(tx, { ownerId, choice }, at);
  if (!isSame) await dropLinks(tx, ownerId, secret);
  await tx.execute(sql`
    update alert_owner set email = ${email}, email_confirmed_at = null, digest = ${choice}, digest_at = null
    where owner_id = ${ownerId}`);
  await sendConfirmation(tx, ownerId, at.now);
}

/** Links in mails to one address have no power over another, which waits for no mail to the first. */
async function dropLinks(tx: Tx, ownerId: number, kept: string): Promise<void> {
  await tx.execute(sql`
    delete from outgoing_mail where owner_id = ${ownerId} and kind = 'confirmation'`);
  await tx.execute(sql`
    delete from alert_link
    where owner_id = ${ownerId} and secret_hash is distinct from ${toSecretHash(kept)}`);
}

/** What was chosen before begins. Returns false if the address was forgotten meanwhile. */
export async function confirmMail(
  tx: Tx,
  ownerId: number,
  at: { now: Date; timezone: string },
): Promise<boolean> {
  const [owner] = await tx.execute<{ digest: DigestChoice }>(sql`
    update alert_owner set email_confirmed_at = ${at.now.toISOString()}
    where owner_id = ${ownerId} and email is not null returning digest`);
  if (owner) await chooseDigest(tx, { ownerId, choice: owner.digest }, at);
  return owner !== undefined;
}

/** No more mails, and the address is forgotten. */
export async function endMail(tx: Tx, ownerId: number): Promise<void> {
  await tx.execute(sql`
    update alert_owner set email = null, email_confirmed_at = null, digest = 'none', digest_at = null
    where owner_id = ${ownerId}`);
}

export type DigestChoice = "none" | "daily" | "weekly";

/** Digests are due at this hour of the marketplace's calendar, weekly ones on Mondays. */
const dueHour = 8;
/** Owners per transaction. */
const slice = 100;

/** The next moment after `now` at which a digest is due. */
export function nextDigestAt(choice: "daily" | "weekly", now: Date, timezone: string): Date {
  let day = dayStart(now, timezone);
  let dueMs = dueOn(day, timezone);
  while (dueMs <= now.getTime() || (choice === "weekly" && !isMonday(day, timezone))) {
    day = nextDayStart(day, timezone);
    dueMs = dueOn(day, timezone);
  }
  return new Date(dueMs);
}

/** Also on a day on which clocks change, which is an hour longer or shorter. */
function dueOn(day: Date, timezone: string): number {
  const aboutMs = day.getTime() + dueHour * hourMs;
  const format = new Intl.DateTimeFormat("en-GB", { timeZone: timezone, timeStyle: "medium" });
  const shownMs = Date.parse(`1970-01-01T${format.format(aboutMs)}Z`);
  return aboutMs + dueHour * hourMs - shownMs;
}

function isMonday(day: Date, timezone: string): boolean {
  return new Date(`${calendarDay(day, timezone)}T00:00:00Z`).getUTCDay() === 1;
}

/** A first digest tells what happens from now on. Only a confirmed address gets any. */
export async function chooseDigest(
  tx: Tx,
  { ownerId, choice }: { ownerId: number; choice: DigestChoice },
  { now, timezone }: { now: Date; timezone: string },
): Promise<void> {
  const at = choice === "none" ? null : nextDigestAt(choice, now, timezone).toISOString();
  await tx.execute(sql`
    update alert_owner o set digest = ${choice}, digest_at = ${at},
      digested_to = case when digest_at is null then ${lastEventOf(sql`o.owner_id`)} else digested_to end
    where owner_id = ${ownerId}`);
}

const lastEventOf = (ownerId: ReturnType<typeof sql>) => sql`coalesce((
  select event_id from alert_event e where e.owner_id = ${ownerId} order by event_id desc limit 1), 0)`;

/**
 * Notes the digests that are due, one for all new events of an owner, and moves the owner on to the next
 * one in the same transaction: whatever dies, no period gets a second mail and no event is left out. An
 * owner whose last digest still waits gets these events with the next one. Returns how many were due.
 */
export async function queueDigests(tx: Tx, now: Date, timezone: string): Promise<number> {
  const at = now.toISOString();
  const next = (choice: "daily" | "weekly") => nextDigestAt(choice, now, timezone).toISOString();
  const [row] = await tx.execute<{ due: number }>(sql`
    with due as materialized (
      select owner_id, digested_to, email_confirmed_at is not null as is_confirmed from alert_owner
      where digest_at <= ${at} order by digest_at limit ${slice} for no key update skip locked
    ), told as (
      insert into outgoing_mail (owner_id, kind, after_event, last_event, next_at, created_at)
      select owner_id, 'digest', digested_to, last_event, ${at}, ${at}
      from (select due.*, ${lastEventOf(sql`due.owner_id`)} as last_event from due) d
      where is_confirmed and last_event > digested_to
      on conflict do nothing
      returning owner_id, last_event
    ), moved as (
      update alert_owner o set digested_to = coalesce(told.last_event, o.digested_to),
        digest_at = case o.digest when 'daily' then ${next("daily")}::timestamptz
          when 'weekly' then ${next("weekly")}::timestamptz end
      from due left join told using (owner_id)
      where o.owner_id = due.owner_id
    )
    select count(*)::int as due from due`);
  return row?.due ?? 0;
}
