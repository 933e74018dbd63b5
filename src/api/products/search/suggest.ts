import { z } from "@hono/zod-openapi";
import type { Suggestion } from "../../../search/suggest/suggest.ts";
import { answer } from "../../http/answer.ts";
import type { ApiDeps } from "../../http/deps.ts";
import { limitParam, textParam } from "../../http/parameters.ts";
import { publicRoute, objectAnswer, createRoutes, strict } from "../../http/route.ts";
import { answerParts } from "./search-schema.ts";

const suggestionSchema = z
  .object({
    text: z.string().openapi({ description: "to search for, unchanged", example: "革財布" }),
    kind: z.enum(["words", "category", "shop"]),
    category: z.string().optional().describe("for `category` of the search"),
    shop_id: z.string().optional().describe("for `shop_id` of the search"),
  })
  .openapi("Suggestion");

export const suggestQuery = strict({
  q: textParam(200).openapi({ example: "革" }),
  limit: limitParam(20, 8),
});

const route = publicRoute("get /v1/suggest", {
  operationId: "suggest",
  tags: ["products"],
  summary: "Completions for a search box",
  description:
    "Made of titles, categories and shop names of products on sale. Each of them finds a product.",
  request: { query: suggestQuery },
  responses: {
    200: objectAnswer("Likeliest first", "Suggestions", {
      q: z.string(),
      items: z.array(suggestionSchema),
      ...answerParts,
    }),
  },
});

export function suggestRoutes({ clock, suggest }: ApiDeps) {
  return createRoutes().openapi(route, async (c) => {
    const startedMs = clock.monotonicMs();
    const { q, limit } = c.req.valid("query");
    const { items, degraded } = await suggest(q, limit);
    const lasting = {
      q,
      items: items.map(toSuggestion),
      engine: degraded ? ("postgres" as const) : ("meilisearch" as const),
      degraded,
      warnings: degraded ? ["the search engine does not answer: only titles are completed"] : [],
    };
    const body = { ...lasting, took_ms: Math.round(clock.monotonicMs() - startedMs) };
    return answer(c, body, lasting);
  });
}

export function toSuggestion(suggestion: Suggestion): z.infer<typeof suggestionSchema> {
  const { kind, text } = suggestion;
  switch (suggestion.kind) {
    case "words":
      return { text, kind };
    case "category":
      return { text, kind, category: suggestion.category };
    case "shop":
      return { text, kind, shop_id: suggestion.shopId };
  }
}
