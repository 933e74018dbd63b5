import type { Db } from "../../db/open.ts";
import { readPercentiles } from "./freshness.ts";
import { readCounts } from "../counts.ts";

export interface CatalogStatus {
  products: { live: number; missing: number; gone: number };
  shops: number;
  /** Seconds since products that are not deleted were last verified, at most 1 s too much; null if there are none. */
  freshness: { p50Seconds: number; p95Seconds: number; oldestSeconds: number } | null;
  quarantined: number;
  heldDeletions: number;
}

/** From kept counts: costs the same for every size of catalogue. */
export async function readCatalogStatus(db: Db, now: Date): Promise<CatalogStatus> {
  const [counts, ages] = await Promise.all([
    readCounts(db, ["state", "table"]),
    readPercentiles(db, now, [0.5, 0.95, 1]),
  ]);
  const count = (name: string, key: string) =>
    counts.find((one) => one.name === name && one.key === key)?.n ?? 0;
  const [p50Seconds = 0, p95Seconds = 0, oldestSeconds = 0] = ages ?? [];
  return {
    products: {
      live: count("state", "live"),
      missing: count("state", "missing"),
      gone: count("state", "gone"),
    },
    shops: count("table", "shop"),
    freshness: ages && { p50Seconds, p95Seconds, oldestSeconds },
    quarantined: count("table", "quarantine"),
    heldDeletions: count("table", "held_deletion"),
  };
}
