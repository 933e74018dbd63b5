import { describe, expect, it } from "vitest";
import { normalise } from "./normalise.ts";
import { compareSettings, desiredSettings } from "./settings.ts";
import { otherSpellings, spellingGroups, synonymGroups } from "./spellings.ts";

const epoch = "6f1f3f0e-8f66-4f62-9a53-0f5f3f8c3a11";

describe("compareSettings", () => {
  it("takes them as equal whatever order the engine gives sets back in", () => {
    const actual = {
      ...desiredSettings(epoch),
      sortableAttributes: [
        "price",
        "id",
        "popularity",
        "modified",
        "stock",
        "first_seen",
        "discount_percent",
      ],
    };
    expect(compareSettings(actual, epoch)).toBe("equal");
  });

  it("M7: sees a drift of any setting, the order of ranking rules included", () => {
    const desired = desiredSettings(epoch);
    expect(compareSettings({ ...desired, filterableAttributes: [] }, epoch)).toBe("drifted");
    expect(compareSettings({ ...desired, localizedAttributes: null }, epoch)).toBe("drifted");
    expect(compareSettings({ ...desired, rankingRules: ["typo", "words"] }, epoch)).toBe("drifted");
  });

  it("M12: knows an index that is not ours by the missing or other epoch", () => {
    expect(compareSettings({}, epoch)).toBe("foreign");
    expect(compareSettings(desiredSettings("another"), epoch)).toBe("foreign");
  });
});

describe("synonymGroups and spellingGroups", () => {
  it("hold normalised words, each in one group", () => {
    const words = [...synonymGroups, ...spellingGroups].flat();
    expect(new Set(words).size).toBe(words.length);
    for (const word of words) expect(normalise(word)).toBe(word);
  });
});

describe("otherSpellings", () => {
  it("names those that a text does not have itself", () => {
    expect(otherSpellings("刺しゅう入りバッグ")).toEqual(["刺繍", "ししゅう"]);
    expect(otherSpellings("刺しゅうと刺繍")).toEqual(["ししゅう"]);
    expect(otherSpellings("革の小物")).toEqual([]);
  });
});
