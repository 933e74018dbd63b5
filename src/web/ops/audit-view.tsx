import { WideTable } from "../shared/table.tsx";
import { readAudit, type AuditRecord } from "../../api/ops/actions/audit-log.ts";
import { operatorsOf } from "../../api/http/operators.ts";
import { Filters, filterText, NextPage, readFilter, toCursor } from "./shared/filters.tsx";
import { tabPaths } from "./shared/frame.tsx";
import { nameOf, type ConsoleDeps, type OpsPage, type View } from "./shared/ops-page.ts";
import { Moment } from "./shared/cells.tsx";

const actionsShown = 100;
const path = tabPaths.audit;

export function createAudit(deps: ConsoleDeps): View {
  const operators = operatorsOf(deps).map(({ name }) => name);
  return async (page, c) => {
    const { o, f } = page;
    const { audit: words } = o;
    // An operator who was removed can still be looked for.
    const names = new Set([...operators, filterText(c.req.query("operator")) ?? ""]);
    const fields = {
      operator: {
        label: words.operator,
        options: Object.fromEntries([...names].filter(Boolean).map((name) => [name, name])),
      },
      address: { label: words.address },
      action: { label: o.action, options: words.actions },
      outcome: { label: words.outcome, options: { done: words.done, refused: words.refused } },
    };
    const asked = readFilter(c, fields);
    const before = toCursor(c.req.query("before"));
    const { items, next } = await readAudit(deps.opsDb, { ...asked, before, limit: actionsShown });
    return (
      <>
        <h1>{o.tabs.audit}</h1>
        <p class="quiet">{words.lead}</p>
        <Filters page={page} path={path} fields={fields} asked={asked} />
        <section class="card panel" aria-label={o.tabs.audit} id="audit" data-live>
          <WideTable
            label={o.tabs.audit}
            empty={words.empty}
            rows={items}
            columns={({ head, column, times }) => [
              times(words.at, ({ at }) => <Moment at={at} text={f.dateTime(at)} />),
              head(
                o.action,
                ({ action, subject }) => `${nameOf(words.actions, action)} ${subject}`,
              ),
              column(words.operator, ({ operator }) => <bdi>{operator ?? "–"}</bdi>),
              column(words.address, ({ address }) => <code class="fine">{address}</code>),
              column(words.detail, ({ detail }) => <Detail detail={detail} />),
              column(words.outcome, (record) => <Outcome page={page} record={record} />),
              column(words.via, ({ via }) => words.vias[via]),
              column(words.request, ({ requestId }) => (
                <code class="fine">{requestId.slice(0, 8)}</code>
              )),
            ]}
          />
          <NextPage page={page} path={path} query={asked} name="before" at={next} />
        </section>
      </>
    );
  };
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
