import { expect, it } from "vitest";
import { anchorsOf, anchorsVersion, nameOf } from "./anchors.ts";

it("anchors have keys that an index takes: names that begin alike share a cut one", () => {
  const begin = "棚".repeat(1000);
  const anchors = anchorsOf({ category: [`${begin}1`, `${begin}2`] }, () => 1);
  expect(anchors).toEqual([{ kind: "category", key: "棚".repeat(200), also: null }]);
  expect(nameOf("category", `${begin}1`)).toBe(nameOf("category", "棚".repeat(200)));
});

it("anchors are those of the present version: where these differ, raise `anchorsVersion` with them", () => {
  const frequency = (_: string, key: string) => key.length;
  const keysOfQuery = (q: string) =>
    anchorsOf({ q }, frequency).map(({ key, also }) => [key, ...(also ?? [])].join(" + "));
  const queries = [
    "財布 革 黒",
    "1.5m ケーブル",
    "全巻",
    "ハリー・ポッター",
    "Brötchen",
    "A5 ノート",
    "2,5 kg",
    '"salt pan"',
    "口紅 3 上巻",
  ];
  expect({
    version: anchorsVersion,
    keys: Object.fromEntries(queries.map((q) => [q, keysOfQuery(q)])),
  }).toMatchInlineSnapshot(`
    {
      "keys": {
        ""salt pan"": [
          "pan",
        ],
        "1.5m ケーブル": [
          "け + word 1.5 + word 1 + word mm + word 1500 + word cm + word 150",
        ],
        "2,5 kg": [
          "2.5 + word kg + word kilo + word kilogramm + word き + word g + word gr + word 2500",
          "2 + word kg + word kilo + word kilogramm + word き + word g + word gr + word 2500",
          "g + word kg + word kilo + word kilogramm + word き + word g + word gr + word 2500",
          "gr + word kg + word kilo + word kilogramm + word き + word g + word gr + word 2500",
          "2500 + word kg + word kilo + word kilogramm + word き + word g + word gr + word 2500",
        ],
        "A5 ノート": [
          "の + word a5 + word a",
        ],
        "Brötchen": [
          "brotchen",
          "brotchens",
        ],
        "ハリー・ポッター": [
          "は + word ぽ",
        ],
        "全巻": [
          "全",
          "巻",
        ],
        "口紅 3 上巻": [
          "口 + word 上",
        ],
        "財布 革 黒": [
          "財 + word 革 + word 皮 + word れ",
          "さ + word 革 + word 皮 + word れ",
        ],
      },
      "version": 5,
    }
  `);
});
