import type { FacetValue, ProductHits, ProductQuery } from "../../search/query/query.ts";
import { colourText, conditionText, sizeText } from "../shared/product/attribute-text.ts";
import type { Page, PageDeps } from "../shared/page/page.ts";
import { searchFormId } from "../shared/page/search-box.tsx";
import { count } from "../shared/format.ts";
import {
  type SearchedFilter,
  type SearchParams,
  findParam,
  searchedFilters,
} from "./search-params.ts";

/** What filters show of a search that was made. */
export interface Counted {
  hits: Pick<ProductHits, "facets">;
  /** Values of the filters whose search fields are filled in. */
  begun: Partial<Record<SearchedFilter, FacetValue[]>>;
  /** Names of the shops in the facets and in the query, by id. */
  shopNames: ReadonlyMap<string, string>;
}

interface FiltersProps {
  page: Page;
  search: SearchParams;
  found: Counted;
}

/** Parameters that no field shows. */
const unfielded = ["match", "exclude_shop_id", "gtin", "max_age_s", "per_page"];

/** All filters as fields of the search form. Without a script a button applies them. */
export function Filters({ page, search, found }: FiltersProps) {
  const { m } = page;
  const { facets } = found.hits;
  const { query, finds } = search;
  const searched = (name: SearchedFilter) => ({
    page,
    name,
    values: facets[name] ?? [],
    chosen: chosenOf(query, name),
    find:
      finds[name] === undefined
        ? undefined
        : { text: finds[name], values: found.begun[name] ?? [] },
  });
  return (
    <details class="filters" id="filters" open={Object.keys(finds).length > 0}>
      <summary>{m.search.filters}</summary>
      <div class="fields">
        <fieldset>
          <legend>{m.search.show}</legend>
          {/* The boxes stand behind them and count if both are sent: the last one does. */}
          {query.inStock === false && <Kept name="in_stock" value="false" />}
          {query.onSale === false && <Kept name="on_sale" value="false" />}
          <Choice
            name="in_stock"
            label={m.search.inStockOnly}
            isOn={query.inStock === true}
            found={facets.in_stock?.find(({ value }) => value === "true")?.count}
          />
          <Choice name="on_sale" label={m.search.onSaleOnly} isOn={query.onSale === true} />
          <Choice
            name="group"
            value={query.group ?? "product"}
            label={m.search.group}
            isOn={query.group !== undefined}
          />
        </fieldset>
        <PriceRange page={page} search={search} found={found} />
        <Values legend={m.search.categories} {...searched("category")} nameOf={(value) => value} />
        <Values
          legend={m.search.shops}
          {...searched("shop_id")}
          nameOf={(id) => found.shopNames.get(id) ?? id}
        />
        <Values
          legend={m.product.colour}
          page={page}
          name="colour"
          values={facets.colour ?? []}
          chosen={query.colours ?? []}
          nameOf={(name) => colourText(m, name)}
        />
        <Values legend={m.product.size} {...searched("size")} nameOf={sizeText} />
        <Values
          legend={m.product.condition}
          page={page}
          name="condition"
          values={facets.condition ?? []}
          chosen={query.conditions ?? []}
          nameOf={(kind) => conditionText(m, kind)}
        />
        {unfielded.flatMap((name) =>
          search.params.getAll(name).map((value) => <Kept name={name} value={value} />),
        )}
        <button type="submit" form={searchFormId} class="unscripted">
          {m.search.apply}
        </button>
      </div>
    </details>
  );
}

/** A parameter that stays as it is. */
function Kept({ name, value }: { name: string; value: string }) {
  return <input type="hidden" name={name} value={value} form={searchFormId} />;
}

function PriceRange({ page, search, found }: FiltersProps) {
  const { m } = page;
  const { price } = found.hits.facets;
  const field = (name: "price_min" | "price_max", label: string, hint: number | undefined) => (
    <label>
      <span class="hidden">{label}</span>
      <input
        id={`f-${name}`}
        name={name}
        inputmode="numeric"
        pattern="[0-9０-９,，\p{Sc}円 ]*"
        maxlength={20}
        value={search.params.get(name) ?? search.typed[name] ?? ""}
        placeholder={hint === undefined ? label : page.money(hint)}
        form={searchFormId}
        data-apply
      />
    </label>
  );
  return (
    <fieldset>
      <legend>{m.search.price}</legend>
      <div class="range">
        {field("price_min", m.search.priceMin, price?.min)}
        <span aria-hidden="true">–</span>
        {field("price_max", m.search.priceMax, price?.max)}
      </div>
    </fieldset>
  );
}

