import { maxValuesPerFacet } from "../../index/settings.ts";
import { byCount } from "../engine-query.ts";
import type { Facets, FacetValue } from "../query.ts";

/** The facets of what was found, with those of further products; prices as found, or of these if nothing was. */
export function withAdded(found: Facets, added: Facets, limit = maxValuesPerFacet): Facets {
  const { price = added.price, ...counted } = found;
  const { price: _price, ...others } = added;
  const sums = Object.entries(others).map(([facet, values]) => {
    const known = Object.entries(counted).find(([name]) => name === facet)?.[1] ?? [];
    return [facet, sum(known, values).slice(0, limit)];
  });
  return { ...counted, ...Object.fromEntries(sums), ...(price ? { price } : {}) };
}

function sum(known: readonly FacetValue[], added: readonly FacetValue[]): FacetValue[] {
  const counts = new Map<string, number>();
  for (const { value, count } of [...known, ...added])
    counts.set(value, (counts.get(value) ?? 0) + count);
  return [...counts].map(([value, count]) => ({ value, count })).toSorted(byCount);
}
