import { readAudit, type AuditRecord } from "../../api/ops/audit-log.ts";
import { Table } from "../shared/table.tsx";
import { Wide } from "./frame.tsx";
import { nameOf, type ConsoleDeps, type OpsPage } from "./ops-page.ts";
import type { View } from "./view.ts";

const actionsShown = 100;

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
      <Table
        rows={records}
        columns={[
          {
            name: o.audit.at,
            look: "when",
            cell: ({ at }) => <time datetime={at.toISOString()}>{f.dateTime(at)}</time>,
          },
          {
            name: o.audit.action,
            isHead: true,
            cell: ({ action, subject }) => `${nameOf(o.audit.actions, action)} ${subject}`,
          },
          { name: o.audit.detail, cell: ({ detail }) => <Detail detail={detail} /> },
          { name: o.audit.outcome, cell: (record) => <Outcome page={page} record={record} /> },
          { name: o.audit.via, cell: ({ via }) => o.audit.vias[via] },
          {
            name: o.audit.request,
            cell: ({ requestId }) => <code class="fine">{requestId.slice(0, 8)}</code>,
          },
        ]}
      />
    </Wide>
  );
}

function Outcome({ page: { o }, record }: { page: OpsPage; record: AuditRecord }) {
  if (record.outcome === "done") return <span class="tag good">{o.audit.done}</span>;
  return (
    <span class="tag sale">
      {o.audit.refused}: {record.code}
    </span>
  );
}

function Detail({ detail }: { detail: AuditRecord["detail"] }) {
  if (Object.keys(detail).length === 0) return null;
  return <code class="detail">{JSON.stringify(detail)}</code>;
}
