import { WideTable } from "../../shared/table.tsx";
import type { MatchCategory, MatchCategoryChange } from "../../../matching/categories.ts";
import type { ListedDecision } from "../../../matching/review/decisions.ts";
import type { GroupChange } from "../../../matching/groups/groups.ts";
import type { MatchSide } from "../../../matching/review/sides.ts";
import { Action, Card } from "../shared/frame.tsx";
import { nameOf, type OpsPage } from "../shared/ops-page.ts";
import { Moment, ProductLink } from "../shared/cells.tsx";

const itemsShown = 5;

interface MatchTablesProps {
  page: OpsPage;
  decisions: readonly ListedDecision[];
  /** Categories where titles link nothing. */
  refused: readonly MatchCategory[];
  categoryChanges: readonly MatchCategoryChange[];
  groupChanges: readonly GroupChange[];
}

/** What people and estimates have decided, and what became of the groups. */
export function MatchTables(props: MatchTablesProps) {
  const { page, decisions, refused, categoryChanges, groupChanges } = props;
  const { o, f } = page;
  const words = o.matches;
  const moment = (at: Date) => <Moment at={at} text={f.dateTime(at)} />;
  const share = (value: number | null) => (value === null ? words.unknown : f.percent(value));
  // Reasons are stored in English, out of a fixed list.
  const reasonText = ({ reason }: { reason: string }) => nameOf(words.reasons, reason);
  return (
    <>
      <Card id="decisions" title={words.decisions} live>
        <WideTable
          label={words.decisions}
          empty={words.noDecisions}
          rows={decisions}
          columns={({ head, column, times }) => [
            times(words.at, ({ decidedAt }) => moment(decidedAt)),
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
      </Card>
      <Card id="categories" title={words.categories} live>
        <p class="quiet">{words.categoriesLead}</p>
        <WideTable
          label={words.categories}
          empty={words.noCategories}
          rows={refused}
          columns={({ head, column, numbers, times }) => [
            head(words.category, ({ category }) => <bdi>{category}</bdi>),
            column(words.reason, reasonText),
            numbers(words.byCodes, (one) => share(one.precisionByCodes)),
            numbers(words.labelled, (one) => f.number(one.labelledPairs)),
            numbers(words.byShops, (one) => share(one.precisionByShops)),
            times(words.at, ({ estimatedAt }) => moment(estimatedAt)),
          ]}
        />
      </Card>
      <Card id="category-changes" title={words.changes} live>
        <WideTable
          label={words.changes}
          empty={words.noChanges}
          rows={categoryChanges}
          columns={({ head, column, numbers, times }) => [
            times(words.at, ({ at }) => moment(at)),
            head(words.category, ({ category }) => <bdi>{category}</bdi>),
            column(words.decision, ({ isLinked }) => (isLinked ? words.linked : words.refused)),
            numbers(words.threshold, ({ threshold }) => f.decimal(threshold, 2)),
            column(words.reason, reasonText),
          ]}
        />
      </Card>
      <Card id="groups" title={words.groups} live>
        <WideTable
          label={words.groups}
          empty={words.noGroups}
          rows={groupChanges}
          columns={({ head, column, times }) => [
            times(words.at, ({ at }) => moment(at)),
            head(words.group, ({ groupId }) => String(groupId)),
            column(words.what, (change) => eventText(page, change)),
            column(words.items, ({ itemIds }) => productIds(page, itemIds)),
          ]}
        />
      </Card>
    </>
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
