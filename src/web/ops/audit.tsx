import { readAudit, type AuditRecord } from "../../api/ops/audit-log.ts";
import { Wide } from "./frame.tsx";
import { nameOf, type ConsoleDeps, type OpsPage } from "./ops-page.ts";
import type { View } from "./view.ts";

const actionsShown = 100;

/** What operators did, by either door, and what they were refused. */
export function createAudit({ opsDb }: ConsoleDeps): View {
  return async (page) => {
    const { o } = page;
    const records = await readAudit(opsDb, actionsShown);
    return (
      <>
        <h1>{o.audit.title}</h1>
        <p class="quiet">{o.audit.lead}</p>
        <section class="card panel" aria-label={o.audit.title} id="audit" data-live>
          {records.length === 0 ? (
            <p class="quiet">{o.audit.empty}</p>
          ) : (
            <Actions page={page} records={records} />
          )}
        </section>
      </>
    );
  };
}

function Actions({ page, records }: { page: OpsPage; records: readonly AuditRecord[] }) {
  const { o, f } = page;
  return (
    <Wide label={o.audit.title}>
      <table>
        <thead>
          <tr>
            <th scope="col">{o.audit.at}</th>
            <th scope="col">{o.audit.action}</th>
            <th scope="col">{o.audit.detail}</th>
            <th scope="col">{o.audit.outcome}</th>
            <th scope="col">{o.audit.via}</th>
            <th scope="col">{o.audit.request}</th>
          </tr>
        </thead>
        <tbody>
          {records.map((record) => (
            <tr>
              <td class="when">
                <time datetime={record.at.toISOString()}>{f.dateTime(record.at)}</time>
              </td>
              <th scope="row">
                {nameOf(o.audit.actions, record.action)} {record.subject}
              </th>
              <td>
                <Detail detail={record.detail} />
              </td>
              <td>
                {record.outcome === "done" ? (
                  <span class="tag good">{o.audit.done}</span>
                ) : (
                  <span class="tag sale">
                    {o.audit.refused}: {record.code}
                  </span>
                )}
              </td>
              <td>{o.audit.vias[record.via]}</td>
              <td>
                <code class="fine">{record.requestId.slice(0, 8)}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  );
}

function Detail({ detail }: { detail: AuditRecord["detail"] }) {
  if (Object.keys(detail).length === 0) return null;
  return <code class="detail">{JSON.stringify(detail)}</code>;
}
