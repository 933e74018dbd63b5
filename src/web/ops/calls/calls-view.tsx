import {
  findCalls,
  readCall,
  type CallDetail,
  type CallProduct,
} from "../../../crawl/budget/call-log.ts";
import {
  readFailures,
  reportRanges,
  type FailureStep,
  type ReportRange,
} from "../../../crawl/budget/usage-report.ts";
import { WideTable, Table } from "../../shared/table.tsx";
import {
  Filters,
  NextPage,
  oneOf,
  readFilter,
  toCursor,
  toAddress,
  type Query,
} from "../shared/filters.tsx";
import { Card, tabPaths } from "../shared/frame.tsx";
import type { ConsoleDeps, View, OpsPage } from "../shared/ops-page.ts";
import { toSubject } from "../shared/subject.ts";
import { Figure, ProductLink, Reason } from "../shared/cells.tsx";
import { countAxis, LineChart, stepAxis } from "../chart/line-chart.tsx";
import { Choices } from "../shared/choices.tsx";
import { Calls, CallOutcome } from "./calls.tsx";

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

function CallPage(props: { page: OpsPage; id: number; detail: CallDetail | null }) {
  const { page, id, detail } = props;
  const { calls: words } = page.o;
  return (
    <>
      <h1>{words.one(String(id))}</h1>
      <p>
        <a href={tabPaths.calls}>{words.back}</a>
      </p>
      {detail === null && <p class="quiet">{words.missing}</p>}
      {detail !== null && <Detail page={page} detail={detail} />}
    </>
  );
}

function Detail({ page, detail }: { page: OpsPage; detail: CallDetail }) {
  const { call, products, quarantined } = detail;
  const { o, m } = page;
  const { calls: words, purchases } = o;
  return (
    <>
      <Card id="call" title={toSubject(page, call)}>
        <p>
          <CallOutcome page={page} call={call} />{" "}
          <span class="tag">{purchases.purposes[call.purpose]}</span>{" "}
          <span class="tag">{call.job}</span>
        </p>
        {call.error !== null && (
          <p class="fine" lang="en">
            <bdi>{call.error}</bdi>
          </p>
        )}
        <Figures page={page} call={call} />
        <h3>{words.asked}</h3>
        <pre tabindex={0} dir="ltr" role="region" aria-label={words.asked}>
          {JSON.stringify(call.params, null, 1)}
        </pre>
      </Card>
      {products.length > 0 && (
        <Card id="call-products" title={words.products}>
          <p class="fine">{words.productsLead}</p>
          <WideTable
            label={words.products}
            rows={products}
            columns={({ head, column }) => [
              head(m.product.product, ({ itemId, title }) => (
                <ProductLink itemId={itemId} title={title ?? String(itemId)} />
              )),
              column(m.product.shop, ({ shopName }) => <bdi>{shopName}</bdi>),
              column(words.effect, (product) => toEffect(page, product)),
            ]}
          />
        </Card>
      )}
      {quarantined.length > 0 && (
        <Card id="call-quarantine" title={words.quarantine}>
          <ul>
            {quarantined.map(({ itemId, reason }) => (
              <li>
                {itemId ?? o.mirror.anonymous} <Reason text={reason} />
              </li>
            ))}
          </ul>
        </Card>
      )}
    </>
  );
}

function Figures({ page, call }: { page: OpsPage; call: CallDetail["call"] }) {
  const { o, f } = page;
  const { calls: words, purchases } = o;
  const counts = [
    [words.found, call.found],
    [words.returned, call.returned],
    [purchases.created, call.created],
    [purchases.changed, call.changed],
    [purchases.unchanged, call.unchanged],
    [purchases.gone, call.gone],
    [purchases.quarantined, call.quarantined],
    [words.duplicates, call.duplicates],
  ] as const;
  return (
    <dl class="small-figures">
      <Figure name={words.at}>{f.dateTime(call.reservedAt)}</Figure>
      <Figure name={words.cost}>{words.oneCall(f.day(call.day))}</Figure>
      {call.durationMs !== null && (
        <Figure name={words.took}>{words.milliseconds(f.number(call.durationMs))}</Figure>
      )}
      {counts.map(
        ([name, count]) => count !== null && <Figure name={name}>{f.number(count)}</Figure>,
      )}
    </dl>
  );
}

