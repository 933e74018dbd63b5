import { z } from "@hono/zod-openapi";
import type { PlacementStatus } from "../../search/cluster/placement-status.ts";
import { instantSchema, jsonAnswer } from "../http/route.ts";
import { createRoutes } from "../http/validation.ts";
import { type OpsContext, opsRoute } from "./context.ts";
import { membersOf, tenths } from "../http/to-members.ts";

const hostSchema = z
  .object({
    host: z.string().openapi({ description: "its address" }),
    wanted: z.boolean().openapi({
      description: "false: no longer in `MEILI_HOST`; its buckets move to the others",
    }),
    up: z.boolean().openapi({ description: "whether it answered now, within a second" }),
    index_uid: z.string().nullable(),
    buckets: z
      .object({
        serving: z.int().openapi({ description: "proven, and searched here" }),
        filling: z.int().openapi({ description: "being copied here, not searched yet" }),
        leaving: z.int().openapi({ description: "about to be deleted here" }),
      })
      .openapi("PlacementBuckets"),
    dirty: z.int().openapi({ description: "products that it lacks, or has in an older version" }),
    lag_s: z.number().openapi({ description: "age of the oldest change that it lacks" }),
    verified_at: instantSchema
      .nullable()
      .openapi({ description: "when a whole comparison with the database last ended" }),
  })
  .openapi("PlacementHost");

const placementSchema = z
  .object({
    copies: z.int().openapi({ description: "on how many hosts each product is to be" }),
    buckets: z.int().openapi({ description: "parts of the catalogue that move as one" }),
    unsearchable_buckets: z.int().openapi({
      description: "buckets that no host may be searched for; Postgres answers searches meanwhile",
    }),
    moving_buckets: z.int().openapi({ description: "copies that are being made or deleted" }),
    hosts: z.array(hostSchema).openapi({ description: "empty with one search host" }),
  })
  .openapi("Placement");

const route = opsRoute({
  method: "get",
  path: "/placement",
  operationId: "getPlacement",
  summary: "Which of several search hosts has which share of the products",
  responses: { 200: jsonAnswer("Placement", placementSchema) },
});

export function placementRoutes({ placement }: Pick<OpsContext, "placement">) {
  return createRoutes().openapi(route, async (c) => c.json(toPlacement(await placement()), 200));
}

function toPlacement(status: PlacementStatus): z.infer<typeof placementSchema> {
  return {
    ...membersOf(placementSchema, status),
    moving_buckets: status.hosts.reduce((sum, host) => sum + host.filling + host.leaving, 0),
    hosts: status.hosts.map((host) => ({
      ...membersOf(hostSchema, host),
      host: host.url,
      wanted: host.isWanted,
      up: host.isUp,
      buckets: { serving: host.serving, filling: host.filling, leaving: host.leaving },
      lag_s: tenths(host.lagSeconds),
    })),
  };
}
