import { describe, expect, it } from "vitest";
import { createMarket, defaultMarket, urlTemplateFault } from "./market.ts";

const urlBy = (urlTemplate: string, shopUrl: string, shopId = "shop-1") =>
  createMarket({ ...defaultMarket, urlTemplate }).urlOf({ itemId: 7, shop: { shopId, shopUrl } });

describe("the address of a product in its shop", () => {
  it("follows the shop's address, with or without its last slash", () => {
    for (const shopUrl of ["https://a.example", "https://a.example/", "HTTPS://A.example:443/"]) {
      expect(urlBy(defaultMarket.urlTemplate, shopUrl)).toBe("https://a.example/items/7");
    }
    expect(urlBy("{shop_url}p/{item_id}?ref=1", "http://a.example/shop/é")).toBe(
      "http://a.example/shop/%C3%A9/p/7?ref=1",
    );
  });

  it("is null where a shop wrote anything but a plain web address", () => {
    for (const shopUrl of [
      "",
      "a.example",
      "javascript:alert(1)//",
      "java\nscript:alert(1)",
      "data:text/html,x",
      "https://user:secret@a.example/",
      "https://a.example/?shop=1",
      "https://a.example/#top",
      `https://a.example/${"x".repeat(3000)}`,
    ]) {
      expect([shopUrl, urlBy(defaultMarket.urlTemplate, shopUrl)]).toEqual([shopUrl, null]);
    }
  });

  it("cannot be led to another host by a shop's id or address", () => {
    const byId = "https://{shop_id}.market.example/{shop_id}/{item_id}";
    expect(urlBy(byId, "", "a")).toBe("https://a.market.example/a/7");
    for (const shopId of ["evil.example/", "evil.example?", "evil.example#", "x@evil.example:8"]) {
      expect(urlBy(byId, "", shopId)).toBe(null);
    }
    expect(urlBy("https://go.example/?to={shop_url}{item_id}", "https://a.example/b&to=c")).toBe(
      "https://go.example/?to=https%3A%2F%2Fa.example%2Fb%26to%3Dc%2F7",
    );
  });

  it("has only known placeholders in its template, and a web address as its result", () => {
    expect(urlTemplateFault(defaultMarket.urlTemplate)).toBe(null);
    expect(urlTemplateFault("{shop_url}")).toBe(null);
    for (const bad of ["{shop_url}{id}", "{shop_url}{item_id", "https://a.example/}", "{}"]) {
      expect(urlTemplateFault(bad)).toContain("{shop_url}, {shop_id} and {item_id}");
    }
    for (const bad of [
      "{item_id}",
      "/items/{item_id}",
      "ftp://a.example/{item_id}",
      "javascript:{item_id}",
      "https://u:p@a.example/",
    ]) {
      expect(urlTemplateFault(bad)).toContain("http or https");
    }
  });
});
