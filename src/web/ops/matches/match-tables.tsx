import { WideTable } from "../../shared/table.tsx";
import type { MatchCategory, MatchCategoryChange } from "../../../matching/categories.ts";
import type { ListedDecision } from "../../../matching/review/decisions.ts";
import type { GroupChange } from "../../../matching/groups/group-changes.ts";
import type { MatchSide } from "../../../matching/review/sides.ts";
import { Action } from "../shared/frame.tsx";
import { nameOf, type OpsPage } from "../shared/ops-page.ts";
import { Moment, ProductLink } from "../shared/cells.tsx";

const itemsShown = 5;

export function Decisions(props: { page: OpsPage; decisions: readonly ListedDecision[] }) {
  const { page, decisions } = props;
  const { o } = page;
  const words = o.matches;
  if (decisions.length === 0) return <p class="quiet">{words.noDecisions}</p>;
  return (
    <WideTable
      label={words.decisions}
      rows={decisions}
      columns={[
        { name: words.at, look: "when", cell: ({ decidedAt }) => moment(page, decidedAt) },
        { name: words.left, isHead: true, cell: ({ a }) => productLink(a) },
        { name: words.right, cell: ({ b }) => productLink(b) },
        {
          name: words.decision,
          cell: ({ decision, stands }) => (
            <>
              {words.decisionNames[decision]}
              {!stands && <span class="fine"> {words.replaced}</span>}
            </>
          ),
        },
        {
          name: o.action,
          cell: ({ id, a, b, decision, stands }) =>
            stands &&
            decision !== "undone" && (
              <Action
                page={page}
                to={`/ops/matches/decisions/${id}/undo`}
                label={words.undo}
                about={`${a.title} – ${b.title}`}
              />
            ),
        },
      ]}
    />
  );
}

export function RefusedCategories(props: { page: OpsPage; categories: readonly MatchCategory[] }) {
  const { page, categories } = props;
  const { o, f } = page;
  const words = o.matches;
  const share = (value: number | null) => (value === null ? words.unknown : f.percent(value));
  if (categories.length === 0) return <p class="quiet">{words.noCategories}</p>;
  return (
    <WideTable
      label={words.categories}
      rows={categories}
      columns={[
        { name: words.category, isHead: true, cell: ({ category }) => <bdi>{category}</bdi> },
        { name: words.reason, cell: ({ reason }) => reasonText(page, reason) },
        { name: words.byCodes, look: "number", cell: (one) => share(one.precisionByCodes) },
        { name: words.labelled, look: "number", cell: (one) => f.number(one.labelledPairs) },
        { name: words.byShops, look: "number", cell: (one) => share(one.precisionByShops) },
        { name: words.at, look: "when", cell: (one) => moment(page, one.estimatedAt) },
      ]}
    />
  );
}

export function CategoryChanges(props: { page: OpsPage; changes: readonly MatchCategoryChange[] }) {
  const { page, changes } = props;
  const { o, f } = page;
  const words = o.matches;
  if (changes.length === 0) return <p class="quiet">{words.noChanges}</p>;
  return (
    <WideTable
      label={words.changes}
      rows={changes}
      columns={[
        { name: words.at, look: "when", cell: ({ at }) => moment(page, at) },
        { name: words.category, isHead: true, cell: ({ category }) => <bdi>{category}</bdi> },
        {
          name: words.decision,
          cell: ({ isLinked }) => (isLinked ? words.linked : words.refused),
        },
        {
          name: words.threshold,
          look: "number",
          cell: ({ threshold }) => f.decimal(threshold, 2),
        },
        { name: words.reason, cell: ({ reason }) => reasonText(page, reason) },
      ]}
    />
  );
}

export function GroupChanges(props: { page: OpsPage; changes: readonly GroupChange[] }) {
  const { page, changes } = props;
  const { o } = page;
  const words = o.matches;
  if (changes.length === 0) return <p class="quiet">{words.noGroups}</p>;
  return (
    <WideTable
      label={words.groups}
      rows={changes}
      columns={[
        { name: words.at, look: "when", cell: ({ at }) => moment(page, at) },
        { name: words.group, isHead: true, cell: ({ groupId }) => String(groupId) },
        { name: words.what, cell: (change) => eventText(page, change) },
        { name: words.items, cell: ({ itemIds }) => productIds(page, itemIds) },
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
