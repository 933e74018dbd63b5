import type { Purchase } from "../../../crawl/budget/usage-report.ts";
import { WideTable } from "../../shared/table.tsx";
import { Share } from "../shared/cells.tsx";
import type { OpsPage } from "../shared/ops-page.ts";

const counts = [
  "calls",
  "failed",
  "created",
  "changed",
  "unchanged",
  "gone",
  "quarantined",
] as const;

/** The use of today's calls, and the yield of each kind of call. */
export function Purchases({ page, purchases }: { page: OpsPage; purchases: readonly Purchase[] }) {
  const { o, f } = page;
  const { purchases: words } = o;
  if (purchases.length === 0) return <p class="quiet">{words.empty}</p>;
  const most = Math.max(...purchases.map(({ calls }) => calls));
  return (
    <>
      <WideTable
        label={words.title}
        rows={purchases}
        columns={({ head, column, numbers }) => [
          head(words.purpose, ({ purpose, calls }) => (
            <>
              {words.purposes[purpose]}
              <Share of={most} count={calls} text={`${words.calls}: ${f.number(calls)}`} />
            </>
          )),
          column(words.job, ({ job }) => <code>{job}</code>),
          ...counts.map((count) =>
            numbers(words[count], ({ [count]: figure }) => (
              <span class={figure === 0 ? "zero" : undefined}>{f.number(figure)}</span>
            )),
          ),
          numbers(words.news, (row) => f.decimal(toNews(row), 2)),
        ]}
      />
      <p class="fine">{words.newsHint}</p>
    </>
  );
}

function toNews({ created, changed, gone, calls }: Purchase): number {
  return calls === 0 ? 0 : (created + changed + gone) / calls;
}
