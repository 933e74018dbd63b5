import { WideTable } from "../../shared/table.tsx";
import type { BusySearch } from "../../../alerts/status.ts";
import type { OpsPage } from "../shared/ops-page.ts";
import { Reason } from "../shared/cells.tsx";

const looks = { faulty: "sale", expired: "", paused: "", limited: "warn", active: "good" };

/** The saved searches with the most events: who is told most, of what. */
export function BusiestSearches(props: { page: OpsPage; searches: readonly BusySearch[] }) {
  const { page, searches } = props;
  const { o, f } = page;
  const words = o.webhooks.busiest;
  return (
    <WideTable
      label={words.title}
      empty={words.empty}
      rows={searches}
      columns={({ head, column, numbers }) => [
        head(words.search, (one) => (
          <>
            #{one.savedSearchId} <bdi>{toText(one)}</bdi>
          </>
        )),
        column(words.rules, (one) => <Rules page={page} of={one} />),
        column(words.owner, ({ keyId }) =>
          keyId === null ? words.visitor : <a href="/ops/keys">{words.key(keyId)}</a>,
        ),
        numbers(words.events, ({ events }) => f.number(events)),
        numbers(words.today, ({ today, dailyMax }) =>
          words.ofMost(f.number(today), f.number(dailyMax)),
        ),
        column(o.webhooks.state, ({ state, fault }) => (
          <>
            <span class={`tag ${looks[state]}`}>{words.states[state]}</span>{" "}
            {fault !== null && <Reason text={fault} />}
          </>
        )),
      ]}
    />
  );
}

/** The words first, then the filters as they are in an address. */
function toText({ query: { q, ...filters } }: BusySearch): string {
  const named = Object.entries(filters).map(([name, value]) => `${name}=${String(value)}`);
  return [...(q ? [q] : []), ...named].join(" ");
}

function Rules({ page, of: { rules } }: { page: OpsPage; of: BusySearch }) {
  const { kinds } = page.o.webhooks;
  const texts = rules.map((rule) => {
    if (rule.kind === "price_below") return `${kinds.price_below} ${page.money(rule.price)}`;
    const percent = "percent" in rule && rule.percent !== undefined ? ` ${rule.percent}%` : "";
    const window = rule.kind === "new_low" ? ` ${rule.window}` : "";
    return `${kinds[rule.kind]}${percent}${window}`;
  });
  return <>{texts.join(page.o.webhooks.busiest.comma)}</>;
}
