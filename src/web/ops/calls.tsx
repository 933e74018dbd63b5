import type { CallRecord } from "../../crawl/calls.ts";
import { Wide } from "./frame.tsx";
import type { OpsPage } from "./ops-page.ts";
import { toSubject } from "./subject.ts";

/** The newest rows of the ledger; what was asked for is never shown with credentials, as it has none. */
export function Calls({ page, calls }: { page: OpsPage; calls: readonly CallRecord[] }) {
  const { o, f } = page;
  if (calls.length === 0) return <p class="quiet">{o.calls.empty}</p>;
  return (
    <Wide label={o.calls.title}>
      <table>
        <thead>
          <tr>
            <th scope="col">{o.calls.at}</th>
            <th scope="col">{o.calls.what}</th>
            <th scope="col">{o.calls.outcome}</th>
            <th scope="col">{o.calls.brought}</th>
          </tr>
        </thead>
        <tbody>
          {calls.map((call) => (
            <tr>
              <td class="when">
                <time datetime={call.reservedAt.toISOString()}>{f.time(call.reservedAt)}</time>
              </td>
              <td>{toSubject(page, call)}</td>
              <td>
                <Outcome page={page} call={call} />
              </td>
              <td>
                {call.returned !== null &&
                  o.calls.items(f.number(call.returned), f.number(toNews(call)))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  );
}

function Outcome({ page: { o }, call }: { page: OpsPage; call: CallRecord }) {
  if (call.outcome === null) return <span class="tag warn">{o.calls.unknown}</span>;
  if (call.outcome === "ok") return <span class="tag good">ok</span>;
  return <span class="tag sale">{call.outcome}</span>;
}

function toNews({ created, changed, gone }: CallRecord): number {
  return (created ?? 0) + (changed ?? 0) + (gone ?? 0);
}
