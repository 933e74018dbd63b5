import { z } from "@hono/zod-openapi";
import {
  backoffKinds,
  mostBackoffsCounted,
  readBackoffs,
  toBackoffPosition,
  toSubjectText,
  type ListedBackoff,
} from "../../../crawl/backoff-list.ts";
import { choiceParam, cursorParam, idParam, limitParam, textParam } from "../../http/parameters.ts";
import {
  instantSchema,
  objectAnswer,
  nextPage,
  notFound,
  createRoutes,
  strict,
  intOrNull,
} from "../../http/route.ts";
import { byApi, type OpsContext, opsRoute, rowsHandler, rowsRoute } from "../context.ts";
import { toMembers } from "../../http/to-members.ts";

const kindSchema = z
  .enum(backoffKinds)
  .describe(
    "keyword: one order of its list; page: a position whose calls all fail; shop: its refreshes; product: one that fails alone (isolated), or without usable answers",
  );

const backoffSchema = z
  .object({
    id: z.int(),
    kind: kindSchema,
    subject: z.string().describe("in words"),
    query_id: intOrNull("of a keyword or page"),
    q: z.string().nullable(),
    order: z.enum(["id-ascending", "id-descending", "modified", "popular"]).nullable(),
    position: intOrNull("of a page: `start` as in the ledger"),
    shop_id: z.string().nullable(),
    shop_name: z.string().nullable(),
    item_id: z.int().nullable(),
    title: z.string().nullable(),
    failures: z.int().describe("in a row"),
    code: z.string().describe("of the last failure, as in the ledger"),
    reason: z.string(),
    call_id: z.int().describe("the last call that failed"),
    first_failed_at: instantSchema,
    failed_at: instantSchema,
    retry_at: instantSchema.describe("no call is made for it before this time"),
    isolated: z
      .boolean()
      .describe("the product is requested alone, so that it does not block others"),
    halving: z
      .object({ next: z.int(), rest: z.int() })
      .nullable()
      .describe(
        "of the products or positions that failed together, how many are tried next, and how many after them",
      ),
  })
  .openapi("Backoff");

const count = z.int();
const listRoute = opsRoute("get /backoffs", {
  operationId: "listBackoffs",
  summary: "Subjects in backoff because their calls failed, soonest retry first",
  request: {
    query: strict({
      kind: choiceParam(backoffKinds).optional(),
      shop_id: textParam(255).optional(),
      code: textParam(100).optional().describe("of the last failure"),
      limit: limitParam(200, 50),
      after: cursorParam(40, toBackoffPosition).optional(),
    }),
  },
  responses: {
    200: objectAnswer("A page", "BackoffList", {
      items: z.array(backoffSchema),
      next: nextPage(z.string(), "after"),
      totals: z
        .object({ keyword: count, page: count, shop: count, product: count })
        .describe(
          `of all subjects in backoff, without the filter; each kind is counted up to ${mostBackoffsCounted}`,
        ),
    }),
  },
});

const retryRoute = opsRoute("post /backoffs/{id}/retry", {
  operationId: "retryBackoff",
  summary: "End the wait; the count of failures stays",
  request: { params: strict({ id: idParam() }) },
  responses: { 204: { description: "The next call may request it" }, ...notFound },
});

const retryAllRoute = rowsRoute("/backoffs/retry", {
  operationId: "retryBackoffs",
  summary: "End the waits of these subjects; their counts of failures stay",
});

export function backoffRoutes({ opsDb, actions }: OpsContext) {
  return createRoutes()
    .openapi(listRoute, async (c) => {
      const { kind, limit, after = null, shop_id: shopId, code } = c.req.valid("query");
      const page = { limit, kind, after, shopId, code };
      const { items, next, totals } = await readBackoffs(opsDb, page);
      return c.json({ items: items.map(toBackoff), next, totals }, 200);
    })
    .openapi(retryRoute, async (c) => {
      await actions.retryBackoff(byApi(c), c.req.valid("param").id);
      return c.body(null, 204);
    })
    .openapi(retryAllRoute, rowsHandler(actions.retryBackoffs));
}

function toBackoff({ subject, ...backoff }: ListedBackoff): z.infer<typeof backoffSchema> {
  const isList = subject.kind === "keyword" || subject.kind === "page";
  const isProduct = subject.kind === "product";
  return {
    kind: subject.kind,
    subject: toSubjectText(subject),
    query_id: isList ? subject.queryId : null,
    q: isList ? subject.q : null,
    order: isList ? subject.order : null,
    position: subject.kind === "page" ? subject.position : null,
    shop_id: subject.shop?.shopId ?? null,
    shop_name: subject.shop?.shopName ?? null,
    item_id: isProduct ? subject.itemId : null,
    title: isProduct ? subject.title : null,
    ...toMembers(backoff),
  };
}
