import { createHmac } from "node:crypto";
import { isSameText, newSecret } from "./secrets.ts";

/**
 * Proof that a form was shown by us, to this browser, for this request, and not long ago: an HMAC
 * over all three. Another site can neither read the cookie nor make a seal, so it cannot sign
 * anybody in. The key lives as long as the process: a page from before a restart is shown anew.
 */
export interface FormSeal {
  seal(browser: string, request: string): string;
  isIntact(seal: string, browser: string, request: string): boolean;
}

export function createFormSeal(nowSeconds: () => number, lifetimeSeconds: number): FormSeal {
  const key = newSecret();
  const sign = (expires: string, browser: string, request: string) =>
    createHmac("sha256", key)
      .update(JSON.stringify([expires, browser, request]))
      .digest("base64url");
  return {
    seal(browser, request) {
      const expires = String(nowSeconds() + lifetimeSeconds);
      return `${expires}.${sign(expires, browser, request)}`;
    },
    isIntact(seal, browser, request) {
      const [expires = "", signature = ""] = seal.split(".");
      return (
        isSameText(signature, sign(expires, browser, request)) && Number(expires) > nowSeconds()
      );
    },
  };
}
