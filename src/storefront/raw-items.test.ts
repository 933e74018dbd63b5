import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rawItems } from "./raw-items.ts";

describe("rawItems", () => {
  it("finds the text of every item whatever JSON surrounds and fills it", () => {
    fc.assert(
      fc.property(
        fc.array(fc.json().map((text): unknown => JSON.parse(text))),
        fc.json(),
        fc.constantFrom(undefined, 1, "\t"),
        (items, other, indent) => {
          const before: unknown = JSON.parse(other);
          const text = JSON.stringify({ found: before, items, 'a"]},[': "\\" }, null, indent);
          expect(rawItems(text).map((raw): unknown => JSON.parse(raw))).toEqual(
            JSON.parse(JSON.stringify(items)),
          );
        },
      ),
    );
  });

  it("U14: keeps numbers beyond 2^53 and floats as sent", () => {
    const text = '{"items": [ {"item_id": 9007199254740993 } , {"price":1e400}, 12.50 ]}';
    expect(rawItems(text)).toEqual(['{"item_id": 9007199254740993 }', '{"price":1e400}', "12.50"]);
  });

  it("U27: takes the last of repeated keys, as the parser does, and reads escaped keys", () => {
    expect(rawItems('{"items":[1],"\\u0069tems":[2,3]}')).toEqual(["2", "3"]);
    expect(rawItems('{"items":[1],"items":{"a":1}}')).toEqual([]);
  });

  it("finds nothing where there is nothing", () => {
    expect(rawItems("{}")).toEqual([]);
    expect(rawItems('{"items":[]}')).toEqual([]);
    expect(rawItems("[1,2]")).toEqual([]);
  });
});
