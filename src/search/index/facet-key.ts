import { createHash } from "node:crypto";
import { capped } from "./normalise.ts";

/** A key shows so many UTF-16 units of its name. */
const maxReadable = 120;
const separator = "\u001F";
/** Names that the engine's own folding does not change. */
const stable = /^[a-z0-9_-]{1,200}$/;

/**
 * The form of a name in the index, for filters and facets. The engine ignores case, marks and width, so
 * it would find `BAG` as `bag` and count them together: every name that it could confuse with another
 * gets a fingerprint.
 */
export function toFacetKey(name: string): string {
  if (stable.test(name)) return name;
  const readable = capped(name.toWellFormed().replaceAll(/\p{Cc}/gu, " "), maxReadable);
  // MD5, by which the catalogue finds names that it counts.
  const fingerprint = createHash("md5").update(name.toWellFormed()).digest("hex").slice(0, 12);
  return `${readable}${separator}${fingerprint}`;
}

/** The first digits of the MD5 of the name; of a key that is the name itself, the name. */
export function fingerprintOf(key: string): string {
  return key.slice(key.lastIndexOf(separator) + 1);
}

/** The readable part of the name of a key: see `isWholeFacetKey`. */
export function fromFacetKey(key: string): string {
  const at = key.lastIndexOf(separator);
  return at === -1 ? key : key.slice(0, at);
}

/** false: the name may be longer, or have control characters. */
export function isWholeFacetKey(key: string): boolean {
  const name = fromFacetKey(key);
  const isShort = name.length < maxReadable - 1 && !name.includes(" ");
  return isShort || toFacetKey(name) === key;
}
