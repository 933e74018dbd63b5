import { describe, expect, it } from "vitest";
import { apiForAll } from "../support/opened-api.ts";

const { api: site } = apiForAll();

const browser = { Accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

describe("every page", () => {
  it("comes with a policy that lets nothing run or load but its own files", async () => {
    for (const path of ["/", "/nothing-here", "/products/1"]) {
      const { headers } = await site.get(path, browser);
      const policy = headers.get("Content-Security-Policy") ?? "";
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
      expect(policy).not.toContain("unsafe");
      expect(headers.get("Access-Control-Allow-Origin")).toBeNull();
      expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
    }
  });

  it("is found with a slash behind its address too, which addresses for programs are not", async () => {
    const placeOf = async (path: string) => {
      const { status, headers } = await site.get(path, browser);
      return [status, headers.get("Location")];
    };
    expect(await placeOf("/products/1/?offers=price")).toEqual([301, "/products/1?offers=price"]);
    expect(await placeOf("/ops/")).toEqual([301, "/ops"]);
    for (const path of ["/nothing/", "//ops.example//", "/v1/shops/"]) {
      expect([path, ...(await placeOf(path))]).toEqual([path, 404, null]);
    }
  });

  it("is in the language asked for, remembered or accepted, else in Japanese", async () => {
    const languageOf = async (path: string, headers: Record<string, string>) =>
      (await site.get(path, { ...browser, ...headers })).headers.get("Content-Language");
    expect(await languageOf("/", {})).toBe("ja");
    expect(await languageOf("/", { "Accept-Language": "fr, en-GB;q=0.8, ja;q=0.2" })).toBe("en");
    expect(await languageOf("/", { Cookie: "lang=en" })).toBe("en");
    expect(await languageOf("/?lang=ja", { Cookie: "lang=en" })).toBe("ja");
  });

  it("loads files that are named by their content, may be kept for good and come compressed", async () => {
    const html = await (await site.get("/", browser)).text();
    const files = [...html.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map((match) => match[1]);
    expect(files.length).toBeGreaterThanOrEqual(3);
    for (const file of new Set(files)) {
      const answer = await site.get(String(file), { "Accept-Encoding": "gzip, br" });
      expect([file, answer.status]).toEqual([file, 200]);
      expect(answer.headers.get("Content-Encoding")).toBe("br");
      expect(answer.headers.get("Cache-Control")).toContain("immutable");
    }
  });
});

it("the home page of a catalogue without products says so", async () => {
  const html = await (await site.get("/", { ...browser, "Accept-Language": "en" })).text();
  expect(html).toContain("There are no products yet");
  expect(html).not.toContain("0 products");
});

describe("an address with nothing behind it", () => {
  it("is a page for a browser and a problem document for a program", async () => {
    const page = await site.get("/nothing-here", browser);
    expect([page.status, page.headers.get("Content-Type")]).toEqual([
      404,
      expect.stringContaining("text/html"),
    ]);
    expect(await page.text()).toContain('id="search"');
    for (const path of ["/nothing-here", "/v1/nothing-here"]) {
      const answer = await site.get(path, path.startsWith("/v1") ? browser : {});
      expect(answer.headers.get("Content-Type")).toContain("application/problem+json");
    }
  });
});
