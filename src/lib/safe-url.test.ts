import { describe, expect, it } from "vitest";
import { loopbackPicturesOf, toSafeImage, toSafeLink, toWebUrl } from "./safe-url.ts";

describe("W2: an address that a shop wrote", () => {
  it.each([
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "java\nscript:alert(1)",
    "\u0001javascript:alert(1)",
    " javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:x",
    "//evil.example.com",
    "/products/1",
    "shop.example.com",
    "https://user:secret@shop.example.com/",
    "https://",
    "",
  ])("is no link when it is %j", (text) => {
    expect([toSafeLink(text), toSafeImage(text), toWebUrl(text)]).toEqual([null, null, null]);
  });

  it("is a link when it leads to the web, written so that it cannot leave its attribute", () => {
    expect(toSafeLink('https://shop.example.com/a"b?c=<d>')).toBe(
      "https://shop.example.com/a%22b?c=%3Cd%3E",
    );
    expect(toSafeLink("http://shop.example.com")).toBe("http://shop.example.com/");
  });

  it("B28: stands in JSON as it was written, when it leads to the web", () => {
    for (const text of ["https://shop.example.com", "http://img.example.com/1 2,3.jpg"]) {
      expect(toWebUrl(text)).toBe(text);
    }
    expect(toWebUrl(null)).toBeNull();
  });

  it("is a picture over http only from an upstream on this machine", () => {
    const local = "http://127.0.0.1:4100/pictures/1/1/300.svg";
    const allowed = (upstream: string | null, image: string) =>
      toSafeImage(image, loopbackPicturesOf(upstream)) !== null;
    expect(allowed(null, local)).toBe(true);
    expect(allowed("http://127.0.0.1:4100", local)).toBe(true);
    expect(allowed("http://127.0.0.1:4101", local)).toBe(false);
    expect(allowed("https://api.example.com", local)).toBe(false);
    expect(allowed("https://127.0.0.1:4100", local)).toBe(false);
    for (const image of [
      "http://img.example.com/1.jpg",
      "http://127.0.0.1.example.com/1.jpg",
      "http://localhost:4100/1.jpg",
      "http://[::1]:4100/1.jpg",
      "http://127.0.0.1@img.example.com/1.jpg",
    ]) {
      expect([image, allowed(null, image)]).toEqual([image, false]);
    }
  });

  it("is a picture only over https, and one candidate of a srcset only", () => {
    expect(toSafeImage("http://img.example.com/1.jpg")).toBeNull();
    expect(toSafeImage("https://img.example.com/1 2,3.jpg")).toBe(
      "https://img.example.com/1%202%2C3.jpg",
    );
  });
});
