import {
  readCategoryChanges,
  readMatchCategories,
  type MatchCategory,
  type MatchCategoryChange,
} from "../../../matching/categories.ts";
import { readDecisions, type ListedDecision } from "../../../matching/review/decisions.ts";
import { readNewestGroupChanges, type GroupChange } from "../../../matching/groups/groups.ts";
import {
  countReview,
  mostReviewsCounted,
  readReview,
  toReviewPosition,
} from "../../../matching/review/review.ts";
import { readModelProgress, type ModelProgress } from "../../../matching/upkeep/model-pass.ts";
import { toAddress } from "../shared/filters.tsx";
import { Card, NoticeLine, Action } from "../shared/frame.tsx";
import { MatchPair } from "./match-pair.tsx";
import { type ConsoleDeps, type OpsPage, type View, nameOf } from "../shared/ops-page.ts";
import { WideTable } from "../../shared/table.tsx";
import type { MatchSide } from "../../../matching/review/sides.ts";
import { Moment, ProductLink } from "../shared/cells.tsx";

const decisionsShown = 20;
const categoriesShown = 100;
const changesShown = 30;
const path = "/ops/matches";

/** The queue of doubtful pairs, one at a time, and what people and estimates have decided. */
export function createMatches({ opsDb }: ConsoleDeps): View {
  return async (page, c) => {
    const { o, f } = page;
    const words = o.matches;
    const after = toReviewPosition(c.req.query("after") ?? "") ?? undefined;
    const [{ items, next }, waiting, model, decided, refused, categoryChanges, groupChanges] =
      await Promise.all([
        readReview(opsDb, { limit: 1, after }),
        countReview(opsDb),
        readModelProgress(opsDb),
        readDecisions(opsDb, { limit: decisionsShown }),
        readMatchCategories(opsDb, { limit: categoriesShown, isLinked: false }),
        readCategoryChanges(opsDb, changesShown),
        readNewestGroupChanges(opsDb, changesShown),
      ]);
    const [pair] = items;
    const count = waiting < mostReviewsCounted ? f.number(waiting) : `${f.number(waiting)}+`;
    return (
      <>
        <h1>{o.tabs.matches}</h1>
        <p class="quiet">{words.lead}</p>
        <NoticeLine page={page} at="matches" />
        <p id="model" class="quiet">
          {describeModel(page, model)}
        </p>
        <Card id="review" title={words.review}>
          <p class="quiet">{words.waiting(count)}</p>
          {pair && <MatchPair page={page} pair={pair} />}
          {!pair && <p>{after ? words.noMore : words.none}</p>}
          <p class="buttons">
            {after && <a href={path}>{words.first}</a>}
            {next !== null && <a href={toAddress(path, { after: next })}>{words.later}</a>}
            {pair && (
              <label hidden>
                <input type="checkbox" checked data-keys /> {words.keys}
              </label>
            )}
          </p>
        </Card>
        <MatchTables
          page={page}
          decisions={decided.items}
          refused={refused}
          categoryChanges={categoryChanges}
          groupChanges={groupChanges}
        />
      </>
    );
  };
}

function describeModel({ o, f }: OpsPage, { model, next, progress }: ModelProgress): string {
  const part = f.percent(progress);
  if (next !== null) return o.matches.modelJudges(model, next, part);
  return progress < 1 ? o.matches.modelRegroups(model, part) : o.matches.modelInUse(model);
}

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
function MatchTables(props: MatchTablesProps) {
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
