import { randomBytes, scryptSync } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { z } from "zod";
import type { Db } from "../../db/open.ts";
import { putSetting } from "../../db/settings.ts";
import { setting } from "../../db/schema.ts";
import { anomalousAnswers } from "./pause.ts";

const settingKey = "upstream_settings";
const stored = z.object({ salt: z.string(), hash: z.string() });

export interface UpstreamSettings {
  /** null: the sandbox. */
  baseUrl: string | null;
  clientId: string | null;
  clientSecret: string | null;
  /** Instead of one id and secret. */
  accounts: readonly { name: string; clientId: string; clientSecret: string }[] | null;
}

/**
 * At the start of a worker: with another address or other credentials than those of the start before, nothing waits
 * any more that has failed since the last success. With the same ones every wait stays. Of the credentials
 * only a slow hash with a salt is stored. Returns whether they are other ones.
 */
export async function noteUpstreamSettings(
  db: Db,
  { baseUrl, clientId, clientSecret, accounts }: UpstreamSettings,
  now: Date,
): Promise<boolean> {
  const credentials = accounts?.map((one) => [one.name, one.clientId, one.clientSecret]);
  const text = JSON.stringify([baseUrl, clientId, clientSecret, credentials]);
  return db.transaction(async (tx) => {
    const [row] = await tx.select().from(setting).where(eq(setting.key, settingKey)).for("update");
    const before = stored.safeParse(row?.value).data;
    const salt = before?.salt ?? randomBytes(16).toString("base64url");
    const hash = scryptSync(text, salt, 32).toString("base64url");
    if (before?.hash === hash) return false;
    await putSetting(tx, settingKey, { salt, hash }, now);
    if (!before) return false;
    await tx.execute(sql`
      delete from setting where key like 'account\\_pause:%'
        or key = 'crawl_block' and value ->> 'code' <> ${anomalousAnswers}`);
    await tx.execute(sql`
      delete from backoff where first_failed_at > coalesce(
        (select finished_at from api_call where outcome = 'ok' order by id desc limit 1), '-infinity')`);
    return true;
  });
}
