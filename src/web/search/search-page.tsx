import { raw } from "hono/html";
import { productSorts, type ProductSort } from "../../search/query/query.ts";
import type { Suggestion } from "../../search/suggest/suggest.ts";
import { CompareBar } from "../shared/compare-tick.tsx";
import { beginning, count } from "../shared/format.ts";
import { Layout } from "../shared/layout.tsx";
import type { Page } from "../shared/page.ts";
import { SearchBox, searchFormId } from "../shared/search-box.tsx";
import { everything, hrefWith, type SearchParams } from "./search-params.ts";
import { Chips } from "./chips.tsx";
import { Filters } from "./filters.tsx";
import type { FoundProduct } from "../../api/products/found-products.ts";
import type { Found } from "./find.ts";
import { NothingFound } from "./nothing-found.tsx";
import { Paging } from "./paging.tsx";
import { TellMeSearch } from "./tell-me-search.tsx";
import { drawCard } from "./product-card.tsx";

export interface SearchPageProps {
  page: Page;
  search: SearchParams;
  found: Found;
  suggestions: readonly Suggestion[];
}

export function SearchPage(props: SearchPageProps) {
  const { page, search, found } = props;
  const { m } = page;
  const { hits, items } = found;
  const q = search.query.q ?? "";
  const topic = topicOf(search, found.shopNames);
  const heading =
    q !== "" ? m.search.resultsFor(beginning(q, 60)) : (topic?.name ?? m.search.allProducts);
  return (
    <Layout
      page={page}
      title={
        q === "" && topic === null ? `${m.name} – ${m.search.tagline}` : `${heading} – ${m.name}`
      }
      description={m.search.description}
      header={<SearchBox page={page} q={q} />}
      extras={["filters.js"]}
      noindex={search.params.size > 0 && topic === null}
      canonical={topic?.href ?? everything}
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
            <p class="notice warn">{m.search.unread([...new Set(search.unread)].join(", "))}</p>
          )}
          <Chips page={page} search={search} shopNames={found.shopNames} />
          {items.length === 0 ? (
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

/** What the page is about if it has all products of one category or shop, and nothing else is asked for. */
function topicOf(
  { params }: SearchParams,
  shopNames: ReadonlyMap<string, string>,
): { name: string; href: string } | null {
  const [only, ...more] = [...params];
  if (!only || more.length > 0) return null;
  const [name, value] = only;
  const href = `/?${params.toString()}`;
  if (name === "category") return { name: beginning(value, 60), href };
  return name === "shop_id" ? { name: beginning(shopNames.get(value) ?? value, 60), href } : null;
}

/** Products with every word first, then those that lack some, under a heading of their own. */
function Results({ page, items }: { page: Page; items: readonly FoundProduct[] }) {
  const partial = items.filter(({ missingWords }) => missingWords.length > 0);
  return (
    <>
      <Cards page={page} items={items.filter(({ missingWords }) => missingWords.length === 0)} />
      {partial.length > 0 && <h2 class="partial">{page.m.search.partial}</h2>}
      <Cards page={page} items={partial} />
    </>
  );
}

function Cards({ page, items }: { page: Page; items: readonly FoundProduct[] }) {
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
