import type { Random } from "../../src/lib/random.ts";
import { entriesOf, parseSpellings, inventProducts, withForms, type Concept } from "./concepts.ts";
import {
  japaneseMeasureForms,
  japaneseOthers,
  japanesePackForms,
  toHalfWidth,
} from "./japanese-spellings.ts";
import {
  japaneseAdjectives,
  japaneseColours,
  japaneseGoods,
  japaneseMakers,
  japaneseMotifs,
  type SmallGoods,
} from "./japanese-words.ts";

const motifs = entriesOf(japaneseMotifs);
const adjectives = entriesOf(japaneseAdjectives);
const colours = entriesOf(japaneseColours);
const makers = entriesOf(japaneseMakers);

/** Titles of handmade goods and of small shops; each shop joins and spells words in its own way. */
export const inventJapanese = (count: number, random: Random) =>
  inventProducts(japaneseGoods, count, {
    random,
    invent: (goods, type) => inventTitle(goods, type, random),
  });

/** Titles, with the names of their parts in braces. */
const shapes = [
  "{motif}の{type} {material} {colour} {measure} {pack} {maker}",
  "【{adjective}】{motif} {type}（{colour}）{material} {measure} {pack}",
  "{adjective}{material}の{type} {motif} {colour} {pack} / {maker}",
  "{material}{type}「{motif}」{measure} {adjective} {colour} {maker} {pack}",
  "{motif}{type} {adjective} {material} {measure}・{colour} {pack}",
  "{maker}の{adjective}{type}〈{motif}〉{material} {colour}{measure} {pack}",
];

function inventTitle(goods: SmallGoods, typeEntry: string, random: Random) {
  const type = conceptOf(typeEntry, "type", random);
  const motif = conceptOf(random.pick(motifs), "attribute", random);
  const [material, adjective, colour, maker] = (
    [
      [entriesOf(goods.materials), 0.6],
      [adjectives, 0.4],
      [colours, 0.3],
      [makers, 0.35],
    ] as const
  ).map(([entries, share]) =>
    random.chance(share) ? conceptOf(random.pick(entries), "attribute", random) : null,
  );
  const [unit = "", numbers = ""] = random.pick(goods.measures).split(": ");
  const measure = random.chance(0.35)
    ? measureOf(Number(random.pick(numbers.split(" "))), unit, random)
    : null;
  const pack = random.chance(0.2) ? packOf(random.integer(2, 6), goods.counter, random) : null;
  const concepts = { type, motif, material, adjective, colour, maker, measure, pack };
  const parts: Record<string, Concept | null | undefined> = concepts;
  const short = random.chance(0.5) ? "{material}{type}" : "{type}";
  const shape = random.chance(0.05) ? short : random.pick(shapes);
  const title = tidy(shape.replaceAll(/\{(\w+)\}/g, (_, name: string) => parts[name]?.text ?? ""));
  return {
    title: random.chance(0.03) ? toHalfWidth(title) : title,
    concepts: [...shape.matchAll(/\{(\w+)\}/g)].flatMap(([, name = ""]) => parts[name] ?? []),
  };
}

/** Removes what stood around a part that is left out. */
function tidy(title: string): string {
  return title
    .replaceAll(/【】|（）|「」|〈〉/g, "")
    .replaceAll(/^[の・ ]+|[・/ ]+$/g, "")
    .replaceAll(/ {2,}/g, " ")
    .replaceAll(/ ?・ | ・/g, " ");
}

/** Three of four shops use the common spelling. */
function conceptOf(entry: string, role: Concept["role"], random: Random): Concept {
  const { text: key, others } = parseSpellings(entry);
  const shops = [others.kana, others.okurigana, others["short form"], others.ヴ, others.letters];
  const forms = shops.flatMap((list) => list ?? []);
  const text = forms.length > 0 && random.chance(0.25) ? random.pick(forms) : key;
  const named = Object.fromEntries(
    Object.entries(others).map(([name, list]) => [name, [key, ...list]]),
  );
  return withForms({ key, role, text }, named, japaneseOthers(text));
}

function measureOf(number: number, unit: string, random: Random): Concept {
  const forms = japaneseMeasureForms(number, unit);
  const text = random.chance(0.7) ? `${number}${unit}` : random.pick(forms);
  return withForms({ key: `${number}${unit}`, role: "attribute", text }, { unit: forms });
}

function packOf(count: number, counter: string, random: Random): Concept {
  const forms = japanesePackForms(count, counter);
  const text = random.pick(forms);
  return withForms({ key: `${count}${counter}`, role: "attribute", text }, { pack: forms });
}
