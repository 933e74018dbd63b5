import { badRequest, unauthorized, unavailable } from "../http/problem.ts";
import { opsSecurityScheme } from "../http/openapi.ts";

/** What all ops routes have in common, to spread into their definitions. */
export const opsRoute = { tags: ["ops"], security: [{ [opsSecurityScheme]: [] }] };

/** To spread into their responses. */
export const opsFailures = { ...badRequest, ...unauthorized, ...unavailable } as const;