function toEffect({ o, f, money }: OpsPage, { isDeleted, change }: CallProduct): string {
  if (isDeleted) return o.calls.deleted;
  if (change === null) return o.calls.noChange;
  const from = (before: string | null, after: string) =>
    before === null || before === after ? after : `${before} → ${after}`;
  const { price, stock, prevPrice, prevStock } = change;
  const prices = from(prevPrice === null ? null : money(prevPrice), money(price));
  const stocks = from(prevStock === null ? null : f.number(prevStock), f.number(stock));
  return `${prices}, ${o.calls.stock} ${stocks}`;
}

interface FailuresProps {
  page: OpsPage;
  range: ReportRange;
  steps: readonly FailureStep[];
  /** The filters of the log below, which stay. */
  asked: Query;
}

/** Failed calls of a day, week or month, and how many of each kind. */
function FailuresCard({ page, range, steps, asked }: FailuresProps) {
  const { failures: words } = page.o;
  const kinds = byKind(steps);
  return (
    <Card id="failures" title={words.title} live>
      <Choices
        path={tabPaths.calls}
        query={asked}
        name="range"
        label={words.range}
        texts={words.ranges}
        chosen={range}
      />
      {kinds.length === 0 && <p class="quiet">{words.none}</p>}
      <ul>
        {kinds.map(([code, calls]) => (
          <li>
            <a href={toAddress(tabPaths.calls, { outcome: code, range })}>{code}</a>{" "}
            {page.f.number(calls)}
          </li>
        ))}
      </ul>
      <FailuresChart page={page} steps={steps} kinds={kinds.map(([code]) => code)} />
    </Card>
  );
}

function FailuresChart(props: {
  page: OpsPage;
  steps: readonly FailureStep[];
  kinds: readonly string[];
}) {
  const { page, steps, kinds } = props;
  const { o, f } = page;
  const { failures: words } = o;
  const nameOfStep = ({ at, day }: FailureStep) => (day === null ? f.time(at) : f.day(day));
  const points = steps.map((step, x) => ({ x, y: toTotal(step) }));
  const total = points.reduce((all, { y }) => all + y, 0);
  return (
    <LineChart
      id="failures-over-time"
      title={words.title}
      description={words.describe(f.number(total))}
      x={stepAxis(steps.map(nameOfStep))}
      y={countAxis(Math.max(4, ...points.map(({ y }) => y)), f.number)}
      series={[{ name: words.title, look: "actual", points }]}
      asTable={page.m.product.asTable}
    >
      <Table
        rows={steps.toReversed()}
        columns={({ head, numbers }) => [
          head(words.when, nameOfStep),
          numbers(words.calls, ({ calls }) => f.number(calls)),
          numbers(words.failed, (step) => f.number(toTotal(step))),
          ...kinds.map((code) =>
            numbers(code, ({ failures }) => f.number(failures.get(code) ?? 0)),
          ),
        ]}
      />
    </LineChart>
  );
}

function toTotal({ failures }: FailureStep): number {
  return [...failures.values()].reduce((all, calls) => all + calls, 0);
}

/** Most first. */
function byKind(steps: readonly FailureStep[]): [code: string, calls: number][] {
  const totals = new Map<string, number>();
  for (const [code, calls] of steps.flatMap(({ failures }) => [...failures])) {
    totals.set(code, (totals.get(code) ?? 0) + calls);
  }
  return [...totals].toSorted(([, a], [, b]) => b - a);
}
