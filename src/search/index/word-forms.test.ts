import { describe, expect, it } from "vitest";
import { formsInText, looseForms, otherForms, withoutInchSigns } from "./word-forms.ts";

describe("otherForms", () => {
  it.each([
    ["battery", "batteries"],
    ["batteries", "battery"],
    ["box", "boxes"],
    ["knives", "knife"],
    ["knife", "knives"],
    ["elbow", "elbows"],
    ["in", "inch"],
    ["inch", '"'],
    ["ml", "milliliter"],
    ["0.75", "3/4"],
    ["3/4", "0.75"],
    ["kopfhoerer", "kopfhorer"],
    ["さーばー", "さーば"],
    ["あくすた", "あくりるすたんど"],
    ["手拭い", "手ぬぐい"],
    ["あいふおん", "iphone"],
    ["7", "vii"],
    ["iii", "3"],
    ["romand", "rom nd"],
    ["johnsonandjohnson", "johnson johnson"],
  ])("of %s has %s", (word, form) => {
    expect(otherForms(word)).toContain(form);
  });

  it("has no form of a number, and none that is the word", () => {
    expect(otherForms("123")).toEqual([]);
    for (const word of ["glass", "bus", "lens", "いちご"])
      expect(otherForms(word)).not.toContain(word);
  });
});

describe("looseForms", () => {
  it.each([
    ["lighting", "light"],
    ["hinge", "hinged"],
    ["cutting", "cut"],
    ["tomate", "tomaten"],
    ["kinder", "kind"],
    ["maeuse", "maus"],
    ["shoes", "shoe"],
  ])("of %s has %s", (word, form) => {
    expect(looseForms(word)).toContain(form);
  });
});

describe("formsInText", () => {
  it("names measures in other spellings", () => {
    expect(formsInText(`3/4" Copper Elbow`, 20)).toEqual(
      expect.arrayContaining(["0.75", "in", "inch"]),
    );
    expect(formsInText("AAA, 21 St", 20)).toEqual(expect.arrayContaining(["stuck", "pack"]));
    expect(formsInText("21st Century", 20)).not.toContain("pack");
    expect(formsInText("Nagelfeile, 1 St", 20)).toContain("stuck");
    expect(formsInText("Nagelfeile, 1 St", 20)).not.toContain("pack");
    expect(formsInText("0.75 inch elbow", 20)).toEqual(expect.arrayContaining(["3/4", "in"]));
  });

  it("names plurals out of reach of one wrong letter, and both ends of katakana words", () => {
    expect(formsInText("AA Batteries and Nut", 20)).toEqual(
      expect.arrayContaining(["battery", "nuts"]),
    );
    expect(formsInText("Brake Pads and a Knife", 20)).toEqual(
      expect.arrayContaining(["pad", "knives"]),
    );
    expect(formsInText("コンピュータ サーバー", 20)).toEqual(["コンピューター", "サーバ"]);
  });

  it("names ä as ae", () => {
    expect(formsInText("Weißer Käse-Löffel", 20)).toEqual(
      expect.arrayContaining(["kaese", "loeffel"]),
    );
  });

  it("names ss as ß and the reverse, and letters with strokes without them", () => {
    expect(formsInText("Fußball, SÜSS, Røde Łódź", 20)).toEqual(
      expect.arrayContaining(["fussball", "süß", "rode", "lodz"]),
    );
  });

  it("stops at the limit", () => {
    expect(formsInText("nut bolt cap pin rod", 2)).toHaveLength(2);
  });
});

describe("withoutInchSigns", () => {
  it.each([
    ['3/4" copper elbow', "3/4 in copper elbow"],
    ['pipe 6" x 4"', "pipe 6 in x 4 in"],
    ['"3/4 in. copper elbow"', '"3/4 in. copper elbow"'],
    ['"model 34" case', '"model 34" case'],
  ])("reads %j as %j", (q, expected) => {
    expect(withoutInchSigns(q)).toBe(expected);
  });
});
