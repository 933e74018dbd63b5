import { sql } from "drizzle-orm";
import type { Db } from "../db/open.ts";
import { readJudgingLag } from "./waiting-changes.ts";

export interface AlertStatus {
  /** All four since the beginning. */
  judged: number;
  looked: number;
  events: number;
  skipped: number;
  lagSeconds: number;
}

export async function readAlertStatus(db: Db): Promise<AlertStatus> {
  const [[counts], lagSeconds] = await Promise.all([
    db.execute<Record<"judged" | "looked" | "events" | "skipped", number>>(
      sql`select judged, looked, events, skipped from alert_head`,
    ),
    readJudgingLag(db),
  ]);
  return { ...(counts ?? { judged: 0, looked: 0, events: 0, skipped: 0 }), lagSeconds };
}
