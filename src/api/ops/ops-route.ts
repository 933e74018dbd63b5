import { badRequest, unauthorized, unavailable } from "../http/problem.ts";
import { opsSecurityScheme } from "../http/openapi.ts";

/** What every ops route has in common, to be spread into its definition. */
export const opsRoute = { tags: ["ops"], security: [{ [opsSecurityScheme]: [] }] };

/** To be spread into its responses. */
export const opsFailures = { ...badRequest, ...unauthorized, ...unavailable } as const;
