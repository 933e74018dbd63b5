import { WideTable } from "../../shared/table.tsx";
import type { CallRecord } from "../../../crawl/budget/call-log.ts";
import { tabPaths } from "../shared/frame.tsx";
import type { OpsPage } from "../shared/ops-page.ts";
import { toAddress } from "../shared/filters.tsx";
import { toSubject } from "../shared/subject.ts";
import { Moment } from "../shared/cells.tsx";

export function Calls({ page, calls }: { page: OpsPage; calls: readonly CallRecord[] }) {
  const { o, f } = page;
  return (
    <WideTable
      label={o.calls.title}
      empty={o.calls.empty}
      rows={calls}
      columns={({ column, times }) => [
        times(o.calls.at, ({ reservedAt }) => (
          <Moment at={reservedAt} text={f.nearby(reservedAt)} />
        )),
        column(o.calls.what, (call) => (
          <a href={toAddress(tabPaths.calls, { id: call.id })}>{toSubject(page, call)}</a>
        )),
        column(o.calls.outcome, (call) => <CallOutcome page={page} call={call} />),
        column(
          o.calls.brought,
          (call) =>
            call.returned !== null &&
            o.calls.items(f.number(call.returned), f.number(toNews(call))),
        ),
      ]}
    />
  );
}

export function CallOutcome({ page: { o }, call }: { page: OpsPage; call: CallRecord }) {
  if (call.outcome === null) return <span class="tag warn">{o.calls.unknown}</span>;
  if (call.outcome === "ok") return <span class="tag good">ok</span>;
  return <span class="tag sale">{call.outcome}</span>;
}

function toNews({ created, changed, gone }: CallRecord): number {
  return (created ?? 0) + (changed ?? 0) + (gone ?? 0);
}
