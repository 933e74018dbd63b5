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
  // MD5, by which the catalogue finds names that it counts.
  return toKey(name, "md5");
}

/** What a filter for a name asks for: its key, and the one that it has in indexes from before version 18, which are searched until they are replaced. */
export function filterKeysOf(name: string): string[] {
  return [...new Set([toFacetKey(name), toKey(name, "sha256")])];
}

function toKey(name: string, hash: "md5" | "sha256"): string {
  if (stable.test(name)) return name;
  const readable = capped(name.toWellFormed().replaceAll(/\p{Cc}/gu, " "), maxReadable);
  const fingerprint = createHash(hash).update(name.toWellFormed()).digest("hex").slice(0, 12);
  return `${readable}${separator}${fingerprint}`;
}

/** The first digits of the MD5 of the name, of a key that is not the name itself. */
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
