import { createHash, randomBytes } from "node:crypto";

/** The prefix lets people and programs that look for leaked secrets recognise a key. */
const prefix = "kurabe_";
const pattern = /^kurabe_[0-9a-f]{48}$/;

/** A new key with 192 random bits. */
export function createKeyText(): string {
  return `${prefix}${randomBytes(24).toString("hex")}`;
}

/**
 * What is stored of a key, and looked up by; null for a text that cannot be a key. Nobody can choose a
 * key for its hash, so the time of a look-up says nothing about the hashes of others.
 */
export function toKeyHash(text: string): string | null {
  return pattern.test(text) ? createHash("sha256").update(text).digest("hex") : null;
}
