import { createHash } from "node:crypto";
import { capped } from "./normalise.ts";

/** UTF-16 units of a name that its key shows. */
const maxReadable = 120;
const separator = "\u001F";
/** What the engine's own folding leaves as it is. */
const stable = /^[a-z0-9_-]{1,200}$/;

/**
 * A name as the index holds it for filters and facets. The engine compares without case, marks and
 * width, so that `BAG` would find and be counted as `bag`: a name it could take for another carries
 * a fingerprint of its own.
 */
export function toFacetKey(name: string): string {
  if (stable.test(name)) return name;
  const readable = capped(name.toWellFormed().replaceAll(/\p{Cc}/gu, " "), maxReadable);
  const fingerprint = createHash("sha256").update(name.toWellFormed()).digest("hex").slice(0, 12);
  return `${readable}${separator}${fingerprint}`;
}

/** The name behind a key, as far as it is readable: see `isWholeFacetKey`. */
export function fromFacetKey(key: string): string {
  const at = key.lastIndexOf(separator);
  return at === -1 ? key : key.slice(0, at);
}

/** false: the name may go on, or have had control characters. */
export function isWholeFacetKey(key: string): boolean {
  return toFacetKey(fromFacetKey(key)) === key;
}
