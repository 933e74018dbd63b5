import type { Purchase } from "../../crawl/ledger.ts";
import { Wide } from "./frame.tsx";
import type { OpsPage } from "./ops-page.ts";

const columns = [
  "calls",
  "failed",
  "created",
  "changed",
  "unchanged",
  "gone",
  "quarantined",
] as const;

/** What today's calls were spent on, and what each kind of call taught. */
export function Purchases({ page, purchases }: { page: OpsPage; purchases: readonly Purchase[] }) {
  const { o, f } = page;
  const { purchases: words } = o;
  if (purchases.length === 0) return <p class="quiet">{words.empty}</p>;
  const most = Math.max(...purchases.map(({ calls }) => calls));
  return (
    <>
      <Wide label={words.title}>
        <table>
          <thead>
            <tr>
              <th scope="col">{words.purpose}</th>
              <th scope="col">{words.job}</th>
              {columns.map((column) => (
                <th scope="col" class="number">
                  {words[column]}
                </th>
              ))}
              <th scope="col" class="number">
                {words.news}
              </th>
            </tr>
          </thead>
          <tbody>
            {purchases.map((purchase) => (
              <tr>
                <th scope="row">
                  {words.purposes[purchase.purpose]}
                  <meter
                    min="0"
                    max={most}
                    value={purchase.calls}
                    aria-label={`${words.calls}: ${f.number(purchase.calls)}`}
                  />
                </th>
                <td>
                  <code>{purchase.job}</code>
                </td>
                {columns.map((column) => (
                  <td class={purchase[column] === 0 ? "number zero" : "number"}>
                    {f.number(purchase[column])}
                  </td>
                ))}
                <td class="number">{f.decimal(toNews(purchase), 2)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Wide>
      <p class="fine">{words.newsHint}</p>
    </>
  );
}

function toNews({ created, changed, gone, calls }: Purchase): number {
  return calls === 0 ? 0 : (created + changed + gone) / calls;
}
