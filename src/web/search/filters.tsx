import type { FacetValue } from "../../search/query/query.ts";
import { colourText, conditionText, sizeText } from "../shared/attribute-text.ts";
import { count } from "../shared/format.ts";
import type { Page } from "../shared/page.ts";
import { searchFormId } from "../shared/search-box.tsx";
import type { SearchParams } from "./search-params.ts";
import type { Found } from "./find.ts";

interface FiltersProps {
  page: Page;
  search: SearchParams;
  found: Found;
}

/** All filters as fields of the search form. Without a script a button applies them. */
export function Filters({ page, search, found }: FiltersProps) {
  const { m } = page;
  const { facets } = found.hits;
  const { query } = search;
  return (
    <details class="filters" id="filters">
      <summary>{m.search.filters}</summary>
      <div class="fields">
        <fieldset>
          <legend>{m.search.show}</legend>
          <Switch
            name="in_stock"
            label={m.search.inStockOnly}
            isOn={query.inStock === true}
            count={facets.in_stock?.find(({ value }) => value === "true")?.count}
          />
          <Switch name="on_sale" label={m.search.onSaleOnly} isOn={query.onSale === true} />
          <Switch
            name="group"
            value={query.group ?? "product"}
            label={m.search.group}
            isOn={query.group !== undefined}
          />
        </fieldset>
        <PriceRange page={page} search={search} found={found} />
        <Values
          legend={m.search.categories}
          more={m.search.more}
          name="category"
          values={withChosen(facets.category, query.categories)}
          chosen={query.categories ?? []}
          nameOf={(value) => value}
        />
        <Values
          legend={m.search.shops}
          more={m.search.more}
          name="shop_id"
          values={withChosen(facets.shop_id, query.shopIds)}
          chosen={query.shopIds ?? []}
          nameOf={(id) => found.shopNames.get(id) ?? id}
        />
        <Values
          legend={m.product.colour}
          more={m.search.more}
          name="colour"
          values={withChosen(facets.colour, query.colours)}
          chosen={query.colours ?? []}
          nameOf={(name) => colourText(m, name)}
        />
        <Values
          legend={m.product.size}
          more={m.search.more}
          name="size"
          values={withChosen(facets.size, query.sizes)}
          chosen={query.sizes ?? []}
          nameOf={sizeText}
        />
        <Values
          legend={m.product.condition}
          more={m.search.more}
          name="condition"
          values={withChosen(facets.condition, query.conditions)}
          chosen={query.conditions ?? []}
          nameOf={(kind) => conditionText(m, kind)}
        />
        {["exclude_shop_id", "gtin", "max_age_s", "per_page"].flatMap((name) =>
          search.params
            .getAll(name)
            .map((value) => <input type="hidden" name={name} value={value} form={searchFormId} />),
        )}
        <button type="submit" form={searchFormId} class="unscripted">
          {m.search.apply}
        </button>
      </div>
    </details>
  );
}

interface SwitchProps {
  name: string;
  label: string;
  isOn: boolean;
  value?: string;
  count?: number | undefined;
}

function Switch({ name, value = "true", label, isOn, count: found }: SwitchProps) {
  return (
    <label class="choice">
      <input
        type="checkbox"
        id={`f-${name}`}
        name={name}
        value={value}
        checked={isOn}
        form={searchFormId}
        data-apply
      />
      <span>{label}</span>
      {found !== undefined && <span class="fine number">{count(found)}</span>}
    </label>
  );
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
        pattern="[0-9０-９]*"
        maxlength={13}
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

const shownAtOnce = 8;
const shownAtMost = 60;

interface ValuesProps {
  legend: string;
  more: string;
  name: string;
  values: readonly FacetValue[];
  chosen: readonly string[];
  nameOf(value: string): string;
}

function Values({ legend, more, name, values, chosen, nameOf }: ValuesProps) {
  if (values.length === 0) return null;
  const draw = ({ value, count: found }: FacetValue) => (
    <label class="choice">
      <input
        type="checkbox"
        id={`f-${name}-${value}`}
        name={name}
        value={value}
        checked={chosen.includes(value)}
        form={searchFormId}
        data-apply
      />
      <span dir="auto">{nameOf(value)}</span>
      <span class="fine number">{count(found)}</span>
    </label>
  );
  const hidden = values.slice(shownAtOnce, shownAtMost);
  return (
    <fieldset>
      <legend>{legend}</legend>
      {values.slice(0, shownAtOnce).map(draw)}
      {hidden.length > 0 && (
        <details class="more" id={`more-${name}`}>
          <summary>{more}</summary>
          {hidden.map(draw)}
        </details>
      )}
    </fieldset>
  );
}

/** Chosen values come first, also if nothing matches them any more, so that they can be removed. */
function withChosen(
  values: readonly FacetValue[] = [],
  chosen: readonly string[] = [],
): FacetValue[] {
  const counts = new Map(values.map(({ value, count: found }) => [value, found]));
  return [
    ...chosen.map((value) => ({ value, count: counts.get(value) ?? 0 })),
    ...values.filter(({ value }) => !chosen.includes(value)),
  ];
}
