import type { Observed } from "../../catalog/sighting.ts";

/** Other fields than price and stock may differ in every answer, as addresses of pictures with a token do. */
export function isDifferent({ before, ...now }: Observed): boolean {
  if (before === null) return true;
  const isUpdated = now.differs && now.modified !== before.modified;
  return isUpdated || now.price !== before.price || now.stock !== before.stock;
}

/**
 * A new `modified` without any difference: the product has changed and changed back, or its shop updates products that
 * did not change, as some do every night. Taken for what most products of its keyword's list are seen to do.
 */
export function hasChanged(one: Observed, changedShare: number): boolean {
  const isUpdated = one.before !== null && one.modified !== one.before.modified;
  return isDifferent(one) || (isUpdated && changedShare === 1);
}
