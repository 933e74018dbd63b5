import { expect, it } from "vitest";
import { page, titledSearchForAll } from "../support/titled-search.ts";

const titles = [
  "PlayStation 4 Konsole",
  "PlayStation 5 Konsole",
  "PlayStation4 Controller 白",
  "Civilization VI",
  "Toilettenpapier 3-lagig 8 Rollen",
  "Toilettenpapier 4-lagig 8 Rollen",
  "Vollmilch 1l",
  "Vollmilch 500 ml",
  "Jogginghose M",
  "Jogginghose schwarz",
  "バーベキュー 3",
  "バーベキュー 炭",
  "Hundegeschirr Medium",
  "Hundegeschirr Gr. M",
  "USB-C 充電器",
  "Cio USB 充電器",
];

const { openBoth } = titledSearchForAll(titles);

it.each([
  ["playstation 4", ["PlayStation 4 Konsole", "PlayStation4 Controller 白"]],
  ["playstation 白", ["PlayStation4 Controller 白"]],
  ["playstation 4 konsole", ["PlayStation 4 Konsole"]],
  ["civilization 6", ["Civilization VI"]],
  ["toilettenpapier 3-lagig", ["Toilettenpapier 3-lagig 8 Rollen"]],
  ["vollmilch 1 l", ["Vollmilch 1l"]],
  ["jogginghose m", ["Jogginghose M"]],
  ["バーベキュー 3", ["バーベキュー 3"]],
  ["hundegeschirr m", ["Hundegeschirr Gr. M"]],
  ["充電器 usb-c", ["USB-C 充電器"]],
])("%s lacks no single letter or digit, by the engine and by Postgres", async (q, expected) => {
  for (const search of openBoth()) {
    const { ids, found } = await search({ q, match: "all", ...page });
    expect(new Set(ids.map((id) => titles[id - 1]))).toEqual(new Set(expected));
    expect(found).toBe(expected.length);
  }
});
