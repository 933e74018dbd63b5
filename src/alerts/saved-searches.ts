import { isDeepStrictEqual } from "node:util";
import { and, asc, count, eq, getTableColumns, gt, ne, sql, type SQL } from "drizzle-orm";
import { readLastPosition } from "../catalog/changes/change-order.ts";
import type { Db, Tx } from "../db/open.ts";
import {
  alertOwner,
  savedSearch,
  savedSearchItem,
  webhook,
  type SavedQuery,
} from "../db/schema.ts";
import { must } from "../lib/must.ts";
import type { Anchor } from "./judging/anchors.ts";
import { writeAnchors } from "./judging/stored-anchors.ts";
import { lockOwner, createSecret, toSecretHash } from "./owners.ts";

/** Saved searches of one API key. */
export const mostOfKey = 10_000;

export type StoredSavedSearch = Omit<
  typeof savedSearch.$inferSelect,
  "feedHash" | "anchorsVersion"
>;

/** What its owner chooses. */
export type Chosen = Pick<
  typeof savedSearch.$inferSelect,
  | "name"
  | "query"
  | "rules"
  | "webhookId"
  | "minChangePercent"
  | "cooldownS"
  | "dailyMax"
  | "confirmFactor"
  | "expiresAt"
  | "isPaused"
>;

/** The owner has as many as are allowed. */
export class TooManySearches extends Error {
  override readonly name = "TooManySearches";
}

/** The owner has no such webhook. */
export class NoSuchWebhook extends Error {
  override readonly name = "NoSuchWebhook";
}

const { feedHash: _, anchorsVersion: __, ...shown } = getTableColumns(savedSearch);

/** The only moment at which the secret of its feeds is known. */
export async function createSavedSearch(
  tx: Tx,
  request: { ownerId: number; chosen: Chosen; anchors: readonly Anchor[]; most: number },
  now: Date,
): Promise<{ stored: StoredSavedSearch; feedSecret: string }> {
  const { ownerId, chosen, anchors, most } = request;
  await lockOwner(tx, ownerId);
  const [own] = await tx
    .select({ n: count() })
    .from(savedSearch)
    .where(eq(savedSearch.ownerId, ownerId));
  if ((own?.n ?? 0) >= most) throw new TooManySearches(`there may be ${most} saved searches`);
  await requireWebhook(tx, ownerId, chosen.webhookId);
  const feedSecret = createSecret();
  const feedHash = must(toSecretHash(feedSecret), "a hash of a new secret");
  const judgesAfter = await readLastPosition(tx);
  const values = { ...chosen, ownerId, feedHash, judgesAfter, createdAt: now, updatedAt: now };
  const [stored] = await tx.insert(savedSearch).values(values).returning(shown);
  const search = must(stored, "the new saved search");
  await writeAnchors(tx, [{ savedSearchId: search.savedSearchId, anchors }]);
  return { stored: search, feedSecret };
}

async function requireWebhook(tx: Tx, ownerId: number, webhookId: number | null): Promise<void> {
  if (webhookId === null) return;
  const own = await tx
    .select({ webhookId: webhook.webhookId })
    .from(webhook)
    .where(
      and(
        eq(webhook.webhookId, webhookId),
        eq(webhook.ownerId, ownerId),
        ne(webhook.state, "deleted"),
      ),
    );
  if (own.length === 0) throw new NoSuchWebhook(`webhook ${webhookId}`);
}

/** An API key, or the owner itself. */
export type OwnedBy = { keyId: number } | { ownerId: number };

const ownedBy = (owner: OwnedBy) =>
  "keyId" in owner ? eq(alertOwner.keyId, owner.keyId) : eq(alertOwner.ownerId, owner.ownerId);

const selectOwned = (db: Db | Tx, owner: OwnedBy, which: SQL) =>
  db
    .select(shown)
    .from(savedSearch)
    .innerJoin(alertOwner, eq(alertOwner.ownerId, savedSearch.ownerId))
    .where(and(ownedBy(owner), which));

/** In the order in which they were made. */
export async function listSavedSearches(
  db: Db,
  owner: OwnedBy,
  page: { after: number; limit: number },
): Promise<StoredSavedSearch[]> {
  return selectOwned(db, owner, gt(savedSearch.savedSearchId, page.after))
    .orderBy(asc(savedSearch.savedSearchId))
    .limit(page.limit);
}

