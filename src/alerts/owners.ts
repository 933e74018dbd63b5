import { eq, sql } from "drizzle-orm";
import type { Tx } from "../db/open.ts";
import { alertOwner } from "../db/schema.ts";
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
