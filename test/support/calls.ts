import { findCalls, type CallRecord } from "../../src/crawl/budget/call-log.ts";

/** The ledger, newest first. */
export async function readCalls(...request: Parameters<typeof findCalls>): Promise<CallRecord[]> {
  return (await findCalls(...request)).items;
}
