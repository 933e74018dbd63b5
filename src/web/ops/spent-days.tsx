import type { SpentDay } from "../../crawl/budget/usage-report.ts";
import { Table, type Column } from "../shared/table.tsx";
import { Wide } from "./frame.tsx";
import type { OpsPage } from "./ops-page.ts";

export function SpentDays({ page, days }: { page: OpsPage; days: readonly SpentDay[] }) {
  const { o, f } = page;
  if (days.length === 0) return <p class="quiet">{o.purchases.empty}</p>;
  return (
    <Wide label={o.days.title}>
      <Table
        rows={days}
        columns={[
          {
            name: o.days.day,
            isHead: true,
            cell: (day) => (
              <>
                {f.day(day.day)} {day.refused && <span class="tag sale">{o.days.refused}</span>}
              </>
            ),
          },
          { name: o.days.used, look: "number", cell: (day) => f.number(day.used) },
          { name: o.days.limit, look: "number", cell: (day) => f.number(day.limit) },
          ...(["created", "changed", "gone"] as const).map((news): Column<SpentDay> => ({
            name: o.purchases[news],
            look: "number",
            cell: (day) => f.number(day[news] ?? 0),
          })),
        ]}
      />
    </Wide>
  );
}
