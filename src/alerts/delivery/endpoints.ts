import { and, asc, count, eq, inArray, ne, sql, type SQL } from "drizzle-orm";
import type { Db, Tx } from "../../db/open.ts";
import { savedSearch, webhook, webhookDelivery } from "../../db/schema.ts";
import { must } from "../../lib/must.ts";
import { lockOwner, ownerOfKey } from "../owners.ts";
import { createSecret } from "./message.ts";

export const mostWebhooks = 20;
/** How long a replaced secret still signs. */
const oldSecretMs = 24 * 3_600_000;

/** Without the secrets, which only the answers that make them show. */
export type Endpoint = Omit<
  typeof webhook.$inferSelect,
  "ownerId" | "secret" | "oldSecret" | "notBefore"
>;

/** A webhook as its owner names it. */
export interface Named {
  keyId: number;
  webhookId: number;
}

const shown = {
  webhookId: webhook.webhookId,
  url: webhook.url,
  state: webhook.state,
  reason: webhook.reason,
  failingSince: webhook.failingSince,
  oldSecretUntil: webhook.oldSecretUntil,
  createdAt: webhook.createdAt,
  disabledAt: webhook.disabledAt,
};

const ofKey = (keyId: number) => sql`${webhook.ownerId} in (
  select owner_id from alert_owner where key_id = ${keyId})`;
const isNamed = ({ keyId, webhookId }: Named) =>
  and(eq(webhook.webhookId, webhookId), ofKey(keyId), ne(webhook.state, "deleted"));

/** null: the key has as many as it may have. */
export async function createWebhook(
  tx: Tx,
  keyId: number,
  url: string,
  now: Date,
): Promise<{ endpoint: Endpoint; secret: string } | null> {
  const ownerId = await ownerOfKey(tx, keyId, now);
  await lockOwner(tx, ownerId);
  const [known] = await tx
    .select({ n: count() })
    .from(webhook)
    .where(and(eq(webhook.ownerId, ownerId), ne(webhook.state, "deleted")));
  if ((known?.n ?? 0) >= mostWebhooks) return null;
  const secret = createSecret();
  const [endpoint] = await tx
    .insert(webhook)
    .values({ ownerId, url, secret, createdAt: now })
    .returning(shown);
  return { endpoint: must(endpoint, "the new webhook"), secret };
}

export async function listWebhooks(db: Db, keyId: number): Promise<Endpoint[]> {
  return db
    .select(shown)
    .from(webhook)
    .where(and(ofKey(keyId), ne(webhook.state, "deleted")))
    .orderBy(asc(webhook.webhookId))
    .limit(mostWebhooks);
}

export async function readWebhook(db: Db | Tx, named: Named): Promise<Endpoint | null> {
  const [found] = await db.select(shown).from(webhook).where(isNamed(named));
  return found ?? null;
}

/** Another URL, and an enabled endpoint, begin without the failures of before. */
export async function changeWebhook(
  tx: Tx,
  named: Named,
  change: { url?: string | undefined; enabled?: boolean | undefined },
): Promise<Endpoint | null> {
  const { url, enabled } = change;
  if (url === undefined && enabled === undefined) return readWebhook(tx, named);
  const anew = { failingSince: null, notBefore: null };
  const [changed] = await tx
    .update(webhook)
    .set({
      ...(url === undefined ? {} : { url, ...anew }),
      ...(enabled === true ? { state: "active", reason: null, disabledAt: null, ...anew } : {}),
      ...(enabled === false
        ? { state: sql`case when state = 'active' then 'paused' else state end` }
        : {}),
    })
    .where(isNamed(named))
    .returning(shown);
  return changed ?? null;
}

export async function removeWebhook(tx: Tx, named: Named, now: Date): Promise<boolean> {
  return remove(tx, isNamed(named), now);
}

/** Whether there is one, of whichever key. */
export async function isWebhook(tx: Tx, webhookId: number): Promise<boolean> {
  const which = and(eq(webhook.webhookId, webhookId), ne(webhook.state, "deleted"));
  return (await tx.$count(webhook, which)) > 0;
}

/** Nothing more is sent for a key that is revoked. */
export async function removeWebhooksOf(tx: Tx, keyId: number, now: Date): Promise<void> {
  await remove(tx, and(ofKey(keyId), ne(webhook.state, "deleted")), now);
}

/** Maintenance deletes their messages later, because there may be many. */
async function remove(tx: Tx, which: SQL | undefined, now: Date): Promise<boolean> {
  const gone = { state: "deleted", url: "", secret: "", oldSecret: null, disabledAt: now } as const;
  const rows = await tx.update(webhook).set(gone).where(which).returning(shown);
  if (rows.length === 0) return false;
  const ids = rows.map(({ webhookId }) => webhookId);
  await tx.update(savedSearch).set({ webhookId: null }).where(inArray(savedSearch.webhookId, ids));
  return true;
}

/** The new secret; the old one signs as well for a day. */
export async function rotateSecret(
  tx: Tx,
  named: Named,
  now: Date,
): Promise<{ endpoint: Endpoint; secret: string } | null> {
  const secret = createSecret();
  const [endpoint] = await tx
    .update(webhook)
    .set({
      secret,
      oldSecret: sql`${webhook.secret}`,
      oldSecretUntil: new Date(now.getTime() + oldSecretMs),
    })
    .where(isNamed(named))
    .returning(shown);
  return endpoint ? { endpoint, secret } : null;
}

/** Puts a test message among those to send, once. */
export async function addTest(tx: Tx, webhookId: number, now: Date): Promise<number> {
  const values = { webhookId, nextAt: now, createdAt: now };
  const [row] = await tx
    .insert(webhookDelivery)
    .values(values)
    .returning({ deliveryId: webhookDelivery.deliveryId });
  return must(row, "the test message").deliveryId;
}
