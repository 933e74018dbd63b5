import { raw } from "hono/html";
import type { ApiContext } from "../../api/http/deps.ts";
import { productSorts, type ProductSort } from "../../search/query/query.ts";
import type { Suggestion } from "../../search/suggest/suggest.ts";
import { CompareBar } from "../shared/product/compare-tick.tsx";
import { beginning, count } from "../shared/format.ts";
import { Layout, titleOfPage } from "../shared/page/layout.tsx";
import { openPage, sendPage, type Page, type PageDeps } from "../shared/page/page.ts";
import { SearchBox, searchFormId } from "../shared/page/search-box.tsx";
import { Chips, toChips, type ChipsProps } from "./chips.tsx";
import { Filters } from "./filters.tsx";
import { createFind, suggestFor, type Found } from "./find.ts";
import { NothingFound } from "./nothing-found.tsx";
import { drawCard, type Card } from "./product-card.tsx";
import { everything, hrefWith, lastPage, readParams, type SearchParams } from "./search-params.ts";
import { TellMe } from "../shared/product/tell-me.tsx";

/** Answers `/`: searches like `GET /v1/products`, and draws the page. */
export function createSearchPage(deps: PageDeps): (c: ApiContext) => Promise<Response> {
  const find = createFind(deps);
  return async (c) => {
    const page = openPage(c, deps);
    const search = readParams(page.url.searchParams);
    const visitor = deps.clientAddress(c);
    const found = await deps.lanes.search(search.query, visitor, () => find(search, visitor));
    const suggestions = found.items.length === 0 ? await suggestFor(deps, search.query.q) : [];
    const status = search.unread.length > 0 ? 400 : 200;
    return sendPage(c, page, <SearchPage {...{ page, search, found, suggestions }} />, { status });
  };
}

interface SearchPageProps {
  page: Page;
  search: SearchParams;
  found: Found;
  suggestions: readonly Suggestion[];
}

function SearchPage(props: SearchPageProps) {
  const { page, search, found } = props;
  const { m } = page;
  const { hits, items } = found;
  const q = search.query.q ?? "";
  const topic = topicOf(search, found.shopNames);
  const heading =
    q.trim() !== "" ? m.search.resultsFor(beginning(q, 60)) : (topic ?? m.search.allProducts);
  const isWhole = search.params.size === (topic === null ? 0 : 1);
  return (
    <Layout
      page={page}
      title={
        q === "" && topic === null && search.query.page === 1
          ? `${m.name} – ${m.search.tagline}`
          : titleOfPage(page, heading, search.query.page)
      }
      description={m.search.description}
      header={<SearchBox page={page} q={q} />}
      extras={["filters.js"]}
      noindex={!isWhole}
      canonical={topic === null ? everything : `/?${search.params.toString()}`}
    >
      <div class="search-page">
        <a class="skip" href="#results">
          {m.search.skip}
        </a>
        <aside aria-label={m.search.filters}>
          <Filters page={page} search={search} found={found} />
        </aside>
        <section class="found" id="results" aria-labelledby="heading" tabindex={-1}>
          <div class="heading">
            <div>
              <h1 id="heading" dir="auto">
                {heading}
              </h1>
              <p class="quiet" id="count">
                {m.search.found(count(hits.found), hits.foundExact)}
              </p>
            </div>
            <Sort page={page} chosen={search.query.sort ?? "relevance"} />
          </div>
          {hits.degraded && <p class="notice warn">{m.search.degraded}</p>}
          {hits.corrected !== null && <Corrected page={page} search={search} to={hits.corrected} />}
          {search.unread.length > 0 && (
            <p class="notice warn">
              {m.search.unread(namesOf(search.unread, page).join(", "))}
              {search.unread.some((name) => name.startsWith("price_")) &&
                ` – ${m.search.priceRule}`}
            </p>
          )}
          <Chips page={page} search={search} shopNames={found.shopNames} />
          {items.length === 0 && search.query.page > 1 ? (
            <p class="nothing card">{m.search.noSuchPage}</p>
          ) : items.length === 0 ? (
            <NothingFound
              page={page}
              search={search}
              shopNames={found.shopNames}
              suggestions={props.suggestions}
            />
          ) : (
            <Results page={page} items={items} />
          )}
          {found.similar.length > 0 && (
            <section aria-labelledby="similar">
              <h2 id="similar" class="partial">
                {m.search.similar}
              </h2>
              <Cards page={page} items={found.similar} />
            </section>
          )}
          {items.length > 0 && <CompareBar page={page} />}
          <TellMeSearch page={page} search={search} shopNames={found.shopNames} />
          <Paging page={page} search={search} found={hits.found + hits.partial.size} />
        </section>
      </div>
    </Layout>
  );
}

