import { desc } from "drizzle-orm";
import type { Db, Tx } from "../../db/open.ts";
import { opsAudit } from "../../db/schema.ts";

/** Who acts: through the API or the console, and the request id of the log. */
export interface Actor {
  via: "api" | "console";
  requestId: string;
}

export interface AuditEntry {
  action: string;
  /** The object of the action, such as a job or a keyword; empty if there is only one. */
  subject?: string;
  detail?: Record<string, unknown>;
  /** The code of the refusal; absent if it was done. */
  code?: string;
}

export type AuditRecord = typeof opsAudit.$inferSelect;

export async function recordAction(
  db: Db | Tx,
  by: Actor,
  entry: AuditEntry,
  at: Date,
): Promise<void> {
  await db.insert(opsAudit).values({
    at,
    ...by,
    action: entry.action,
    subject: entry.subject ?? "",
    detail: entry.detail ?? {},
    outcome: entry.code === undefined ? "done" : "refused",
    code: entry.code ?? null,
  });
}

/** Newest first. */
export async function readAudit(db: Db, limit: number): Promise<AuditRecord[]> {
  return db.select().from(opsAudit).orderBy(desc(opsAudit.id)).limit(limit);
}
