import { z } from "@hono/zod-openapi";
import {
  readZeroResultQueries,
  zeroResultVisitors,
  type ZeroResultQuery,
} from "../../catalog/visitors/zero-results.ts";
import { toQueryState, type QueryState } from "../../crawl/keywords/keyword-rest.ts";
import { readQueries, type CrawlQuery } from "../../crawl/learning/keywords.ts";
import type { Db } from "../../db/open.ts";
import type { ApiDeps } from "../http/deps.ts";
import { instantSchema, objectAnswer } from "../http/route.ts";
import { createRoutes } from "../http/validation.ts";
import { opsRoute } from "./context.ts";
import { toMembers } from "../http/to-members.ts";

/** More would be read by nobody. */
const shown = 100;

const zeroResultSchema = z
  .object({
    q: z.string().openapi({ description: "the words in one case, width and spacing" }),
    times: z.int(),
    visitors: z.int().openapi({ description: "different visitors of a day, summed over the days" }),
    last_at: instantSchema,
    keyword: z
      .object({
        id: z.int(),
        source: z.string(),
        state: z.enum(["trial", "active", "backing_off", "paused", "removed"]),
      })
      .nullable()
      .openapi({ description: "the keyword with these words; null: not proposed yet" }),
  })
  .openapi("ZeroResultQuery");

const route = opsRoute({
  method: "get",
  path: "/zero-results",
  operationId: "listZeroResults",
  summary: `What at least ${zeroResultVisitors} visitors searched for without results, the ${shown} most wanted first`,
  responses: {
    200: objectAnswer("Searches", "ZeroResults", { items: z.array(zeroResultSchema) }),
  },
});

export function zeroResultRoutes({ opsDb, clock }: ApiDeps) {
  return createRoutes().openapi(route, async (c) => {
    const now = clock.now();
    const searches = await listZeroResults(opsDb);
    const items = searches.map(({ keyword, keywordId: _, ...search }) => ({
      ...toMembers(search),
      keyword: keyword && {
        id: keyword.id,
        source: keyword.source,
        state: toKeywordState(keyword, now),
      },
    }));
    return c.json({ items }, 200);
  });
}

export type ZeroResult = ZeroResultQuery & { keyword: CrawlQuery | null };

export async function listZeroResults(db: Db): Promise<ZeroResult[]> {
  const searches = await readZeroResultQueries(db, { limit: shown });
  const keywords = await readQueries(
    db,
    searches.flatMap(({ keywordId }) => keywordId ?? []),
  );
  return searches.map((search) => ({
    ...search,
    keyword: keywords.get(search.keywordId ?? -1) ?? null,
  }));
}

export function toKeywordState(keyword: CrawlQuery, now: Date): QueryState | "removed" {
  return keyword.removedAt === null ? toQueryState(keyword, now) : "removed";
}
