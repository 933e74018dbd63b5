import { colourText, conditionText, sizeText } from "../shared/product/attribute-text.ts";
import { beginning } from "../shared/format.ts";
import type { Page } from "../shared/page/page.ts";
import { hrefWith, hrefWithout, type SearchParams } from "./search-params.ts";

interface Chip {
  label: string;
  /** The address of the search without it. */
  href: string;
}

export interface ChipsProps {
  page: Page;
  search: SearchParams;
  shopNames: ReadonlyMap<string, string>;
}

/** The active filters, each of which one click removes. */
export function Chips(props: ChipsProps) {
  const { m } = props.page;
  const chips = toChips(props);
  if (chips.length === 0) return null;
  const all = props.search.params.get("q");
  return (
    <ul class="chips" aria-label={m.search.narrowedBy}>
      {chips.map(({ label, href }) => (
        <li>
          <a class="chip" href={href} data-swap aria-label={m.search.remove(label)}>
            <span dir="auto">{label}</span>
            <span aria-hidden="true">×</span>
          </a>
        </li>
      ))}
      {chips.length > 1 && (
        <li>
          <a href={hrefWith(new URLSearchParams(all === null ? {} : { q: all }), {})} data-swap>
            {m.search.removeAll}
          </a>
        </li>
      )}
    </ul>
  );
}

export function toChips({ page, search, shopNames }: ChipsProps): Chip[] {
  const { m } = page;
  const { params, query } = search;
  const single = (name: string, label: string): Chip[] =>
    params.has(name) ? [{ label, href: hrefWith(params, { [name]: null }) }] : [];
  const each = (name: string, toLabel: (value: string) => string): Chip[] =>
    params.getAll(name).map((value) => ({
      label: beginning(toLabel(value), 40),
      href: hrefWithout(params, name, value),
    }));
  const shopName = (id: string) => shopNames.get(id) ?? id;
  return [
    ...single("in_stock", query.inStock === false ? m.product.outOfStock : m.search.inStockOnly),
    ...single("on_sale", query.onSale === false ? m.search.regularOnly : m.search.onSaleOnly),
    ...single("price_min", m.search.from(page.money(query.priceMin ?? 0))),
    ...single("price_max", m.search.upTo(page.money(query.priceMax ?? 0))),
    ...each("category", (value) => value),
    ...each("shop_id", shopName),
    ...each("exclude_shop_id", (id) => m.search.without(shopName(id))),
    ...each("condition", (kind) => conditionText(m, kind)),
    ...each("colour", (name) => colourText(m, name)),
    ...each("size", (size) => `${m.product.size} ${sizeText(size)}`),
    ...each("gtin", (value) => `JAN ${value}`),
    ...(query.match === "all" ? single("match", m.search.allWords) : []),
    ...single("max_age_s", m.search.checkedWithin(query.maxAgeSeconds ?? 0)),
  ];
}
