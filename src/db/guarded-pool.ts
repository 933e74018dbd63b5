import { drizzle } from "drizzle-orm/postgres-js";
import type postgres from "postgres";
import type { Db } from "./open.ts";
import * as schema from "./schema.ts";

/** Has `work` done by a client, or refuses it. `text`: the statement's; null for a transaction. */
type Ask = <T>(work: (client: postgres.Sql) => Promise<T>, text: string | null) => Promise<T>;

/** A pool whose statements and transactions `ask` decides about. `options` are those of its clients. */
export function openGuardedPool(options: postgres.Sql["options"], ask: Ask): Db {
  const client = {
    options,
    unsafe(...statement: Parameters<postgres.Sql["unsafe"]>) {
      let asArrays = false;
      const send = async (to: postgres.Sql): Promise<unknown> =>
        asArrays ? await to.unsafe(...statement).values() : await to.unsafe(...statement);
      // `values` is called before this microtask.
      const rows = Promise.resolve().then(() => ask(send, statement[0]));
      return Object.assign(rows, {
        values() {
          asArrays = true;
          return rows;
        },
      });
    },
    begin: (work: (tx: postgres.TransactionSql) => Promise<unknown>) =>
      ask<unknown>(async (to) => to.begin(work), null),
  };
  // Safe: it has all that drizzle and `executePrepared` use of a client.
  return drizzle({ client: client as unknown as postgres.Sql, schema });
}
