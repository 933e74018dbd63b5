import { badRequest, unauthorized, unavailable } from "../problem.ts";
import { opsSecurityScheme } from "../openapi.ts";

/** What every ops route has in common, to be spread into its definition. */
export const opsRoute = { tags: ["ops"], security: [{ [opsSecurityScheme]: [] }] };

/** To be spread into its responses. */
export const opsFailures = { ...badRequest, ...unauthorized, ...unavailable } as const;
