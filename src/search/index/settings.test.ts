import { describe, expect, it } from "vitest";
import { normalise } from "./normalise.ts";
import { compareSettings, desiredSettings, settingsHash } from "./settings.ts";
import { otherCompounds, otherSpellings, spellingGroups, synonymGroups } from "./spellings.ts";

const epoch = "6f1f3f0e-8f66-4f62-9a53-0f5f3f8c3a11";

describe("compareSettings", () => {
  it("ignores the order in which the engine returns sets", () => {
    const actual = {
      ...desiredSettings(epoch),
      sortableAttributes: [
        "variants",
        "price",
        "accessory",
        "unit_price",
        "id",
        "in_stock",
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

  it("takes an embedder as equal whose key is masked and whose defaults are named", () => {
    const options = { source: "rest", apiKey: "secret", request: { input: "{{text}}" } };
    const kind = { embedder: { options, semanticRatio: 0.3 }, isPlaced: false };
    const desired = desiredSettings(epoch, kind);
    const engineSays = (over: Record<string, unknown>) => ({
      ...desired,
      embedders: {
        default: {
          ...options,
          documentTemplate: "{{doc.title}} {{doc.category_text}}",
          documentTemplateMaxBytes: 400,
          apiKey: "seXXX...",
          ...over,
        },
      },
    });
    expect(compareSettings(engineSays({}), epoch, kind)).toBe("equal");
    expect(compareSettings(engineSays({ source: "ollama" }), epoch, kind)).toBe("drifted");
    expect(compareSettings({ ...desired, embedders: {} }, epoch, kind)).toBe("drifted");
  });

  it("has another hash with another embedder, but not with another ratio", () => {
    const hashOf = (apiKey: string | null, semanticRatio: number) =>
      settingsHash({
        embedder: apiKey ? { options: { source: "openAi", apiKey }, semanticRatio } : null,
        isPlaced: false,
      });
    const hashes = [null, "a", "b"].map((apiKey) => hashOf(apiKey, 0.3));
    expect(new Set(hashes).size).toBe(3);
    expect(hashOf("a", 0.9)).toBe(hashes[1]);
  });

  it("M12: knows an index that is not ours by the missing or other epoch", () => {
    expect(compareSettings({}, epoch)).toBe("unmarked");
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
    expect(otherSpellings("掃除機")).toContain("クリーナー");
    expect(otherSpellings("窓用クリーナー")).toEqual([]);
    expect(otherSpellings("ニトリル手袋")).toContain("グローブ");
    expect(otherSpellings("広島 牡蠣")).toContain("カキ");
  });

  it("reads no kana, no colour and no material inside another word", () => {
    for (const text of [
      "ウイスキー",
      "リーバイス",
      "バラエティ",
      "カウント vols",
      "ピンクッション",
    ])
      expect(otherSpellings(text)).toEqual([]);
    for (const text of ["綿棒", "木綿豆腐", "麻雀牌", "麻婆豆腐", "絹さや", "絹ごし"])
      expect(otherSpellings(text)).toEqual([]);
    expect(otherSpellings("赤ちゃん")).not.toContain("レッド");
    expect(otherSpellings("絹のスカーフ")).toContain("シルク");
    expect(otherSpellings("ダイニングイス")).toContain("椅子");
    expect(otherSpellings("長袖 赤")).toContain("レッド");
  });
});

describe("otherCompounds", () => {
  it.each([
    ["歯磨き粉 ミント", ["歯みがき粉"]],
    ["圧力鍋", ["圧力なべ"]],
    ["剪定ばさみ", ["剪定鋏"]],
    ["爪とぎ", ["爪研ぎ", "爪砥ぎ"]],
    ["焼きそば みがき", []],
  ])("of %s are %j", (text, compounds) => {
    expect(otherCompounds(text)).toEqual(compounds);
  });
});
