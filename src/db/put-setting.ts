import { setting } from "./schema.ts";
import type { Db, Tx } from "./open.ts";

/** Writes one of the small values that all processes share. */
export async function putSetting(
  db: Db | Tx,
  key: string,
  value: unknown,
  now: Date,
): Promise<void> {
  await db
    .insert(setting)
    .values({ key, value, updatedAt: now })
    .onConflictDoUpdate({ target: setting.key, set: { value, updatedAt: now } });
}
