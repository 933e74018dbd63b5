import { eq, lt } from "drizzle-orm";
import type { Db, Tx } from "../../db/open.ts";
import { revokedSession } from "../../db/schema.ts";

export interface EndingSession {
  id: string;
  endsAt: Date;
}

export async function isRevoked(db: Db, { id }: Pick<EndingSession, "id">): Promise<boolean> {
  const rows = await db.select().from(revokedSession).where(eq(revokedSession.session, id));
  return rows.length > 0;
}

/**
 * Returns false if it was revoked before. Only the owner of a session can add a row, which is deleted
 * at the session's end.
 */
export async function revokeSession(tx: Tx, { id, endsAt }: EndingSession): Promise<boolean> {
  const rows = await tx
    .insert(revokedSession)
    .values({ session: id, endsAt })
    .onConflictDoNothing()
    .returning();
  return rows.length > 0;
}

export async function forgetRevokedSessions(db: Db, now: Date): Promise<void> {
  await db.delete(revokedSession).where(lt(revokedSession.endsAt, now));
}
