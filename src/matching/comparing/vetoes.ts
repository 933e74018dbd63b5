import type { FactsCompared } from "./facts-compared.ts";

export const vetoes = [
  "unit",
  "pack",
  "colour",
  "size",
  "year",
  "number",
  "series",
  "edition",
  "price",
] as const;

/** What forbids that two products are one, however much else is alike. */
export type Veto = (typeof vetoes)[number];

const maxPriceRatio = 2;

/** `priceRatio`: logarithm of the ratio, from 0; null: a price is not known. */
export function vetoesOf(facts: FactsCompared, priceRatio: number | null): Veto[] {
  const is: Record<Veto, boolean> = {
    unit: facts.unitConflict > 0,
    pack: facts.packConflict > 0,
    colour: facts.colourConflict > 0,
    size: facts.sizeConflict > 0,
    year: facts.yearConflict > 0,
    number: facts.numbersUnmatched > 0,
    series: facts.seriesConflict > 0,
    edition: facts.editionConflict > 0,
    price: priceRatio !== null && priceRatio >= Math.log(maxPriceRatio) - 1e-9,
  };
  const found = vetoes.filter((veto) => is[veto]);
  // Of pairs with one veto people are asked: what has one needs no second.
  return found.length === 0 && facts.isOtherVariant ? ["edition"] : found;
}
