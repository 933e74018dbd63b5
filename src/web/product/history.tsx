import type { Child } from "hono/jsx";
import type { History } from "../../catalog/history/history.ts";
import type { Low, Lows } from "../../catalog/history/lows.ts";
import type { GroupHistory } from "../../matching/groups/group-history.ts";
import { chartShapes } from "../shared/chart/chart.tsx";
import { count, date } from "../shared/format.ts";
import type { Page } from "../shared/page/page.ts";
import { WideTable } from "../shared/table.tsx";
import { HistoryChart } from "./history-chart.tsx";

const shownRows = 200;
export const lowPeriods = ["30d", "90d", "1y", "all"] as const;

interface HistorySectionProps {
  page: Page;
  title: string;
  history: History;
  /** The history of the offers of all shops; null: there are no other offers. */
  market: MarketHistory | null;
}

export interface MarketHistory extends GroupHistory {
  /** Not of all: some are used, and their prices are not compared with the others. */
  leavesOutUsed: boolean;
}

export function HistorySection({ page, title, history, market }: HistorySectionProps) {
  const { m } = page;
  return (
    <section class="card part" aria-labelledby="history">
      <h2 id="history">{m.product.history}</h2>
      {history.intervals.length === 0 ? (
        <p>{m.product.noHistory}</p>
      ) : (
        <>
          <LowPrices name={m.product.lows} lows={history.lows} page={page} />
          {market && <LowPrices name={m.product.marketLows} lows={market.lows} page={page} />}
          {chartShapes.map((shape) => (
            <HistoryChart
              page={page}
              title={title}
              intervals={history.intervals}
              lowest={market?.lowest ?? []}
              shape={shape}
            />
          ))}
          <p class="fine">
            {m.product.historyNote} {market && m.product.marketNote}{" "}
            {market?.leavesOutUsed && m.product.marketUnused}
          </p>
          <details>
            <summary>{m.product.asTable}</summary>
            <HistoryTable page={page} history={history} />
            {history.intervals.length > shownRows && (
              <p class="fine">{m.product.firstOnly(shownRows)}</p>
            )}
          </details>
        </>
      )}
    </section>
  );
}

function LowPrices({ name, lows, page }: { name: string; lows: Lows; page: Page }) {
  return (
    <dl class="lows">
      {lowPeriods.map((period) => (
        <div>
          <dt>
            {name} <span class="tag">{page.m.product.lowPeriods[period]}</span>
          </dt>
          <dd>
            <LowPrice page={page} low={lows[period]}>
              <br />
              {page.m.product.observations(count(lows[period]?.observations ?? 0))}
            </LowPrice>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** A lowest price and since when it was; `children` tell more of it. */
export function LowPrice(props: { page: Page; low: Low | null; children?: Child }) {
  const { low } = props;
  const { m, money, lang } = props.page;
  if (!low) return <span class="quiet">{m.product.noLow}</span>;
  return (
    <>
      <strong>{money(low.price)}</strong>
      <span class="fine">
        {m.product.lowAt(date(low.at, "day", lang))}
        {props.children}
      </span>
    </>
  );
}

function HistoryTable({ page, history }: { page: Page; history: History }) {
  const { m, money, lang } = page;
  return (
    <WideTable
      label={m.product.history}
      rows={history.intervals.slice(-shownRows).toReversed()}
      columns={({ column, numbers }) => [
        column(m.product.from, (row) => date(row.firstSeen, "moment", lang)),
        column(m.product.until, (row) => date(row.lastConfirmed, "moment", lang)),
        numbers(m.product.price, (row) => (row.price > 0 ? money(row.price) : m.product.noPrice)),
        numbers(m.product.regularPrice, (row) =>
          row.properPrice === null ? "–" : money(row.properPrice),
        ),
        numbers(m.product.stock, (row) => count(row.stock)),
      ]}
    />
  );
}
