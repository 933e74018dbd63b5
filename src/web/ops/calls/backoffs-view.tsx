import { WideTable } from "../../shared/table.tsx";
import {
  backoffKinds,
  mostBackoffsCounted,
  readBackoffs,
  toBackoffPosition,
  type BackoffKind,
  type BackoffPage,
  type ListedBackoff,
} from "../../../crawl/backoff-list.ts";
import { Choices } from "../shared/choices.tsx";
import { Filters, NextPage, readFilter, type Query } from "../shared/filters.tsx";
import { Action, Card, NoticeLine, RowsAction, tabPaths } from "../shared/frame.tsx";
import type { ConsoleDeps, OpsPage, View } from "../shared/ops-page.ts";
import { Moment, Reason } from "../shared/cells.tsx";

const perPage = 50;
const path = "/ops/backoffs";

/** Subjects in backoff because their calls failed, soonest retry first. */
export function createBackoffs({ opsDb }: ConsoleDeps): View {
  return async (page, c) => {
    const { o, f, now } = page;
    const words = o.backoffs;
    const fields = {
      kind: { label: words.kindsLabel, options: words.kinds },
      code: { label: o.filters.code },
      shop_id: { label: o.filters.shop },
    };
    const asked = readFilter(c, fields);
    const after = toBackoffPosition(c.req.query("after") ?? "");
    const listed = await readBackoffs(opsDb, {
      kind: asked.kind,
      code: asked.code,
      shopId: asked.shop_id,
      limit: perPage,
      after,
    });
    const waiting = listed.items.filter(({ retryAt }) => retryAt > now);
    return (
      <>
        <h1>{o.tabs.backoffs}</h1>
        <p class="quiet">{words.lead}</p>
        <NoticeLine page={page} at="backoffs" />
        <Filters page={page} path={path} fields={fields} asked={asked} />
        <Card id="backoffs" title={o.tabs.backoffs} live>
          <Kinds page={page} totals={listed.totals} asked={asked} />
          <WideTable
            label={o.tabs.backoffs}
            empty={listed.next !== null ? o.filters.further : words.empty}
            rows={listed.items}
            columns={({ head, column, numbers, times }) => [
              head(words.what, (item) => <Subject page={page} item={item} />),
              column(words.why, (item) => <Why page={page} item={item} />),
              numbers(words.failures, ({ failures }) => f.number(failures)),
              times(words.since, ({ firstFailedAt: at }) => <Moment at={at} text={f.ago(at)} />),
              times(words.next, ({ retryAt: at }) => (
                <Moment at={at} text={at > now ? f.nearby(at) : words.soon} />
              )),
              column(
                o.action,
                ({ id, subject, retryAt }) =>
                  retryAt > now && (
                    <Action
                      page={page}
                      to={`${path}/${id}/retry`}
                      label={words.retry}
                      about={words.subject(subject)}
                    />
                  ),
              ),
            ]}
          />
          <RowsAction
            page={page}
            to={`${path}/retry`}
            label={o.filters.retryPage}
            ids={waiting.map(({ id }) => id)}
          />
          <NextPage page={page} path={path} query={asked} name="after" at={listed.next} />
        </Card>
      </>
    );
  };
}

/** A link to the list, if any subject is in backoff. */
export function WaitingNotice(props: { page: OpsPage; waiting: Record<BackoffKind, number> }) {
  const { page, waiting } = props;
  const { o } = page;
  const parts = backoffKinds
    .filter((kind) => waiting[kind] > 0)
    .map((kind) => o.backoffs.count(o.backoffs.kinds[kind], toCount(page, waiting[kind])));
  if (parts.length === 0) return null;
  return (
    <p class="notice warn">
      {o.backoffs.waiting(parts.join(", "))} <a href={path}>{o.backoffs.look}</a>
    </p>
  );
}

function toCount({ f }: OpsPage, count: number): string {
  return count < mostBackoffsCounted ? f.number(count) : `${f.number(mostBackoffsCounted)}+`;
}

interface KindsProps {
  page: OpsPage;
  totals: BackoffPage["totals"];
  asked: Query & { kind: BackoffKind | undefined };
}

function Kinds({ page, totals, asked }: KindsProps) {
  const { o } = page;
  const all = Object.values(totals).reduce((a, b) => a + b, 0);
  if (all === 0) return null;
  const text = (name: string, total: number) => o.backoffs.count(name, toCount(page, total));
  const kinds = backoffKinds.map((kind) => [kind, text(o.backoffs.kinds[kind], totals[kind])]);
  return (
    <Choices
      path={path}
      query={asked}
      name="kind"
      label={o.backoffs.kindsLabel}
      texts={{ "": text(o.filters.all, all), ...Object.fromEntries(kinds) }}
      chosen={asked.kind ?? ""}
    />
  );
}

function Subject({ page: { o, f }, item }: { page: OpsPage; item: ListedBackoff }) {
  const { subject, halving, isolated } = item;
  const name = <bdi>{o.backoffs.subject(subject)}</bdi>;
  return (
    <>
      {subject.kind === "product" ? <a href={`/products/${subject.itemId}`}>{name}</a> : name}
      {isolated && <p class="fine">{o.backoffs.isolated}</p>}
      {halving && (
        <p class="fine">{o.backoffs.halving(f.number(halving.next), f.number(halving.rest))}</p>
      )}
    </>
  );
}

function Why({ page: { o }, item }: { page: OpsPage; item: ListedBackoff }) {
  return (
    <>
      <span class="tag warn">{item.code}</span> <Reason text={item.reason} />{" "}
      <a class="fine" href={`${tabPaths.calls}?id=${item.callId}`}>
        {o.backoffs.ofCall(String(item.callId))}
      </a>
    </>
  );
}
