import { z } from "@hono/zod-openapi";
import { readDeadLetters } from "../../search/mirror/dead-letters.ts";
import { integerParam, limitParam } from "../http/parameters.ts";
import { instantSchema, objectAnswer, nextPage } from "../http/route.ts";
import { createRoutes, strict } from "../http/validation.ts";
import { byApi, type OpsContext, opsRoute, rowsRoute } from "./context.ts";
import { toMembers } from "../http/to-members.ts";

const letterSchema = z
  .object({
    item_id: z.int(),
    title: z.string(),
    shop_id: z.string(),
    shop_name: z.string(),
    since: instantSchema,
    error: z.string().nullable(),
  })
  .openapi("DeadLetter");

const listRoute = opsRoute({
  method: "get",
  path: "/mirror/dead-letters",
  operationId: "listDeadLetters",
  summary: "Products whose documents the search engine refuses, by item_id",
  request: {
    query: strict({
      limit: limitParam(200, 50),
      after: integerParam(0, Number.MAX_SAFE_INTEGER).default(0).openapi({ default: 0 }),
    }),
  },
  responses: {
    200: objectAnswer("A page", "DeadLetterList", {
      items: z.array(letterSchema),
      next: nextPage(z.int(), "after"),
    }),
  },
});

const resendRoute = rowsRoute({
  path: "/mirror/dead-letters/resend",
  operationId: "resendDeadLetters",
  summary: "Send the documents of these products (item ids) again",
});

export function deadLetterRoutes({ opsDb, actions }: OpsContext) {
  return createRoutes()
    .openapi(listRoute, async (c) => {
      const { limit, after } = c.req.valid("query");
      const letters = await readDeadLetters(opsDb, { limit, after });
      const next = letters.length === limit ? (letters.at(-1)?.itemId ?? null) : null;
      return c.json({ items: letters.map(toMembers), next }, 200);
    })
    .openapi(resendRoute, async (c) => {
      const { ids } = c.req.valid("json");
      return c.json({ changed: await actions.resendDeadLetters(byApi(c), ids) }, 200);
    });
}
