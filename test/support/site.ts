import type { ApiDeps } from "../../src/api/http/deps.ts";
import type { Db } from "../../src/db/open.ts";
import { createTestApi } from "./api.ts";

export interface ServedSite {
  url: string;
  close(): Promise<void>;
}

/** The API and the pages on a free loopback port, for browsers. */
export async function serveSite(db: Db, over: Partial<ApiDeps> = {}): Promise<ServedSite> {
  return createTestApi(db, over).listen();
}
