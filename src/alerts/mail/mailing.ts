import type { Db } from "../../db/open.ts";
import { transact } from "../../db/transact.ts";
import { minuteMs } from "../../lib/calendar.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Logger } from "../../lib/logger.ts";
import { createLink } from "../owners.ts";
import { composeConfirmation, composeDigest, type Composed, type MailSite } from "./compose.ts";
import {
  lockMail,
  putOff,
  removeMail,
  reserveMails,
  stopAddress,
  type ReservedMail,
} from "./queue.ts";
import { readDigest } from "./read-digest.ts";
import type { AddressedMail, MailOutcome, SendMail } from "./smtp.ts";

export interface MailingDeps {
  db: Db;
  clock: Clock;
  logger: Logger;
  send: SendMail;
  site: MailSite;
  random?: () => number;
}

/** Mails under way together. */
const lanes = 4;
/** An attempt that takes longer is ended. */
const attemptMs = minuteMs;
/** Another attempt waits at least as long, so that it never meets the first. */
const holdMs = 2 * minuteMs;
/** When the process stops, attempts have so long to end. */
const graceMs = 3000;
const idleMs = 1000;
const serverPauseMs = minuteMs;
const longestPauseMs = 6 * 60 * minuteMs;
/** A mail that cannot be sent for so long is given up. */
const keptMs = 3 * 24 * 60 * minuteMs;

/**
 * One step sends some of the mails that are due, and returns the pause before the next. SMTP cannot tell
 * whether a mail arrived when the answer to it is lost; such a mail is sent once more, with the
 * same Message-ID, and never a third time.
 */
export function createMailing(deps: MailingDeps): (signal: AbortSignal) => Promise<number> {
  const { db, clock, logger, send, site, random = Math.random } = deps;

  /** null: the owner does not want this mail any more. */
  async function compose(mail: ReservedMail): Promise<(Composed & { to: string }) | null> {
    const { ownerId, email, lang } = mail;
    if (email === null) return null;
    const now = clock.now();
    if (mail.kind === "confirmation") {
      if (mail.isConfirmed) return null;
      const secret = await transact(db, clock, async (tx) =>
        (await lockMail(tx, mail)) ? createLink(tx, ownerId, "confirm", now) : null,
      );
      if (secret === null) return null;
      return { ...composeConfirmation(lang, site, secret), to: email };
    }
    if (!mail.isConfirmed || mail.digest === "none") return null;
    const events = await readDigest(db, mail);
    if (events.total === 0) return null;
    const links = await transact(db, clock, async (tx) => ({
      manage: await createLink(tx, ownerId, "manage", now),
      unsubscribe: await createLink(tx, ownerId, "unsubscribe", now),
    }));
    return { ...composeDigest(lang, site, { ...events, ...links }), to: email };
  }

  async function remove(mail: ReservedMail): Promise<true> {
    await removeMail(db, mail);
    return true;
  }

  /** Returns whether the server takes mails. */
  async function attempt(mail: ReservedMail, signal: AbortSignal): Promise<boolean> {
    const { mailId, ownerId, attempts } = mail;
    const isLost = mail.unsettled > 2;
    if (isLost) logger.warn({ mailId, ownerId }, "a mail is given up: twice its outcome was lost");
    const composed = isLost ? null : await compose(mail);
    if (composed === null) return remove(mail);
    const messageId = `<mail-${mailId}.${mail.createdAt.getTime()}@${new URL(site.publicUrl).hostname}>`;
    const outcome = await sendInTime({ ...composed, messageId }, signal);
    if (outcome.kind === "sent") return remove(mail);
    const { reason } = outcome;
    if (outcome.kind === "unknown") {
      // It stays reserved: the next attempt is the one after a lost outcome.
      logger.warn({ mailId, ownerId, reason }, "a mail was sent, but its outcome is not known");
      return false;
    }
    if (outcome.kind === "refused") {
      logger.info({ mailId, ownerId, reason }, "an address does not exist and gets no more mails");
      await stopAddress(db, mail);
      return true;
    }
    const now = clock.now();
    if (now.getTime() - mail.createdAt.getTime() >= keptMs) {
      logger.warn({ mailId, ownerId, reason }, "a mail is given up: it could not be sent for days");
      await removeMail(db, mail);
    } else {
      logger.warn({ mailId, ownerId, attempts, reason }, "a mail was not sent, and is tried again");
      const pauseMs = Math.min(longestPauseMs, minuteMs * 2 ** Math.min(attempts - 1, 20));
      await putOff(db, mail, new Date(now.getTime() + pauseMs * (1 + 0.1 * random())));
    }
    return outcome.of === "mail";
  }

  /** Ends the attempt when it takes too long, or soon after the process began to stop. */
  async function sendInTime(mail: AddressedMail, signal: AbortSignal): Promise<MailOutcome> {
    const ended = new AbortController();
    const cut = new AbortController();
    const watch = async () => {
      await clock.sleep(attemptMs, AbortSignal.any([signal, ended.signal]));
      if (signal.aborted) await clock.sleep(graceMs, ended.signal);
      cut.abort();
    };
    const watching = watch();
    try {
      return await send(mail, cut.signal);
    } finally {
      ended.abort();
      await watching;
    }
  }

  return async (signal) => {
    const now = clock.now();
    const mails = await reserveMails(db, lanes, now, new Date(now.getTime() + holdMs));
    // A mail whose attempt throws stays reserved, and is due again after a while.
    const results = await Promise.allSettled(mails.map((mail) => attempt(mail, signal)));
    for (const result of results) {
      if (result.status === "rejected") {
        logger.warn({ err: result.reason as unknown }, "the outcome of a mail cannot be stored");
      }
    }
    // One that the server deals with tells that the failures of others are their own.
    const taken = results.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    const isDown = taken.includes(false) && !taken.includes(true);
    return isDown ? serverPauseMs : mails.length === lanes ? 0 : idleMs;
  };
}
