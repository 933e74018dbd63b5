import { createRoute, z } from "@hono/zod-openapi";
import { countHeldDeletions } from "../../catalog/deletions.ts";
import { createRoutes, strict } from "../validation.ts";
import { byApi, type OpsContext } from "./context.ts";
import { opsFailures, opsRoute } from "./ops-route.ts";
import { json } from "../schema-parts.ts";

const request = { query: strict({}) };
const counted = <T extends z.ZodType>(description: string, schema: T) =>
  ({
    200: { description, content: json(schema) },
    ...opsFailures,
  }) as const;

const heldSchema = z.object({ held: z.int() }).openapi("HeldDeletions");
const releasedSchema = z.object({ released: z.int() }).openapi("ReleasedDeletions");
const discardedSchema = z.object({ discarded: z.int() }).openapi("DiscardedDeletions");

const readRoute = createRoute({
  ...opsRoute,
  method: "get",
  path: "/deletions",
  operationId: "getHeldDeletions",
  summary: "Deletions held because too much vanished at once",
  request,
  responses: counted("How many are held", heldSchema),
});

const releaseRoute = createRoute({
  ...opsRoute,
  method: "post",
  path: "/deletions/release",
  operationId: "releaseHeldDeletions",
  summary: "Believe the held deletions: the products are gone",
  request,
  responses: counted("How many took effect", releasedSchema),
});

const discardRoute = createRoute({
  ...opsRoute,
  method: "post",
  path: "/deletions/discard",
  operationId: "discardHeldDeletions",
  summary: "Do not believe the held deletions: the products stay and are looked at again",
  request,
  responses: counted("How many were forgotten", discardedSchema),
});

export function deletionRoutes({ opsDb, actions }: OpsContext) {
  return createRoutes()
    .openapi(readRoute, async (c) => c.json({ held: await countHeldDeletions(opsDb) }, 200))
    .openapi(releaseRoute, async (c) =>
      c.json({ released: await actions.releaseDeletions(byApi(c)) }, 200),
    )
    .openapi(discardRoute, async (c) =>
      c.json({ discarded: await actions.discardDeletions(byApi(c)) }, 200),
    );
}
