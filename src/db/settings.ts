import { eq } from "drizzle-orm";
import type { z } from "zod";
import { setting } from "./schema.ts";
import type { Db, Tx } from "./open.ts";

/** Reads one of the small values that all processes share; undefined without one of this shape. */
export async function readSetting<T>(
  db: Db | Tx,
  key: string,
  schema: z.ZodType<T>,
): Promise<T | undefined> {
  const [row] = await db.select().from(setting).where(eq(setting.key, key));
  return schema.safeParse(row?.value).data;
}

/** Writes one of them. */
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
