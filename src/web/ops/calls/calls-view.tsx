import { purposes } from "../../../api/ops/crawl/calls.ts";
import {
  callStatuses,
  findCalls,
  readCall,
  type CallFilter,
} from "../../../crawl/budget/call-log.ts";
import { readFailures, reportRanges } from "../../../crawl/budget/usage-report.ts";
import { isDay } from "../../../lib/calendar.ts";
import { CallPage } from "./call-page.tsx";
import { Calls } from "./calls.tsx";
import { FailuresCard } from "./failures.tsx";
import { Filters, filterText, NextPage, oneOf, toCursor } from "../shared/filters.tsx";
import { Card, tabPaths } from "../shared/frame.tsx";
import type { ConsoleDeps, View } from "../shared/ops-page.ts";

const perPage = 100;
const path = tabPaths.calls;

/** The ledger of calls with filters, or one call of it. */
export function createCalls({ opsDb, budget }: ConsoleDeps): View {
  return async (page, c) => {
    const { o } = page;
    const { calls: words } = o;
    const id = toCursor(c.req.query("id"));
    if (id !== undefined)
      return <CallPage page={page} id={id} detail={await readCall(opsDb, id)} />;
    const day = filterText(c.req.query("day"));
    const filter: CallFilter = {
      purpose: oneOf(purposes, c.req.query("purpose")),
      status: oneOf(callStatuses, c.req.query("status")),
      outcome: filterText(c.req.query("outcome")),
      shopId: filterText(c.req.query("shop_id")),
      q: filterText(c.req.query("q")),
      day: day !== undefined && isDay(day) ? day : undefined,
    };
    const before = toCursor(c.req.query("before"));
    const range = oneOf(reportRanges, c.req.query("range")) ?? "day";
    const { timezone } = budget;
    const [{ items, next }, steps] = await Promise.all([
      findCalls(opsDb, { ...filter, before, limit: perPage }),
      readFailures(opsDb, { range, now: page.now, timezone }),
    ]);
    const { shopId, ...rest } = filter;
    return (
      <>
        <h1>{words.all}</h1>
        <FailuresCard page={page} range={range} steps={steps} />
        <Filters
          page={page}
          path={path}
          filters={[
            {
              name: "purpose",
              label: words.purpose,
              value: filter.purpose,
              options: o.purchases.purposes,
            },
            {
              name: "status",
              label: words.outcome,
              value: filter.status,
              options: words.statuses,
            },
            { name: "outcome", label: o.filters.code, value: filter.outcome },
            { name: "q", label: words.keyword, value: filter.q },
            { name: "shop_id", label: o.filters.shop, value: filter.shopId },
            { name: "day", label: o.days.day, value: filter.day, type: "date" },
          ]}
        />
        <Card id="call-log" title={words.all} live>
          {items.length > 0 && <Calls page={page} calls={items} />}
          {items.length === 0 && <p class="quiet">{next === null ? words.none : words.further}</p>}
          <NextPage
            page={page}
            path={path}
            query={next === null ? null : { ...rest, shop_id: shopId, range, before: next }}
          />
        </Card>
      </>
    );
  };
}
