import { z } from "@hono/zod-openapi";
import { readCatalogStatus, type CatalogStatus } from "../../catalog/status/status.ts";
import { readBudget } from "../../crawl/budget/budget-today.ts";
import { readCoverage } from "../../crawl/keywords/proposals.ts";
import { readFreshShare } from "../../crawl/plan-report.ts";
import { stillLasts } from "../../crawl/budget/accounts.ts";
import { readCrawlState } from "../../crawl/safety/pause.ts";
import type { MirrorStatus } from "../../search/mirror/status.ts";
import { answer, beginReads } from "../http/answer.ts";
import type { ApiDeps } from "../http/deps.ts";
import {
  publicRoute,
  freshnessSchema,
  instantSchema,
  jsonAnswer,
  createRoutes,
  numberOrNull,
} from "../http/route.ts";
import { tenths, membersOf } from "../http/to-members.ts";

const budgetSchema = z.object({
  day: z.string(),
  limit: z.int(),
  used: z.int(),
  remaining: z.int(),
  resets_at: instantSchema,
});

const statusSchema = z
  .object({
    products: z.int().describe("products not proven deleted"),
    products_by_state: z.object({ live: z.int(), missing: z.int(), gone: z.int() }),
    shops: z.int(),
    freshness: freshnessSchema
      .extend({
        expected_share: numberOrNull(
          "expected share of stored products that equal the upstream now, weighted by importance, from learned change rates",
        ),
      })
      .describe("seconds since products were last verified"),
    coverage: z
      .object({ share: z.number().nullable(), error: z.number().nullable(), shown: z.int() })
      .describe(
        "estimated share of the upstream's products that is stored, and its standard error: the known part of the latest first pages of proposed keywords; an upper estimate",
      ),
    mirror_lag_s: numberOrNull("null before the first index"),
    budget: budgetSchema,
    crawling: z.boolean().describe("false while the crawler is paused or waits"),
  })
  .openapi("Status");

const route = publicRoute("get /v1/status", {
  operationId: "getStatus",
  tags: ["service"],
  summary: "Size, freshness and progress",
  responses: { 200: jsonAnswer("Status", statusSchema) },
});

const trustMs = 2000;
/** Counts over the whole catalogue are expensive, and anybody may ask for them. */
const countTrustMs = 15_000;

export function statusRoutes(deps: ApiDeps) {
  const { db, cache, clock } = deps;
  const readCatalog = cache.remember("status of the catalogue", countTrustMs, () =>
    readCatalogStatus(db, clock.now()),
  );
  const readMirror = cache.remember("status of the mirror", countTrustMs, () =>
    deps.mirrorStatus(),
  );
  const read = cache.remember("status", trustMs, () =>
    readStatus({ ...deps, readCatalog, readMirror }),
  );
  return createRoutes().openapi(route, async (c) => answer(c, await read()));
}

interface StatusDeps extends Pick<ApiDeps, "db" | "replica" | "clock" | "budget"> {
  readCatalog(): Promise<CatalogStatus>;
  readMirror(): Promise<MirrorStatus>;
}

async function readStatus(deps: StatusDeps): Promise<z.infer<typeof statusSchema>> {
  const { db, clock } = deps;
  const now = clock.now();
  const source = beginReads(deps);
  const [catalog, budget, mirror, crawl, expectedShare, coverage] = await Promise.all([
    deps.readCatalog(),
    readBudget(db, now, deps.budget),
    deps.readMirror(),
    readCrawlState(db),
    readFreshShare(db, now, deps.budget),
    readCoverage(db),
  ]);
  const { products, freshness } = catalog;
  const whole = (seconds: number | undefined) =>
    seconds === undefined ? null : Math.round(seconds);
  return {
    products: products.live + products.missing,
    products_by_state: products,
    shops: catalog.shops,
    freshness: {
      p50_s: whole(freshness?.p50Seconds),
      p95_s: whole(freshness?.p95Seconds),
      oldest_s: whole(freshness?.oldestSeconds),
      expected_share: expectedShare,
      ...source(),
    },
    coverage,
    mirror_lag_s: mirror.serving && tenths(mirror.serving.lagSeconds),
    budget: membersOf(budgetSchema, budget),
    crawling: !crawl.paused && !(crawl.block && stillLasts(crawl.block.until, now)),
  };
}
