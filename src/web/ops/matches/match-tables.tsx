import { WideTable } from "../../shared/table.tsx";
import type { MatchCategory, MatchCategoryChange } from "../../../matching/categories.ts";
import type { ListedDecision } from "../../../matching/review/decisions.ts";
import type { GroupChange } from "../../../matching/groups/groups.ts";
import type { MatchSide } from "../../../matching/review/sides.ts";
import { Action } from "../shared/frame.tsx";
import { nameOf, type OpsPage } from "../shared/ops-page.ts";
import { Moment, ProductLink } from "../shared/cells.tsx";

const itemsShown = 5;

export function Decisions(props: { page: OpsPage; decisions: readonly ListedDecision[] }) {
  const { page, decisions } = props;
  const { o } = page;
  const words = o.matches;
  return (
    <WideTable
      label={words.decisions}
      empty={words.noDecisions}
      rows={decisions}
      columns={({ head, column, times }) => [
        times(words.at, ({ decidedAt }) => moment(page, decidedAt)),
        head(words.left, ({ a }) => productLink(a)),
        column(words.right, ({ b }) => productLink(b)),
        column(words.decision, ({ decision, stands }) => (
          <>
            {words.decisionNames[decision]}
            {!stands && <span class="fine"> {words.replaced}</span>}
          </>
        )),
        column(
          o.action,
          ({ id, a, b, decision, stands }) =>
            stands &&
            decision !== "undone" && (
              <Action
                page={page}
                to={`/ops/matches/decisions/${id}/undo`}
                label={words.undo}
                about={`${a.title} – ${b.title}`}
              />
            ),
        ),
      ]}
    />
  );
}

export function RefusedCategories(props: { page: OpsPage; categories: readonly MatchCategory[] }) {
  const { page, categories } = props;
  const { o, f } = page;
  const words = o.matches;
  const share = (value: number | null) => (value === null ? words.unknown : f.percent(value));
  return (
    <WideTable
      label={words.categories}
      empty={words.noCategories}
      rows={categories}
      columns={({ head, column, numbers, times }) => [
        head(words.category, ({ category }) => <bdi>{category}</bdi>),
        column(words.reason, ({ reason }) => reasonText(page, reason)),
        numbers(words.byCodes, (one) => share(one.precisionByCodes)),
        numbers(words.labelled, (one) => f.number(one.labelledPairs)),
        numbers(words.byShops, (one) => share(one.precisionByShops)),
        times(words.at, (one) => moment(page, one.estimatedAt)),
      ]}
    />
  );
}

export function CategoryChanges(props: { page: OpsPage; changes: readonly MatchCategoryChange[] }) {
  const { page, changes } = props;
  const { o, f } = page;
  const words = o.matches;
  return (
    <WideTable
      label={words.changes}
      empty={words.noChanges}
      rows={changes}
      columns={({ head, column, numbers, times }) => [
        times(words.at, ({ at }) => moment(page, at)),
        head(words.category, ({ category }) => <bdi>{category}</bdi>),
        column(words.decision, ({ isLinked }) => (isLinked ? words.linked : words.refused)),
        numbers(words.threshold, ({ threshold }) => f.decimal(threshold, 2)),
        column(words.reason, ({ reason }) => reasonText(page, reason)),
      ]}
    />
  );
}

export function GroupChanges(props: { page: OpsPage; changes: readonly GroupChange[] }) {
  const { page, changes } = props;
  const { o } = page;
  const words = o.matches;
  return (
    <WideTable
      label={words.groups}
      empty={words.noGroups}
      rows={changes}
      columns={({ head, column, times }) => [
        times(words.at, ({ at }) => moment(page, at)),
        head(words.group, ({ groupId }) => String(groupId)),
        column(words.what, (change) => eventText(page, change)),
        column(words.items, ({ itemIds }) => productIds(page, itemIds)),
      ]}
    />
  );
}

function eventText({ o }: OpsPage, { kind, otherGroupId }: GroupChange): string {
  const { changeKinds } = o.matches;
  if (kind !== "merged" && kind !== "split") return changeKinds[kind];
  return changeKinds[kind](String(otherGroupId));
}

function productIds({ o, f }: OpsPage, itemIds: readonly number[]) {
  return (
    <>
      {itemIds.slice(0, itemsShown).map((id) => (
        <>
          <a href={`/products/${id}`}>{id}</a>{" "}
        </>
      ))}
      {itemIds.length > itemsShown && (
        <span class="fine">{o.matches.moreItems(f.number(itemIds.length - itemsShown))}</span>
      )}
    </>
  );
}

function productLink({ itemId, title, isGone }: MatchSide) {
  return isGone ? <bdi>{title}</bdi> : <ProductLink itemId={itemId} title={title} />;
}

function moment({ f }: OpsPage, at: Date) {
  return <Moment at={at} text={f.dateTime(at)} />;
}

/** Reasons are stored in English, out of a fixed list. */
function reasonText({ o }: OpsPage, reason: string): string {
  return nameOf(o.matches.reasons, reason);
}
