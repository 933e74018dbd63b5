import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import type { ApiEnv } from "../http/deps.ts";
import { isAutomated } from "./go.ts";

const chrome =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";

async function judge(headers: Record<string, string>, method = "GET"): Promise<boolean> {
  let judged = false;
  const app = new Hono<ApiEnv>().get("/", (c) => {
    judged = isAutomated(c);
    return c.body(null);
  });
  await app.request("/", { method, headers });
  return judged;
}

describe("whether a program follows a link", () => {
  it.each([
    chrome,
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1",
    "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0",
    "Mozilla/5.0 (Linux; Android 14; CUBOT KINGKONG 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Safari Line/15.10.0",
    "Mozilla/5.0 (Linux; Android 15; SO-51E) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/142.0.0.0 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/540.0.0;]",
    "Opera/9.80 (Android; Opera Mini/36.2/191.273; U; en) Presto/2.12.423 Version/12.16",
  ])("a person's browser: %s", async (userAgent) => {
    expect(await judge({ "User-Agent": userAgent })).toBe(false);
  });

  it.each([
    "",
    "curl/8.5.0",
    "python-requests/2.32.3",
    "Go-http-client/2.0",
    "node",
    "okhttp/4.12.0",
    "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm) Chrome/116.0.1938.76 Safari/537.36",
    "Mozilla/5.0 (compatible; Yahoo! Slurp; http://help.yahoo.com/help/us/ysearch/slurp)",
    "Mozilla/5.0 (compatible; Y!J-WSC/1.0; +https://www.yahoo-help.jp/app/answers/detail/p/595/a_id/42716/)",
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.1.1 Safari/605.1.15 (Applebot/0.1)",
    "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
    "WhatsApp/2.23.20.0",
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/142.0.0.0 Safari/537.36",
    "Mozilla/5.0 (Linux; Android 11) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/136.0.0.0 Mobile Safari/537.36 Chrome-Lighthouse",
  ])("a program: %s", async (userAgent) => {
    expect(await judge({ "User-Agent": userAgent })).toBe(true);
  });

  it("a browser that looks ahead, and a page that hides the link in a picture or frame", async () => {
    for (const header of [
      { "Sec-Purpose": "prefetch;prerender" },
      { Purpose: "prefetch" },
      { "X-Moz": "prefetch" },
      { "Sec-Fetch-Dest": "image" },
      { "Sec-Fetch-Dest": "iframe" },
    ]) {
      expect([header, await judge({ "User-Agent": chrome, ...header })]).toEqual([header, true]);
    }
    expect(await judge({ "User-Agent": chrome, "Sec-Fetch-Dest": "document" })).toBe(false);
    expect(await judge({ "User-Agent": chrome }, "HEAD")).toBe(true);
  });
});
