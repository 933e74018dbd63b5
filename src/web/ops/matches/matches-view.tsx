import { readCategoryChanges, readMatchCategories } from "../../../matching/categories.ts";
import { readDecisions } from "../../../matching/review/decisions.ts";
import { readNewestGroupChanges } from "../../../matching/groups/groups.ts";
import {
  countReview,
  mostReviewsCounted,
  readReview,
  toReviewPosition,
} from "../../../matching/review/review.ts";
import { readModelProgress, type ModelProgress } from "../../../matching/upkeep/model-pass.ts";
import { toAddress } from "../shared/filters.tsx";
import { Card, NoticeLine } from "../shared/frame.tsx";
import { MatchPair } from "./match-pair.tsx";
import { MatchTables } from "./match-tables.tsx";
import type { ConsoleDeps, OpsPage, View } from "../shared/ops-page.ts";

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
