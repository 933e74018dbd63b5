import { z } from "@hono/zod-openapi";
import { listBusiest, searchStates, type BusySearch } from "../../alerts/status.ts";
import { calendarDay } from "../../lib/calendar.ts";
import { ruleSchema } from "../alerts/saved-search-schema.ts";
import { savedQuerySchema } from "../alerts/saved-query.ts";
import type { ApiDeps } from "../http/deps.ts";
import { objectAnswer } from "../http/route.ts";
import { createRoutes } from "../http/validation.ts";
import { opsRoute } from "./context.ts";
import { toMembers } from "../http/to-members.ts";

const shown = 50;

const busySearchSchema = z
  .object({
    saved_search_id: z.int(),
    key_id: z
      .int()
      .nullable()
      .openapi({ description: "of its owner; null: a visitor of the pages" }),
    query: savedQuerySchema,
    rules: z.array(ruleSchema),
    state: z.enum(searchStates).openapi({
      description:
        "faulty: it cannot be judged. limited: it has reached its daily maximum, further events of today are quiet",
    }),
    fault: z.string().nullable(),
    events: z.int().openapi({ description: "told since it was made" }),
    today: z.int().openapi({ description: "events of today that were not quiet" }),
    daily_max: z.int(),
  })
  .openapi("BusySavedSearch");

const route = opsRoute({
  method: "get",
  path: "/saved-searches",
  operationId: "listBusiestSavedSearches",
  summary: `The ${shown} saved searches with the most events`,
  responses: {
    200: objectAnswer("Saved searches", "BusySavedSearches", { items: z.array(busySearchSchema) }),
  },
});

type SearchDeps = Pick<ApiDeps, "opsDb" | "clock" | "budget">;

export function savedSearchOpsRoutes(deps: SearchDeps) {
  return createRoutes().openapi(route, async (c) => {
    const searches = await readBusiest(deps);
    return c.json({ items: searches.map(toMembers) }, 200);
  });
}

export async function readBusiest({ opsDb, clock, budget }: SearchDeps): Promise<BusySearch[]> {
  const now = clock.now();
  return listBusiest(opsDb, { now, day: calendarDay(now, budget.timezone), limit: shown });
}
