import { WideTable } from "../../shared/table.tsx";
import {
  deliveryStates,
  listDeliveries,
  listTroubled,
  type Delivery,
  type DeliveryState,
  type Troubled,
} from "../../../alerts/delivery/report.ts";
import { hostOf, mostTroubled, readBusiest } from "../../../api/ops/alerts.ts";
import type { BusySearch } from "../../../alerts/status.ts";
import { Choices } from "../shared/choices.tsx";
import { NextPage, oneOf, toCursor } from "../shared/filters.tsx";
import { Action, Card, FormToken, NoticeLine, RowsAction } from "../shared/frame.tsx";
import {
  mayOperate,
  nameOf,
  type ConsoleDeps,
  type OpsPage,
  type View,
} from "../shared/ops-page.ts";
import { Moment, Reason } from "../shared/cells.tsx";

const perPage = 50;
const path = "/ops/webhooks";

/** Endpoints that fail, the messages to all of them, newest first, and the searches that make most of them. */
export function createWebhooks(deps: ConsoleDeps): View {
  const { opsDb } = deps;
  return async (page, c) => {
    const { o } = page;
    const words = o.webhooks;
    const state = oneOf(deliveryStates, c.req.query("state"));
    const before = toCursor(c.req.query("before"));
    const [troubled, { items: deliveries, next }, busiest] = await Promise.all([
      listTroubled(opsDb, mostTroubled),
      listDeliveries(opsDb, { state, before, limit: perPage }),
      readBusiest(deps),
    ]);
    return (
      <>
        <h1>{o.tabs.webhooks}</h1>
        <p class="quiet">{words.lead}</p>
        <NoticeLine page={page} at="webhooks" />
        <Card id="troubled" title={words.troubled} live>
          <WideTable
            label={words.troubled}
            empty={words.troubledEmpty}
            rows={troubled}
            columns={({ head, column }) => [
              head(words.webhook, (one) => <Name of={one} />),
              column(words.key, ({ keyId }) => (keyId === null ? "" : `#${keyId}`)),
              column(words.state, (one) => <TroubledState page={page} one={one} />),
            ]}
          />
        </Card>
        <Card id="deliveries" title={words.deliveries} live>
          <Choices
            path={path}
            name="state"
            label={words.statesLabel}
            texts={{ "": o.filters.all, ...words.states }}
            chosen={state ?? ""}
          />
          <Deliveries page={page} items={deliveries} />
          <RowsAction
            page={page}
            to={`${path}/deliveries/replay`}
            label={o.filters.replayPage}
            ids={deliveries
              .filter((one) => one.state !== "waiting")
              .map(({ deliveryId }) => deliveryId)}
          />
          <NextPage page={page} path={path} query={{ state }} name="before" at={next} />
        </Card>
        {mayOperate(page) && <ReplayForm page={page} />}
        <Card id="busiest" title={words.busiest.title}>
          <BusiestSearches page={page} searches={busiest} />
        </Card>
      </>
    );
  };
}

function TroubledState({ page: { o, f }, one }: { page: OpsPage; one: Troubled }) {
  const words = o.webhooks;
  const { reason, disabledAt, failingSince } = one;
  if (reason !== null && disabledAt !== null) {
    const text = words.disabled(words.reasons[reason], f.ago(disabledAt));
    return <span class="tag sale">{text}</span>;
  }
  return <span class="tag warn">{failingSince && words.failing(f.ago(failingSince))}</span>;
}

/** The rest of the URL may be a secret. */
function Name({ of: one }: { of: Pick<Delivery, "webhookId" | "url"> }) {
  return (
    <>
      #{one.webhookId} <bdi>{hostOf(one)}</bdi>
    </>
  );
}

function Deliveries({ page, items }: { page: OpsPage; items: readonly Delivery[] }) {
  const { o, f } = page;
  const words = o.webhooks;
  return (
    <WideTable
      label={words.deliveries}
      empty={words.empty}
      rows={items}
      columns={({ head, column, numbers, times }) => [
        head(words.message, (one) => `#${one.deliveryId} ${titleOf(page, one)}`),
        column(words.webhook, (one) => <Name of={one} />),
        column(words.state, (one) => <StateTag page={page} state={one.state} />),
        numbers(words.attempts, ({ attempts }) => f.number(attempts)),
        {
          name: words.last,
          lang: "en",
          cell: ({ lastError, lastStatus }) => (
            <bdi class="reason">{lastError ?? lastStatus ?? ""}</bdi>
          ),
        },
        times(words.next, ({ nextAt }) => nextAt && <Moment at={nextAt} text={f.nearby(nextAt)} />),
        times(words.made, ({ createdAt }) => <Moment at={createdAt} text={f.ago(createdAt)} />),
        column(
          o.action,
          ({ deliveryId, state }) =>
            state !== "waiting" && (
              <Action
                page={page}
                to={`${path}/deliveries/${deliveryId}/replay`}
                label={o.filters.resend}
                about={`#${deliveryId}`}
              />
            ),
        ),
      ]}
    />
  );
}

function titleOf({ o: { webhooks } }: OpsPage, { eventId, kind }: Delivery): string {
  return eventId === null ? webhooks.test : nameOf(webhooks.kinds, kind ?? "");
}

function StateTag({ page, state }: { page: OpsPage; state: DeliveryState }) {
  const looks = { waiting: "warn", delivered: "good", dead: "sale" };
  return <span class={`tag ${looks[state]}`}>{page.o.webhooks.states[state]}</span>;
}

function ReplayForm({ page }: { page: OpsPage }) {
  const words = page.o.webhooks;
  return (
    <Card id="again" title={words.again}>
      <p class="fine">{words.againLead}</p>
      <form method="post" action={`${path}/replay`} class="filters">
        <FormToken page={page} />
        <label>
          <span>{words.since}</span>
          <select name="hours">
            {Object.entries(words.spans).map(([hours, name]) => (
              <option value={hours}>{name}</option>
            ))}
          </select>
        </label>
        <button>{words.button}</button>
      </form>
    </Card>
  );
}

const searchLooks = { faulty: "sale", expired: "", paused: "", limited: "warn", active: "good" };

/** The saved searches with the most events: who is told most, of what. */
function BusiestSearches(props: { page: OpsPage; searches: readonly BusySearch[] }) {
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
            <span class={`tag ${searchLooks[state]}`}>{words.states[state]}</span>{" "}
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
