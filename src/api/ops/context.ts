import type { Context } from "hono";
import type { ApiDeps } from "../http/deps.ts";
import type { ApiEnv } from "../http/env.ts";
import type { OpsActions } from "./actions.ts";
import type { Actor } from "./audit-log.ts";

/** What ops routes need. */
export interface OpsContext extends ApiDeps {
  actions: OpsActions;
}

export function byApi(c: Context<ApiEnv>): Actor {
  return { via: "api", requestId: c.get("requestId") };
}
