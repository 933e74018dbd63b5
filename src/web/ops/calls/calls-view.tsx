import { findCalls, readCall } from "../../../crawl/budget/call-log.ts";
import { readFailures, reportRanges } from "../../../crawl/budget/usage-report.ts";
import { CallPage } from "./call-page.tsx";
import { Calls } from "./calls.tsx";
import { FailuresCard } from "./failures.tsx";
import { Filters, NextPage, oneOf, readFilter, toCursor } from "../shared/filters.tsx";
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
    const fields = {
      purpose: { label: words.purpose, options: o.purchases.purposes },
      status: { label: words.outcome, options: words.statuses },
      outcome: { label: o.filters.code },
      q: { label: words.keyword },
      shop_id: { label: o.filters.shop },
      day: { label: o.days.day, type: "date" },
    } as const;
    const asked = readFilter(c, fields);
    const { shop_id: shopId, ...filter } = asked;
    const before = toCursor(c.req.query("before"));
    const chosenRange = oneOf(reportRanges, c.req.query("range"));
    const range = chosenRange ?? "day";
    const { timezone } = budget;
    const [{ items, next }, steps] = await Promise.all([
      findCalls(opsDb, { ...filter, shopId, before, limit: perPage }),
      readFailures(opsDb, { range, now: page.now, timezone }),
    ]);
    return (
      <>
        <h1>{words.all}</h1>
        <FailuresCard page={page} range={range} steps={steps} asked={asked} />
        <Filters
          page={page}
          path={path}
          fields={fields}
          asked={asked}
          query={{ range: chosenRange }}
        />
        <Card id="call-log" title={words.all} live>
          {items.length > 0 && <Calls page={page} calls={items} />}
          {items.length === 0 && <p class="quiet">{next === null ? words.none : words.further}</p>}
          <NextPage page={page} path={path} query={{ ...asked, range }} name="before" at={next} />
        </Card>
      </>
    );
  };
}