/** Parameters in the words of the page; those that no field shows as they are written. */
function namesOf(parameters: readonly string[], { m }: Page): string[] {
  const { search, product } = m;
  const names = new Map([
    ["q", search.label],
    ["match", search.allWords],
    ["price_min", `${search.price} (${search.priceMin})`],
    ["price_max", `${search.price} (${search.priceMax})`],
    ["in_stock", search.inStockOnly],
    ["on_sale", search.onSaleOnly],
    ["group", search.group],
    ["category", search.categories],
    ["shop_id", search.shops],
    ["exclude_shop_id", search.shops],
    ["colour", product.colour],
    ["size", product.size],
    ["condition", product.condition],
    ["gtin", product.barcode],
    ["sort", search.sort],
    ["page", search.pages],
  ]);
  return [...new Set(parameters.map((name) => names.get(name) ?? name))];
}

/** The category or the shop that the page is about: the only one that was asked for, with whatever else. */
function topicOf({ params }: SearchParams, shopNames: ReadonlyMap<string, string>): string | null {
  const topics = [...params].filter(([name]) => name === "category" || name === "shop_id");
  const [only, ...more] = topics;
  if (!only || more.length > 0) return null;
  const [name, value] = only;
  return beginning(name === "shop_id" ? (shopNames.get(value) ?? value) : value, 60);
}

/** Products with every word first, then those that lack some, under a heading of their own. */
function Results({ page, items }: { page: Page; items: readonly Card[] }) {
  const partial = items.filter(({ missingWords }) => missingWords.length > 0);
  return (
    <>
      <Cards page={page} items={items.filter(({ missingWords }) => missingWords.length === 0)} />
      {partial.length > 0 && <h2 class="partial">{page.m.search.partial}</h2>}
      <Cards page={page} items={partial} />
    </>
  );
}

function Cards({ page, items }: { page: Page; items: readonly Card[] }) {
  if (items.length === 0) return null;
  return <ul class="results">{raw(items.map((item) => drawCard(item, page)).join(""))}</ul>;
}

function Corrected({ page, search, to }: { page: Page; search: SearchParams; to: string }) {
  const { m } = page;
  const q = search.query.q ?? "";
  const original = hrefWith(search.params, { q: q.replaceAll(/[^\s"]+/g, '"$&"') });
  return (
    <p class="notice" dir="auto">
      {m.search.corrected(beginning(to, 60))}{" "}
      <a href={original} data-swap>
        {m.search.asTyped(beginning(q, 60))}
      </a>
    </p>
  );
}

function Sort({ page, chosen }: { page: Page; chosen: ProductSort }) {
  const { m } = page;
  return (
    <div class="sort">
      <label for="f-sort">{m.search.sort}</label>
      <select id="f-sort" name="sort" form={searchFormId} data-apply>
        {productSorts.map((sort) => (
          <option value={sort === "relevance" ? "" : sort} selected={sort === chosen}>
            {m.search.sorts[sort]}
          </option>
        ))}
      </select>
      <button type="submit" form={searchFormId} class="plain unscripted">
        {m.search.apply}
      </button>
    </div>
  );
}

const around = 2;

function Paging(props: { page: Page; search: SearchParams; found: number }) {
  const { page, search, found } = props;
  const { m } = page;
  const current = search.query.page;
  const last = lastPage(found, search.query);
  if (last === 1 && current === 1) return null;
  const href = (to: number) => hrefWith(search.params, { page: to === 1 ? null : String(to) });
  return (
    <nav class="paging" aria-label={m.search.pages}>
      {current > 1 && (
        <a href={href(Math.min(current - 1, last))} rel="prev" data-swap>
          {m.search.previous}
        </a>
      )}
      {toSteps(current, last).map((step) =>
        step === null ? (
          <span aria-hidden="true">…</span>
        ) : step === current ? (
          <span aria-current="page">{step}</span>
        ) : (
          <a href={href(step)} aria-label={m.search.pageNumber(step)} data-swap>
            {step}
          </a>
        ),
      )}
      {current < last && (
        <a href={href(current + 1)} rel="next" data-swap>
          {m.search.next}
        </a>
      )}
    </nav>
  );
}

/** The first page, the last one and those near the current one; null stands for a gap. */
function toSteps(current: number, last: number): (number | null)[] {
  const shown = Array.from({ length: last }, (_, index) => index + 1).filter(
    (step) => step === 1 || step === last || Math.abs(step - current) <= around,
  );
  return shown.flatMap((step, index) => {
    const previous = shown[index - 1];
    return previous !== undefined && step - previous > 1 ? [null, step] : [step];
  });
}

/** Of an alert, how words match, the order and the page are no part. */
const notWatched = ["match", "sort", "page", "per_page", "group"];
/** Alerts are judged without these. */
const notJudged = ["condition", "colour", "size", "max_age_s"];

/** Alerts about what this search finds; null for a search of everything, or by what alerts cannot judge. */
function TellMeSearch({ page, search, shopNames }: ChipsProps) {
  const { params } = search;
  const given = [...params].filter(([name]) => !notWatched.includes(name));
  if (given.length === 0 || notJudged.some((name) => params.has(name))) return null;
  const words = [
    params.get("q") ?? "",
    ...toChips({ page, search, shopNames }).map((c) => c.label),
  ];
  const name = beginning(words.filter((word) => word !== "").join(" · "), 100);
  return <TellMe page={page} watched={given} name={name} chosen={["new_match"]} />;
}
