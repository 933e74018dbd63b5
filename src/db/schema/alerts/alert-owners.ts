import { sql } from "drizzle-orm";
import { check, index, pgTable, unique } from "drizzle-orm/pg-core";
import { id, instant } from "../columns.ts";
import { apiKey } from "../keys.ts";

/** Who owns saved searches: an API key, or a visitor who holds a secret link. */
export const alertOwner = pgTable(
  "alert_owner",
  (t) => ({
    ownerId: id("owner_id").primaryKey().generatedAlwaysAsIdentity(),
    keyId: id("key_id")
      .unique()
      .references(() => apiKey.keyId),
    /** SHA-256 in hex of a visitor's secret, which has 192 random bits. */
    secretHash: t.text("secret_hash").unique(),
    /** Where digests go; null: nowhere. */
    email: t.text("email"),
    /** The visitor has opened the link that was sent to the address. */
    emailConfirmedAt: instant("email_confirmed_at"),
    lang: t.text("lang", { enum: ["ja", "en"] }).notNull(),
    digest: t
      .text("digest", { enum: ["none", "daily", "weekly"] })
      .notNull()
      .default("none"),
    /** When the next one is due; null: no digest. */
    digestAt: instant("digest_at"),
    /** The last event that a digest tells, sent or waiting in `outgoing_mail`; 0: none. */
    digestedTo: id("digested_to").notNull().default(0),
    createdAt: instant("created_at").notNull(),
  }),
  (t) => [
    check("alert_owner_one", sql`(${t.keyId} is null) <> (${t.secretHash} is null)`),
    index("alert_owner_email").on(t.email),
    index("alert_owner_digest")
      .on(t.digestAt)
      .where(sql`digest_at is not null`),
  ],
);

/**
 * Mails to send; a mail that was sent or given up has no row. Their texts are written when they are
 * sent, because the secrets of their links may not be stored.
 */
export const outgoingMail = pgTable(
  "outgoing_mail",
  (t) => ({
    mailId: id("mail_id").primaryKey().generatedAlwaysAsIdentity(),
    ownerId: id("owner_id")
      .notNull()
      .references(() => alertOwner.ownerId, { onDelete: "cascade" }),
    kind: t.text("kind", { enum: ["confirmation", "digest"] }).notNull(),
    /** A digest tells the events after the first and up to the second. */
    afterEvent: id("after_event").notNull().default(0),
    lastEvent: id("last_event").notNull().default(0),
    /** Attempts begun. */
    attempts: t.integer("attempts").notNull().default(0),
    /** The last so many attempts have begun, and what came of them is not known. */
    unsettled: t.integer("unsettled").notNull().default(0),
    /** Not before then; during an attempt, when it counts as lost. */
    nextAt: instant("next_at").notNull(),
    createdAt: instant("created_at").notNull(),
  }),
  (t) => [
    unique("outgoing_mail_once").on(t.ownerId, t.kind),
    index("outgoing_mail_due").on(t.nextAt),
  ],
);

/** Secrets of addresses in mails; maintenance deletes those that have expired. */
export const alertLink = pgTable(
  "alert_link",
  (t) => ({
    /** SHA-256 in hex. */
    secretHash: t.text("secret_hash").primaryKey(),
    ownerId: id("owner_id")
      .notNull()
      .references(() => alertOwner.ownerId, { onDelete: "cascade" }),
    purpose: t.text("purpose", { enum: ["manage", "confirm", "unsubscribe"] }).notNull(),
    expiresAt: instant("expires_at").notNull(),
  }),
  (t) => [index("alert_link_owner").on(t.ownerId), index("alert_link_expires").on(t.expiresAt)],
);

export const webhook = pgTable(
  "webhook",
  (t) => ({
    webhookId: id("webhook_id").primaryKey().generatedAlwaysAsIdentity(),
    ownerId: id("owner_id")
      .notNull()
      .references(() => alertOwner.ownerId),
    url: t.text("url").notNull(),
    /** `whsec_` and base64. In clear, because every message is signed with it. */
    secret: t.text("secret").notNull(),
    /** Signs as well until then, after a rotation. */
    oldSecret: t.text("old_secret"),
    oldSecretUntil: instant("old_secret_until"),
    /** paused: by its owner, messages wait. deleted: waits for maintenance, which deletes its messages. */
    state: t
      .text("state", { enum: ["active", "paused", "disabled", "deleted"] })
      .notNull()
      .default("active"),
    /** Why it was disabled. gone: it answered 410; failing: nothing but failures for days. */
    reason: t.text("reason", { enum: ["gone", "failing"] }),
    /** Since the last success every attempt has failed; null: the last one succeeded, or none was made. */
    failingSince: instant("failing_since"),
    /** Its last answer asked for a pause until then (Retry-After). */
    notBefore: instant("not_before"),
    createdAt: instant("created_at").notNull(),
    disabledAt: instant("disabled_at"),
  }),
  (t) => [
    index("webhook_owner").on(t.ownerId),
    index("webhook_deleted")
      .on(t.webhookId)
      .where(sql`state = 'deleted'`),
  ],
);

/** Attempts ever made, by outcome. */
export const webhookCount = pgTable("webhook_count", (t) => ({
  outcome: t.text("outcome", { enum: ["delivered", "failed"] }).primaryKey(),
  attempts: id("attempts").notNull(),
}));
