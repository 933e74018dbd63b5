import { createHash, randomBytes, timingSafeEqual, createHmac } from "node:crypto";

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

/**
 * Proves that this sandbox showed the form recently, to this browser and for this request: an HMAC
 * over all three. Another site can neither read the cookie nor create a seal, so it cannot sign
 * anybody in. The key changes with a restart, after which the page is shown again.
 */
export function createFormSeal(nowSeconds: () => number, lifetimeSeconds: number) {
  const key = newSecret();
  const sign = (expires: string, browser: string, request: string) =>
    createHmac("sha256", key)
      .update(JSON.stringify([expires, browser, request]))
      .digest("base64url");
  return {
    seal(browser: string, request: string): string {
      const expires = String(nowSeconds() + lifetimeSeconds);
      return `${expires}.${sign(expires, browser, request)}`;
    },
    isIntact(seal: string, browser: string, request: string): boolean {
      const [expires = "", signature = ""] = seal.split(".");
      return (
        isSameText(signature, sign(expires, browser, request)) && Number(expires) > nowSeconds()
      );
    },
  };
}
