import type { SpentDay } from "../../crawl/ledger.ts";
import { Wide } from "./frame.tsx";
import type { OpsPage } from "./ops-page.ts";

export function SpentDays({ page, days }: { page: OpsPage; days: readonly SpentDay[] }) {
  const { o, f } = page;
  if (days.length === 0) return <p class="quiet">{o.purchases.empty}</p>;
  return (
    <Wide label={o.days.title}>
      <table>
        <thead>
          <tr>
            <th scope="col">{o.days.day}</th>
            <th scope="col" class="number">
              {o.days.used}
            </th>
            <th scope="col" class="number">
              {o.days.limit}
            </th>
            <th scope="col" class="number">
              {o.purchases.created}
            </th>
            <th scope="col" class="number">
              {o.purchases.changed}
            </th>
            <th scope="col" class="number">
              {o.purchases.gone}
            </th>
          </tr>
        </thead>
        <tbody>
          {days.map((day) => (
            <tr>
              <th scope="row">
                {f.day(day.day)} {day.refused && <span class="tag sale">{o.days.refused}</span>}
              </th>
              <td class="number">{f.number(day.used)}</td>
              <td class="number">{f.number(day.limit)}</td>
              <td class="number">{f.number(day.created ?? 0)}</td>
              <td class="number">{f.number(day.changed ?? 0)}</td>
              <td class="number">{f.number(day.gone ?? 0)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  );
}
