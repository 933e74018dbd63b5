import { desc } from "drizzle-orm";
import type { Db, Tx } from "../../db/open.ts";
import { opsAudit } from "../../db/schema.ts";

/** Who acts: by which door, and in which request, as the log names it. */
export interface Actor {
  via: "api" | "console";
  requestId: string;
}

export interface AuditEntry {
  action: string;
  /** What it was done to: a job, a keyword; empty where there is only one. */
  subject?: string;
  detail?: Record<string, unknown>;
  /** Of the refusal; left out where it was done. */
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