const shownAtOnce = 8;
/** Values of a filter that are listed besides the chosen ones. */
const listedAtMost = 60;

interface ListProps {
  page: Page;
  name: string;
  values: readonly FacetValue[];
  chosen: readonly string[];
  nameOf(value: string): string;
}

interface ValuesProps extends ListProps {
  legend: string;
  /** What is typed into the search field, and the values that begin with it. */
  find?: { text: string; values: readonly FacetValue[] } | undefined;
}

/** A filter with several values. The chosen ones come first, also if nothing matches them any more, so that they can be removed. */
function Values({ legend, find, ...list }: ValuesProps) {
  const { page, name, values, chosen } = list;
  const { m } = page;
  if (values.length === 0 && chosen.length === 0 && !find) return null;
  const searched = searchedFilters.find((one) => one === name);
  const listed = find ? find.values : values;
  const counts = new Map([...listed, ...values].map(({ value, count: found }) => [value, found]));
  const label = m.search.valuesBegin(legend);
  return (
    <fieldset>
      <legend>{legend}</legend>
      {searched && (find !== undefined || values.length > shownAtOnce) && (
        <div class="find">
          <input
            id={`f-${findParam(searched)}`}
            name={findParam(searched)}
            type="search"
            value={find?.text ?? ""}
            maxlength={200}
            placeholder={m.search.begins}
            aria-label={label}
            autocomplete="off"
            dir="auto"
            form={searchFormId}
            aria-controls={listId(name)}
            data-find={name}
          />
          <button type="submit" form={searchFormId} class="plain unscripted">
            {m.search.submit}
          </button>
        </div>
      )}
      {chosen.map((value) => drawValue(list, { value, count: counts.get(value) ?? 0 }))}
      <OtherValues {...list} values={listed} isFound={find !== undefined} />
    </fieldset>
  );
}

function drawValue({ name, chosen, nameOf }: ListProps, { value, count: found }: FacetValue) {
  const box = { name, value, id: `${name}-${value}`, label: nameOf(value), found };
  return <Choice {...box} isOn={chosen.includes(value)} />;
}

const listId = (name: string) => `values-${name}`;

/** The values that are not chosen. The script puts others in their place while somebody types. */
export function OtherValues({ isFound, ...list }: ListProps & { isFound: boolean }) {
  const { page, name, values, chosen } = list;
  const { m } = page;
  const others = values.filter(({ value }) => !chosen.includes(value));
  const listed = others.slice(0, listedAtMost);
  const draw = (value: FacetValue) => drawValue(list, value);
  const hidden = listed.slice(shownAtOnce);
  return (
    <div id={listId(name)} data-found={m.search.valuesFound(count(listed.length))}>
      {listed.slice(0, shownAtOnce).map(draw)}
      {isFound
        ? hidden.map(draw)
        : hidden.length > 0 && (
            <details class="more" id={`more-${name}`}>
              <summary>{m.search.more}</summary>
              {hidden.map(draw)}
            </details>
          )}
      {isFound && listed.length === 0 && <p class="fine">{m.search.noValue}</p>}
      {isFound && others.length > listed.length && <p class="fine">{m.search.moreValues}</p>}
    </div>
  );
}

interface ChoiceProps {
  name: string;
  value?: string;
  label: string;
  isOn: boolean;
  /** Products that it leaves; undefined: not counted. */
  found?: number | undefined;
  id?: string;
}

/** A box to tick, which filters at once. */
function Choice({ name, value = "true", label, isOn, found, id = name }: ChoiceProps) {
  return (
    <label class="choice">
      <input
        type="checkbox"
        id={`f-${id}`}
        name={name}
        value={value}
        checked={isOn}
        form={searchFormId}
        data-apply
      />
      <span dir="auto">{label}</span>
      {found !== undefined && <span class="fine number">{count(found)}</span>}
    </label>
  );
}

/** Finds values of a filter that begin with what is typed into its search field, as GET /v1/facets/{name} has them. */
export function createFindValues({ facetValues }: Pick<PageDeps, "facetValues">) {
  return async ({ query, finds }: SearchParams, name: SearchedFilter): Promise<FacetValue[]> => {
    const { availableFirst: _, ...counted } = query;
    const { values } = await facetValues({
      facet: name,
      prefix: finds[name] ?? "",
      // One more than is listed tells that there are more.
      limit: listedAtMost + chosenOf(query, name).length + 1,
      query: { ...counted, sort: "relevance" },
    });
    return values;
  };
}

export function chosenOf(query: ProductQuery, name: SearchedFilter): readonly string[] {
  const chosen = { category: query.categories, shop_id: query.shopIds, size: query.sizes };
  return chosen[name] ?? [];
}
