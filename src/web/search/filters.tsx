import type { FacetValue, ProductHits } from "../../search/query/query.ts";
import { colourText, conditionText, sizeText } from "../shared/product/attribute-text.ts";
import type { Page } from "../shared/page/page.ts";
import { searchFormId } from "../shared/page/search-box.tsx";
import type { SearchedFilter, SearchParams } from "./search-params.ts";
import { Choice, chosenOf, Values } from "./filter-values.tsx";

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
        value={search.params.get(name) ?? ""}
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