/** null: the owner has no such saved search. */
export async function readSavedSearch(
  db: Db | Tx,
  owner: OwnedBy,
  savedSearchId: number,
): Promise<StoredSavedSearch | null> {
  const [stored] = await selectOwned(db, owner, eq(savedSearch.savedSearchId, savedSearchId));
  return stored ?? null;
}

/** The owner's saved search with the same name, query and rules; makes others wait who look for it or add one. */
export async function findEqual(
  tx: Tx,
  ownerId: number,
  { name, query, rules }: Chosen,
): Promise<StoredSavedSearch | null> {
  await lockOwner(tx, ownerId);
  const [stored] = await tx
    .select(shown)
    .from(savedSearch)
    .where(
      and(
        eq(savedSearch.ownerId, ownerId),
        eq(savedSearch.name, name),
        eq(savedSearch.query, query),
        eq(savedSearch.rules, rules),
      ),
    )
    .limit(1);
  return stored ?? null;
}

/**
 * Another query, other rules and the end of a pause, also of one by its expiry, begin anew: what was remembered of products is forgotten, and
 * what was stored before is not judged any more.
 */
export async function changeSavedSearch(
  tx: Tx,
  request: {
    stored: StoredSavedSearch;
    chosen: Partial<Chosen>;
    anchors: readonly Anchor[] | null;
  },
  now: Date,
): Promise<StoredSavedSearch | null> {
  const { stored, chosen, anchors } = request;
  const { savedSearchId } = stored;
  if (chosen.webhookId !== undefined) await requireWebhook(tx, stored.ownerId, chosen.webhookId);
  const isGiven = chosen.query !== undefined || chosen.rules !== undefined;
  const { query = stored.query, rules = stored.rules } = chosen;
  const isOther = !isDeepStrictEqual([query, rules], [stored.query, stored.rules]);
  const isOff = ({ isPaused, expiresAt }: StoredSavedSearch) =>
    isPaused || (expiresAt !== null && expiresAt <= now);
  const goesOn = isOff(stored) && !isOff({ ...stored, ...chosen });
  const beginsAnew = isOther || goesOn || (isGiven && stored.fault !== null);
  const [changed] = await tx
    .update(savedSearch)
    .set({
      ...chosen,
      ...(isGiven ? { fault: null } : {}),
      ...(beginsAnew ? { judgesAfter: await readLastPosition(tx) } : {}),
      // Differs from every earlier one, because who judges keeps what it knows of this version.
      updatedAt: sql`greatest(${now.toISOString()}::timestamptz, ${savedSearch.updatedAt} + interval '1 ms')`,
    })
    .where(eq(savedSearch.savedSearchId, savedSearchId))
    .returning(shown);
  if (!changed) return null;
  if (anchors !== null) await writeAnchors(tx, [{ savedSearchId, anchors }]);
  if (beginsAnew) {
    await tx.delete(savedSearchItem).where(eq(savedSearchItem.savedSearchId, savedSearchId));
  }
  return changed;
}

/** The old addresses of its feeds stop to work. */
export async function renewFeeds(tx: Tx, savedSearchId: number): Promise<string> {
  const secret = createSecret();
  await tx
    .update(savedSearch)
    .set({ feedHash: must(toSecretHash(secret), "a hash of a new secret") })
    .where(eq(savedSearch.savedSearchId, savedSearchId));
  return secret;
}

/** Its events stay. */
export async function deleteSavedSearch(tx: Tx, savedSearchId: number): Promise<void> {
  await tx.delete(savedSearch).where(eq(savedSearch.savedSearchId, savedSearchId));
}

/** What the query names although there has never been such a product or group. */
export async function findUnknown(
  db: Db,
  { item_id: itemId, group_id: groupId }: SavedQuery,
): Promise<{ parameter: string; message: string }[]> {
  const [known] = await db.execute<{ item: boolean; is_group: boolean }>(sql`
    select exists (select from product where item_id = ${itemId ?? null}::bigint) as item,
      exists (select from product_group where group_id = ${groupId ?? null}::bigint) as is_group`);
  const faults: { parameter: string; message: string }[] = [];
  if (itemId !== undefined && !known?.item) {
    faults.push({ parameter: "query.item_id", message: "no product has ever had this id" });
  }
  if (groupId !== undefined && !known?.is_group) {
    faults.push({ parameter: "query.group_id", message: "no group has ever had this id" });
  }
  return faults;
}
