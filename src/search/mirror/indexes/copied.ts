import { sql } from "drizzle-orm";
import { databaseIdentity } from "../../../db/identity.ts";
import type { Tx } from "../../../db/open.ts";
import { databaseErrorCode } from "../../../db/transact.ts";
import type { Logger } from "../../../lib/logger.ts";

const missingRight = "42501";

/**
 * A copy of a database knows the indexes of the original, which may still fill them. Gives them other epochs in the
 * copy: so they are another database's, and the copy fills its own.
 */
export async function disownCopied(
  transact: (work: (tx: Tx) => Promise<boolean>) => Promise<boolean>,
  logger: Logger,
): Promise<void> {
  try {
    const isCopy = await transact(renewEpochs);
    if (isCopy)
      logger.info("this database is a copy of another one, so its search index is filled anew");
  } catch (error) {
    if (databaseErrorCode(error) !== missingRight) throw error;
    logger.warn(
      "the role may not call pg_control_system(), so a copy of this database would write to the same search index",
    );
  }
}

async function renewEpochs(tx: Tx): Promise<boolean> {
  const renewed = await tx.execute(sql`
    with known as (
      insert into setting as s (key, value, updated_at)
      values ('database_identity', to_jsonb(${databaseIdentity}), clock_timestamp())
      on conflict (key) do update set value = excluded.value, updated_at = excluded.updated_at
        where s.value <> excluded.value
      returning old.value as former
    )
    update mirror_index set epoch = gen_random_uuid()
    where exists (select from known where former is not null)
    returning 1 as renewed`);
  return renewed.length > 0;
}
