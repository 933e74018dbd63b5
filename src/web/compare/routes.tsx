import { Hono } from "hono";
import type { ApiEnv } from "../../api/http/deps.ts";
import { readHistory } from "../../catalog/history/history.ts";
import { readProducts } from "../../catalog/products.ts";
import type { Db } from "../../db/open.ts";
import { openPage, sendPage, type PageDeps } from "../shared/page/page.ts";
import { ComparePage } from "./compare-page.tsx";
import { mostCompared } from "../shared/product/compare-tick.tsx";
import { readWanted } from "../shared/product/wanted-items.ts";
import type { Compared } from "./compare-chart.tsx";

/** `/compare?items=1,2,3`: up to four products side by side. */
export function compareRoutes(deps: PageDeps): Hono<ApiEnv> {
  return new Hono<ApiEnv>().get("/compare", async (c) => {
    const page = openPage(c, deps);
    const wanted = readWanted(c.req.queries("items") ?? [], mostCompared);
    const products = await readCompared(deps.db, wanted.itemIds, page.now);
    deps.demand.shown(products.map(({ record }) => record.itemId));
    const isFaulty = wanted.isFaulty || products.length < wanted.itemIds.length;
    const status = wanted.isFaulty ? 400 : isFaulty ? 404 : 200;
    return sendPage(c, page, <ComparePage {...{ page, products, isFaulty }} />, { status });
  });
}

/** Most intervals of each product in the chart, the newest ones. */
const mostIntervals = 200;

/** The products that were ever seen, deleted ones included, in this order. */
async function readCompared(db: Db, itemIds: readonly number[], now: Date): Promise<Compared[]> {
  const [records, histories] = await Promise.all([
    readProducts(db, itemIds),
    Promise.all(itemIds.map((id) => readHistory(db, id, { limit: mostIntervals, now }))),
  ]);
  return itemIds.flatMap((itemId, i) => {
    const [record, history] = [records.get(itemId), histories[i]];
    return record && history ? [{ record, history }] : [];
  });
}
