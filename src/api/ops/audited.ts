import type { Tx } from "../../db/open.ts";
import type { ApiDeps } from "../http/deps.ts";
import { Problem } from "../http/problem.ts";
import { recordAction, type Actor, type AuditEntry } from "./audit-log.ts";

export type Audited = <T>(
  by: Actor,
  entry: AuditEntry,
  act: (tx: Tx, now: Date) => Promise<T>,
) => Promise<T>;

/**
 * Runs actions so that each commits together with its audit row, on one connection; with two connections
 * per action, concurrent actions could block each other for ever. A refused action throws a Problem and
 * is audited too.
 */
export function createAudited({ opsDb, clock }: Pick<ApiDeps, "opsDb" | "clock">): Audited {
  return async (by, entry, act) => {
    const now = clock.now();
    try {
      return await opsDb.transaction(async (tx) => {
        const result = await act(tx, now);
        await recordAction(tx, by, entry, now);
        return result;
      });
    } catch (error) {
      if (error instanceof Problem) {
        await recordAction(opsDb, by, { ...entry, code: error.details.code }, now);
      }
      throw error;
    }
  };
}
