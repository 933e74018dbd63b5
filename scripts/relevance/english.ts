import type { Random } from "../../src/lib/random.ts";
import { entriesOf, parseSpellings, inventProducts, withForms, type Concept } from "./concepts.ts";
import { englishBrands, englishGoods, type Goods } from "./english-words.ts";
import { measureForms, modelForms, otherNumber, packForms } from "./latin-spellings.ts";

/** Titles of hardware and home goods as written by many shops, each with its own spelling. */
export const inventEnglish = (count: number, random: Random) =>
  inventProducts(englishGoods, count, {
    random,
    invent: (goods, type) => inventTitle(goods, type, random),
  });

function inventTitle(goods: Goods, type: string, random: Random) {
  const brandAt = random.integer(0, englishBrands.length - 1);
  const brand = englishBrands[brandAt] ?? "";
  const brandConcept: Concept = { key: brand, role: "attribute", text: brand, others: {} };
  const attributes = goods.attributes.flatMap((list) =>
    random.chance(0.65) ? [attributeOf(random.pick(entriesOf(list)), random)] : [],
  );
  const told = goods.measures.filter(() => random.chance(0.5)).slice(0, 2);
  const measures = told.map((entry) => {
    const [unit = "", numbers = ""] = entry.split(": ");
    return measureOf(random.pick(numbers.split(" ")), unit, brandAt);
  });
  const count = goods.packs.length > 0 && random.chance(0.3) ? random.pick(goods.packs) : null;
  const pack = count === null ? [] : [packOf(count, brandAt)];
  const model = random.chance(goods.models) ? [modelOf(brand, random)] : [];
  const named = typeOf(type, count !== null && count > 1, random);
  const orders = [
    [brandConcept, ...model, ...measures, ...attributes, named, ...pack],
    [brandConcept, ...attributes, named, ...measures, ...pack, ...model],
    [...measures.slice(0, 1), ...attributes, named, ...measures.slice(1), ...pack, brandConcept],
    [brandConcept, named, ...attributes, ...measures, ...model, ...pack],
  ];
  const short = [...attributes.slice(0, 1), named];
  const concepts = random.chance(0.05) ? short : random.pick(orders);
  const separator = random.chance(0.15) ? ", " : " ";
  const title = concepts.map(({ text }) => capitalised(text)).join(separator);
  return { title, concepts };
}

function capitalised(text: string): string {
  return text.replaceAll(/(?<![\p{L}\p{N}&'-])\p{Ll}(?=\p{L}{2})/gu, (one) => one.toUpperCase());
}

/** Now and then a shop writes a compound or a word in its own way. */
function attributeOf(entry: string, random: Random): Concept {
  const { text, others } = parseSpellings(entry);
  const forms = [text, ...Object.values(others).flat()];
  const written = random.chance(0.8) ? text : random.pick(forms);
  const name = others.letters ? "letters" : "compound";
  return withForms({ key: text, role: "attribute", text: written }, { [name]: forms });
}

function typeOf(entry: string, isMany: boolean, random: Random): Concept {
  const { text: key } = parseSpellings(entry);
  const { text, others } = attributeOf(entry, random);
  const written = isMany && !key.endsWith("s") && random.chance(0.7) ? otherNumber(text) : text;
  const plural = [otherNumber(written)];
  return withForms({ key, role: "type", text: written }, others, { plural });
}

function measureOf(number: string, unit: string, style: number): Concept {
  const forms = measureForms(number, unit);
  const text = forms[style % Math.min(forms.length, 6)] ?? number;
  return withForms({ key: forms[0] ?? number, role: "attribute", text }, { unit: forms });
}

function packOf(count: number, style: number): Concept {
  const forms = packForms(count);
  const text = forms[style % forms.length] ?? "";
  return withForms({ key: `${count} pack`, role: "attribute", text }, { pack: forms });
}

function modelOf(brand: string, random: Random): Concept {
  const letters = brand
    .replaceAll(/[^A-Za-z]/g, "")
    .slice(0, random.integer(2, 3))
    .toUpperCase();
  const digits = String(random.integer(10, 9999)).padStart(3, "0");
  const end = random.chance(0.4) ? random.pick(["B", "C2", "K", "XL", "S", "W"]) : "";
  const text = `${letters}${random.pick(["-", "", ""])}${digits}${end}`;
  const key = text.replaceAll("-", "");
  return withForms({ key, role: "model", text }, { model: modelForms(text) });
}
