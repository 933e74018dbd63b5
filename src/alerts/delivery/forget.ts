import { sql } from "drizzle-orm";
import type { Db } from "../../db/open.ts";

export const keptDays = 30;
const slice = 2000;

/** Deletes old messages, then deleted webhooks with theirs, in small statements. */
export async function forgetDeliveries(db: Db, now: Date, signal: AbortSignal): Promise<void> {
  const before = new Date(now.getTime() - keptDays * 86_400_000).toISOString();
  const untilDone = async (statement: ReturnType<typeof sql>) => {
    let deleted = slice;
    while (deleted === slice && !signal.aborted) deleted = (await db.execute(statement)).length;
  };
  await untilDone(sql`
    delete from webhook_delivery where delivery_id = any (array(
      select delivery_id from webhook_delivery where created_at < ${before}
      order by created_at limit ${slice})) returning delivery_id`);
  await untilDone(sql`
    delete from webhook_delivery where delivery_id = any (array(
      select d.delivery_id from webhook h join webhook_delivery d on d.webhook_id = h.webhook_id
      where h.state = 'deleted' limit ${slice})) returning delivery_id`);
  await untilDone(sql`
    delete from webhook where webhook_id = any (array(
      select webhook_id from webhook h where state = 'deleted'
        and not exists (select from webhook_delivery d where d.webhook_id = h.webhook_id)
      limit ${slice})) returning webhook_id`);
}
