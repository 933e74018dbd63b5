import { describe, expect, it } from "vitest";
import { createGenerator } from "./generate.ts";
import { drawPicture, withOwnPictures } from "./pictures.ts";
import { toSearchBody } from "./item.ts";

const items = createGenerator(1).catalog(300);

describe("pictures of the sandbox", () => {
  it("are drawn for every product, the same each time, and differ between products", () => {
    const drawn = items.map((item) => drawPicture(item, 1, 300));
    for (const picture of drawn) {
      expect(picture).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" [^<]+>[^]+<\/svg>\n$/);
      expect(picture).not.toMatch(/ [FL][ /]|undefined|NaN/);
    }
    expect(items.map((item) => drawPicture(item, 1, 300))).toEqual(drawn);
    expect(new Set(drawn).size).toBeGreaterThan(150);
    const others = items.map((item) => drawPicture(item, 2, 300));
    expect(others.filter((picture, i) => picture === drawn[i])).toEqual([]);
  });

  it("stand at the address of the sandbox; those of others stay where they are", () => {
    const bodies = items.map((item) => withOwnPictures(toSearchBody(item), "http://127.0.0.1:9"));
    const text = JSON.stringify(bodies);
    expect(text).toContain("http://127.0.0.1:9/pictures/");
    expect(text).not.toContain("img.example.com");
    const own = { img1_origin: "https://img.example.com/mine.jpg", stock: 3 };
    expect(withOwnPictures(own, "http://127.0.0.1:9")).toEqual(own);
  });
});
