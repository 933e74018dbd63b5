import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** 256 bits, as text for URLs and headers. */
export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** What is stored in place of a secret of 256 random bits: no salt or stretching is needed for those. */
export function digest(secret: string): string {
  return createHash("sha256").update(secret).digest("base64url");
}

/** Compares in constant time. */
export function isSameText(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(digest(a)), Buffer.from(digest(b)));
}
