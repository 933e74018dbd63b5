import type { History } from "../../catalog/history.ts";
import type { Low } from "../../catalog/lows.ts";
import { chartShapes } from "../shared/chart/chart.tsx";
import { count, date } from "../shared/format.ts";
import type { Page } from "../shared/page.ts";
import { Table } from "../shared/table.tsx";
import { HistoryChart } from "./history-chart.tsx";

const shownRows = 200;
const periods = ["30d", "90d", "1y", "all"] as const;

export function HistorySection(props: { page: Page; title: string; history: History }) {
  const { page, title, history } = props;
  const { m } = page;
  return (
    <section class="card part" aria-labelledby="history">
      <h2 id="history">{m.product.history}</h2>
      {history.intervals.length === 0 ? (
        <p>{m.product.noHistory}</p>
      ) : (
        <>
          <dl class="lows">
            {periods.map((period) => (
              <div>
                <dt>
                  {m.product.lows} <span class="tag">{m.product.lowPeriods[period]}</span>
                </dt>
                <LowPrice low={history.lows[period]} page={page} />
              </div>
            ))}
          </dl>
          {chartShapes.map((shape) => (
            <HistoryChart page={page} title={title} intervals={history.intervals} shape={shape} />
          ))}
          <p class="fine">{m.product.historyNote}</p>
          <details>
            <summary>{m.product.asTable}</summary>
            <HistoryTable page={page} history={history} />
          </details>
        </>
      )}
    </section>
  );
}

function LowPrice({ low, page }: { low: Low | null; page: Page }) {
  const { m, money, lang } = page;
  if (!low) return <dd class="quiet">{m.product.noLow}</dd>;
  return (
    <dd>
      <strong>{money(low.price)}</strong>
      <span class="fine">
        {m.product.lowAt(date(low.at, "day", lang))}
        <br />
        {m.product.observations(count(low.observations))}
      </span>
    </dd>
  );
}

function HistoryTable({ page, history }: { page: Page; history: History }) {
  const { m, money, lang } = page;
  return (
    <div class="wide" tabindex={0} role="group" aria-labelledby="history">
      <Table
        rows={history.intervals.slice(-shownRows).toReversed()}
        columns={[
          { name: m.product.from, cell: (row) => date(row.firstSeen, "moment", lang) },
          { name: m.product.until, cell: (row) => date(row.lastConfirmed, "moment", lang) },
          { name: m.product.price, look: "number", cell: (row) => money(row.price) },
          {
            name: m.product.regularPrice,
            look: "number",
            cell: (row) => (row.properPrice === null ? "–" : money(row.properPrice)),
          },
          { name: m.product.stock, look: "number", cell: (row) => count(row.stock) },
        ]}
      />
    </div>
  );
}
