import type { Context } from "hono";
import type { ApiDeps } from "../http/deps.ts";
import type { ApiEnv } from "../http/env.ts";
import { opsSecurityScheme } from "../http/openapi.ts";
import { badRequest, overloaded, unauthorized } from "../http/problem.ts";
import type { OpsActions } from "./actions.ts";
import type { Actor } from "./audit-log.ts";

export interface OpsContext extends ApiDeps {
  actions: OpsActions;
}

export function byApi(c: Context<ApiEnv>): Actor {
  return { via: "api", requestId: c.get("requestId"), ...c.get("operator") };
}

/** What all ops routes have in common, to spread into their definitions. */
export const opsRoute = { tags: ["ops"], security: [{ [opsSecurityScheme]: [] }] };

/** To spread into their responses. */
export const opsFailures = { ...badRequest, ...unauthorized, ...overloaded } as const;
