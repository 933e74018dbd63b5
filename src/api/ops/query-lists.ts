import { z } from "@hono/zod-openapi";
import { bodyText } from "../http/parameters.ts";
import { jsonAnswer, objectAnswer, requiredJson } from "../http/route.ts";
import { createRoutes, strict } from "../http/validation.ts";
import { byApi, type OpsContext, opsRoute, changedRows, idsBody } from "./context.ts";

const mostAdded = 500;
export const queryChanges = ["enable", "disable", "remove"] as const;
const changeRule = `must be one of: ${queryChanges.join(", ")}`;

export const queriesChange = strict({
  ids: idsBody.shape.ids,
  change: z.enum(queryChanges, changeRule),
}).openapi("QueriesChange", { example: { ids: [17, 18], change: "disable" } });

export const newQueries = strict({
  texts: z
    .array(bodyText(200), "must be a list of keywords")
    .min(1, "must have at least 1 keyword")
    .max(mostAdded, `must have at most ${mostAdded} keywords`),
  shop_id: bodyText(200).nullable().optional(),
}).openapi("NewQueries", { example: { texts: ["革財布", "器"] } });

const changeRoute = opsRoute({
  method: "post",
  path: "/queries/change",
  operationId: "changeQueries",
  summary: "Resume, pause or remove several keywords",
  request: { query: strict({}), body: requiredJson(queriesChange) },
  responses: { 200: jsonAnswer("How many", changedRows) },
});

const addRoute = opsRoute({
  method: "post",
  path: "/queries/add",
  operationId: "addQueries",
  summary: "Add several keywords; those in the list already are left as they are",
  request: { query: strict({}), body: requiredJson(newQueries) },
  responses: {
    200: objectAnswer("How many are new", "AddedQueries", { added: z.int(), known: z.int() }),
  },
});

export function queryListRoutes({ actions }: OpsContext) {
  return createRoutes()
    .openapi(changeRoute, async (c) => {
      const changed = await actions.changeQueries(byApi(c), c.req.valid("json"));
      return c.json({ changed }, 200);
    })
    .openapi(addRoute, async (c) => {
      const { texts, shop_id: shopId = null } = c.req.valid("json");
      return c.json(await actions.addQueries(byApi(c), { texts, shopId }), 200);
    });
}
