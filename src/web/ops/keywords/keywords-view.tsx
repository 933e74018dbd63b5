import {
  listZeroResults,
  toKeywordState,
  type ZeroResult,
} from "../../../api/ops/crawl/queries.ts";
import { listKeywords, type Keyword } from "../../../crawl/learning/keywords.ts";
import { toHeld } from "../../../crawl/keywords/proposals.ts";
import { keywordState, type KeywordState } from "../../../crawl/keywords/keyword-rest.ts";
import { keywordLines } from "./keyword-lines.ts";
import { Figure } from "../shared/cells.tsx";
import { toAddress } from "../shared/filters.tsx";
import { Card, Field, FormToken, NoticeLine, tabPaths, Action } from "../shared/frame.tsx";
import {
  mayOperate,
  refusedAt,
  type ConsoleDeps,
  type OpsPage,
  type View,
  nameOf,
} from "../shared/ops-page.ts";

const perPage = 50;

export function createKeywords({ opsDb }: ConsoleDeps): View {
  return async (page, c) => {
    const { o, f } = page;
    const filter = (c.req.query("filter") ?? "").trim().slice(0, 200);
    const [all, searches] = await Promise.all([listKeywords(opsDb), listZeroResults(opsDb)]);
    const chosen = all
      .filter(({ q, shopId }) =>
        `${q} ${shopId ?? ""}`.toLowerCase().includes(filter.toLowerCase()),
      )
      .toSorted((a, b) => toYield(b) - toYield(a) || b.id - a.id);
    const lastPage = Math.max(1, Math.ceil(chosen.length / perPage));
    const number = Math.min(lastPage, Math.max(1, Math.trunc(Number(c.req.query("page"))) || 1));
    const shown = chosen.slice((number - 1) * perPage, number * perPage);
    return (
      <>
        <h1>{o.tabs.keywords}</h1>
        <NoticeLine
          page={page}
          at="keywords"
          words={{ ids: o.keywords.tickSome }}
          names={fieldNames(page)}
        />
        {mayOperate(page) && <AddForm page={page} />}
        <section class="card panel" aria-labelledby="keywords-heading">
          <header class="row">
            <h2 id="keywords-heading">{o.keywords.list}</h2>
            <form method="get" action="/ops/keywords" class="row" role="search">
              <label for="filter">{o.keywords.filter}</label>
              <input id="filter" name="filter" type="search" value={filter} maxlength={200} />
              <button class="plain small">{o.keywords.show}</button>
            </form>
          </header>
          <p class="fine">{o.keywords.count(f.number(chosen.length), f.number(all.length))}</p>
          {shown.length === 0 && <p class="quiet">{o.keywords.empty}</p>}
          <ul class="keywords">
            {shown.map((query) => (
              <KeywordItem page={page} query={query} />
            ))}
          </ul>
          {mayOperate(page) && shown.length > 0 && <BulkForm page={page} />}
          {lastPage > 1 && <Paging page={page} at={number} last={lastPage} filter={filter} />}
        </section>
        <ZeroResults page={page} searches={searches} />
      </>
    );
  };
}

/** What was typed on several lines has the numbers of these. */
function fieldNames(page: OpsPage): Record<string, string> {
  const { word, shop, many, line: lineName } = page.o.keywords;
  const lines = keywordLines(refusedAt(page, "keywords")?.texts).map(({ line }, i) => [
    `texts.${i}`,
    lineName(page.f.number(line)),
  ]);
  return { q: word, shop_id: shop, texts: many, ...Object.fromEntries(lines) };
}

/** The yield of an untried keyword is unknown, so it comes first. */
function toYield({ calls, itemsCreated }: Keyword): number {
  return calls === 0 ? Infinity : itemsCreated / calls;
}

function AddForm({ page }: { page: OpsPage }) {
  const words = page.o.keywords;
  const refused = refusedAt(page, "keywords") ?? {};
  const shop = (
    <Field
      name="shop_id"
      label={words.shop}
      value={refused.shop_id}
      maxlength={200}
      placeholder={words.shopHint}
    />
  );
  return (
    <Card id="add" title={words.add}>
      <form method="post" action="/ops/keywords" class="add-form">
        <FormToken page={page} />
        <Field name="q" label={words.word} value={refused.q} required maxlength={200} />
        {shop}
        <button>{words.button}</button>
      </form>
      <details open={refused.texts !== undefined}>
        <summary>{words.many}</summary>
        <form method="post" action="/ops/keywords/add" class="add-form">
          <FormToken page={page} />
          <label>
            <span>{words.manyHint}</span>
            <textarea name="texts" rows={8} required>
              {refused.texts ?? ""}
            </textarea>
          </label>
          {shop}
          <button>{words.manyButton}</button>
        </form>
      </details>
    </Card>
  );
}

function BulkForm({ page }: { page: OpsPage }) {
  const words = page.o.keywords;
  return (
    <form method="post" action="/ops/keywords/change" id={bulkForm} class="buttons">
      <FormToken page={page} />
      <span>{words.ticked}</span>
      <button class="plain small" name="change" value="enable">
        {words.resume}
      </button>
      <button class="plain small" name="change" value="disable">
        {words.pause}
      </button>
      <details class="confirm">
        <summary>{words.remove}</summary>
        <button class="danger small" name="change" value="remove">
          {words.confirm}
        </button>
      </details>
    </form>
  );
}

function Paging(props: { page: OpsPage; at: number; last: number; filter: string }) {
  const { f, m } = props.page;
  const { at, last, filter } = props;
  const path = (page: number) => toAddress(tabPaths.keywords, { filter, page });
  return (
    <nav class="row" aria-label={m.search.pages}>
      {at > 1 ? <a href={path(at - 1)}>{m.search.previous}</a> : <span />}
      <span>
        {f.number(at)} / {f.number(last)}
      </span>
      {at < last ? <a href={path(at + 1)}>{m.search.next}</a> : <span />}
    </nav>
  );
}

/** What visitors missed, and whether it has become a keyword. */
function ZeroResults(props: { page: OpsPage; searches: readonly ZeroResult[] }) {
  const { page, searches } = props;
  const { o, f, now } = page;
  const words = o.keywords.zeroResults;
  return (
    <Card id="zero-results" title={words.title}>
      <p class="fine">{searches.length === 0 ? words.empty : words.lead}</p>
      <ul class="keywords">
        {searches.map(({ q, times, visitors, lastAt, keyword }) => (
          <li>
            <div class="keyword">
              <h3>
                <bdi>{q}</bdi>
              </h3>
              <p class="fine">
                <span class="tag">
                  {keyword === null ? words.waiting : words.states[toKeywordState(keyword, now)]}
                </span>
              </p>
            </div>
            <dl class="small-figures">
              <Figure name={words.visitors} value={f.number(visitors)} />
              <Figure name={words.times}>{f.number(times)}</Figure>
              <Figure name={words.last}>{f.ago(lastAt)}</Figure>
            </dl>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** The form for the ticked keywords. It stands apart from them, because each keyword has forms of its own. */
const bulkForm = "ticked-keywords";

const stateLooks: Record<KeywordState, string> = {
  active: "tag good",
  trial: "tag",
  backing_off: "tag warn",
  paused: "tag warn",
};

function KeywordItem({ page, query }: { page: OpsPage; query: Keyword }) {
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
