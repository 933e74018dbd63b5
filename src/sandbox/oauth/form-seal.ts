import { createHmac } from "node:crypto";
import { isSameText, newSecret } from "./secrets.ts";

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
