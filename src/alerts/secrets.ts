import { createHash, randomBytes } from "node:crypto";

/** A secret for an address, with 192 random bits. */
export function createSecret(): string {
  return randomBytes(24).toString("base64url");
}

/** What is stored of a secret, and looked up by; null: the text cannot be one. */
export function toSecretHash(text: string): string | null {
  return /^[A-Za-z0-9_-]{32}$/.test(text) ? createHash("sha256").update(text).digest("hex") : null;
}
