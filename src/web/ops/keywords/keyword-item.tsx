import { toHeld } from "../../../crawl/keywords/proposals.ts";
import { keywordState, type KeywordState } from "../../../crawl/keywords/keyword-rest.ts";
import type { Keyword } from "../../../crawl/learning/keywords.ts";
import { Action } from "../shared/frame.tsx";
import { mayOperate, nameOf, type OpsPage } from "../shared/ops-page.ts";
import { Figure } from "../shared/cells.tsx";

/** The form for the ticked keywords. It stands apart from them, because each keyword has forms of its own. */
export const bulkForm = "ticked-keywords";

const stateLooks: Record<KeywordState, string> = {
  active: "tag good",
  trial: "tag",
  backing_off: "tag warn",
  paused: "tag warn",
};

export function KeywordItem({ page, query }: { page: OpsPage; query: Keyword }) {
  const { o } = page;
  const { id, q, shopId, enabled } = query;
  const words = o.keywords;
  const state = keywordState(query, page.now);
  return (
    <li class={enabled ? "" : "is-paused"}>
      <div class="keyword">
        <h3>
          {mayOperate(page) && (
            <input
              type="checkbox"
              name="id"
              value={String(id)}
              form={bulkForm}
              aria-label={words.tick(q)}
            />
          )}{" "}
          <bdi>{q}</bdi>
        </h3>
        <p class="fine">
          <span class={stateLooks[state]}>{words.states[state]}</span>{" "}
          <span class="tag">{nameOf(words.sources, query.source)}</span>{" "}
          {shopId !== null && words.inShop(shopId)}
        </p>
        {query.reason !== null && (
          <p class="fine">
            <bdi>{words.reason(query.reason)}</bdi>
          </p>
        )}
      </div>
      <div id={`keyword-${id}`} data-live class="keyword-figures">
        <Figures page={page} query={query} />
      </div>
      <div class="keyword-actions">
        <Action
          page={page}
          to={`/ops/keywords/${id}`}
          label={enabled ? words.pause : words.resume}
          about={q}
        >
          <input type="hidden" name="enabled" value={String(!enabled)} />
        </Action>
        <Action
          page={page}
          to={`/ops/keywords/${id}/remove`}
          label={words.remove}
          confirm={words.confirm}
          about={q}
        />
      </div>
    </li>
  );
}

function Figures({ page, query }: { page: OpsPage; query: Keyword }) {
  const { o, f } = page;
  const words = o.keywords;
  const { calls, itemsCreated, found } = query;
  const held = toHeld(query);
  const { scannedAt, newestCheckedAt, feedCheckedAt, askedAt, lastError } = query;
  // Pages of a full scan that has not ended, such as a trial.
  const answeredAt = lastError === null ? askedAt : null;
  const seenAt = latest([scannedAt, newestCheckedAt, feedCheckedAt, answeredAt]);
  return (
    <>
      <dl class="small-figures">
        <Figure name={words.yield} value={calls === 0 ? "–" : f.decimal(itemsCreated / calls, 2)} />
        <Figure name={words.calls}>{f.number(calls)}</Figure>
        <Figure name={words.created}>{f.number(itemsCreated)}</Figure>
        <Figure name={words.found}>
          {found === null || held === null ? "–" : `${f.number(held)} / ${f.number(found)}`}
        </Figure>
        <Figure name={words.seen}>{seenAt === null ? words.never : f.ago(seenAt)}</Figure>
      </dl>
      {lastError !== null && (
        <p class="fine">
          {words.error}: <span lang="en">{lastError}</span>
        </p>
      )}
    </>
  );
}

function latest(moments: readonly (Date | null)[]): Date | null {
  return moments.reduce((a, b) => (a === null || (b !== null && b > a) ? b : a), null);
}
